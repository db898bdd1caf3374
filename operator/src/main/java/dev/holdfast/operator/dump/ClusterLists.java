package dev.holdfast.operator.dump;

import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.decode.protobuf.ListMetadata;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.policies.model.ClusterEvent;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongConsumer;

/** Reads a live cluster like a dump. It only lists: it watches nothing and changes nothing. */
public final class ClusterLists {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    private static final String JSON = "application/json";
    private static final String POLICIES = "/apis/holdfast.dev/v1alpha1/";
    /** The events whose source is the operator. */
    private static final String EVENTS = "/api/v1/events?fieldSelector=source%3Dholdfast";

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    /** The kinds on which verdicts depend. Few readers have more rights. */
    private static final Set<String> FOR_VERDICTS = Set.of("Namespace", "Node", "Pod");

    /** What is read. */
    public enum Depth {
        /** What verdicts depend on. */
        VERDICTS,
        /** Also what plans depend on, for example disruption budgets, as far as the rights allow it. */
        PLANS,
        /** Also the events of the operator, as far as the rights allow it. */
        HISTORY
    }

    private final ApiServer server;
    private final LongConsumer progress;
    private final List<ClusterEvent> objects = new ArrayList<>();
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<String> warnings = new ArrayList<>();

    /** @param progress gets the number of objects read so far, after each object */
    public ClusterLists(ApiServer server, LongConsumer progress) {
        this.server = server;
        this.progress = progress;
    }

    /**
     * {@return the objects of the cluster, and its policies}
     *
     * @throws DumpException if a kind cannot be listed, for example because the right is missing
     */
    public Dump read(Depth depth) throws DumpException, InterruptedException {
        List<ReadKind> kinds = ReadKind.all().values().stream()
                .filter(kind -> !kind.ofStorage())
                .filter(kind -> depth != Depth.VERDICTS || FOR_VERDICTS.contains(kind.kind()))
                .sorted(Comparator.comparingInt(ReadKind::order))
                .toList();
        for (ReadKind kind : kinds) {
            list(kind);
        }
        DumpReader reader = new DumpReader(_ -> {});
        for (String path : paths(depth)) {
            Optional<DumpFile> written = asWritten(path);
            if (written.isPresent()) {
                // One after the other, as each is in memory as a whole.
                reader.read(List.of(written.get()));
            }
        }
        Dump read = reader.read(List.of());
        warnings.addAll(read.warnings());
        read.counts().forEach((kind, count) -> counts.merge(kind, count, Integer::sum));
        return new Dump(
                objects, read.policies(), counts, Map.of(), warnings, read.volumes(), read.events(), Optional.empty());
    }

    /** {@return the paths of the kinds that are read as JSON: policies as users wrote them, and storage with its names} */
    private static List<String> paths(Depth depth) {
        List<String> paths = new ArrayList<>();
        plurals(depth).forEach(plural -> paths.add(POLICIES + plural));
        if (depth != Depth.VERDICTS) {
            ReadKind.all().values().stream()
                    .filter(ReadKind::ofStorage)
                    .sorted(Comparator.comparingInt(ReadKind::order))
                    .forEach(kind -> paths.add(kind.path()));
        }
        if (depth == Depth.HISTORY) {
            paths.add(EVENTS);
        }
        return paths;
    }

    private static List<String> plurals(Depth depth) {
        return switch (depth) {
            case VERDICTS -> List.of("placementpolicies", "clusterplacementpolicies");
            case PLANS, HISTORY -> List.of("placementpolicies", "clusterplacementpolicies", "enforcementpauses");
        };
    }

    private void list(ReadKind kind) throws DumpException, InterruptedException {
        String path = kind.path();
        try {
            ListMetadata page = page(kind, path);
            while (!page.continueToken().isEmpty()) {
                String token = URLEncoder.encode(page.continueToken(), StandardCharsets.UTF_8);
                page = page(kind, path + "?continue=" + token);
            }
        } catch (ApiRefusal e) {
            if (e.getCode() != FORBIDDEN || FOR_VERDICTS.contains(kind.kind())) {
                throw failed(path, e);
            }
            warnings.add("the right to list " + path + " is missing, so plans do not know these objects");
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    private ListMetadata page(ReadKind kind, String path) throws IOException, InterruptedException {
        try (StreamedResponse body = server.get(path, PROTOBUF, PATIENCE, PATIENCE)) {
            return new ListReader(body).read(item -> {
                if (kind.decoding().decode(item) instanceof ReadObject.Fact(ClusterEvent event)) {
                    objects.add(event);
                }
                counts.merge(kind.kind(), 1, Integer::sum);
                progress.accept(objects.size());
            });
        }
    }

    /**
     * {@return the objects of a kind as the API server writes them; empty if their CRD is not installed, or the right to
     * list them is missing}
     */
    private Optional<DumpFile> asWritten(String path) throws DumpException, InterruptedException {
        try (StreamedResponse body = server.get(path, JSON, PATIENCE, PATIENCE)) {
            byte[] list = body.readAllBytes();
            return Optional.of(new DumpFile(path, () -> new ByteArrayInputStream(list)));
        } catch (ApiRefusal e) {
            if (e.getCode() == NOT_FOUND) {
                return Optional.empty();
            }
            if (e.getCode() == FORBIDDEN) {
                warnings.add("the right to list " + path + " is missing, so these objects do not count");
                return Optional.empty();
            }
            throw failed(path, e);
        } catch (IOException | RuntimeException e) {
            throw failed(path, e);
        }
    }

    private static DumpException failed(String path, Exception e) {
        String why = e instanceof UncheckedIOException ? String.valueOf(e.getCause()) : String.valueOf(e.getMessage());
        return new DumpException("cannot list " + path + ": " + why, e);
    }
}
