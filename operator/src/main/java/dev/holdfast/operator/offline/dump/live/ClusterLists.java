package dev.holdfast.operator.offline.dump.live;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpTimes;
import dev.holdfast.operator.offline.dump.DumpedVolumes;
import dev.holdfast.operator.offline.dump.ReadKind;
import dev.holdfast.operator.offline.dump.ReadObject;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.dump.selectors.ReadSelectors;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
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

/** Reads a live cluster like a dump. The reader only lists objects: it watches nothing and changes nothing. */
public final class ClusterLists {
    private static final String PROTOBUF = "application/vnd.kubernetes.protobuf";
    static final String JSON = "application/json";
    private static final String POLICIES = "/apis/holdfast.dev/v1alpha1/";
    /** The events whose source is the operator. */
    private static final String EVENTS = "/api/v1/events?fieldSelector=source%3Dholdfast";

    /** The kinds that say more of new pods that name them. */
    private static final List<String> CLASSES =
            List.of("/apis/scheduling.k8s.io/v1/priorityclasses", "/apis/node.k8s.io/v1/runtimeclasses");

    private static final String CONFIG_MAPS = "configmaps?labelSelector=holdfast.dev%2Fcomponent";

    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final int FORBIDDEN = 403;
    static final int NOT_FOUND = 404;

    /** The code of Kubernetes for a continue token that is too old. */
    private static final int EXPIRED = 410;

    /** The kinds on which verdicts depend. Few readers have more rights. */
    private static final Set<String> FOR_VERDICTS = Set.of("Namespace", "Node", "Pod");

    private static final String BUDGET = "PodDisruptionBudget";

    /** How much of a cluster is read. */
    public enum Depth {
        /** The policies, and the ConfigMaps of the operator. */
        POLICIES,
        /** Also the objects that verdicts depend on. */
        VERDICTS,
        /** Also the disruption budgets, as far as the rights allow it. */
        BUDGETS,
        /** Also the objects that plans depend on, for example disruption budgets, as far as the rights allow it. */
        PLANS,
        /** Also the selectors of Services and controllers, as far as the rights allow it. */
        SCORES,
        /** As for plans, and the events of the operator, as far as the rights allow it. */
        HISTORY
    }

    private final ApiServer server;
    private final int chunkSize;
    private final LongConsumer progress;
    private final Optional<String> operatorNamespace;
    private final List<ClusterEvent> objects = new ArrayList<>();
    private final List<ObjectNode> policies = new ArrayList<>();
    private final List<ObjectNode> events = new ArrayList<>();
    private final List<ObjectNode> configMaps = new ArrayList<>();
    private final DumpedVolumes volumes = new DumpedVolumes();
    private final ReadSelectors selectors = new ReadSelectors();
    private final Map<String, Integer> counts = new HashMap<>();
    private final List<String> warnings = new ArrayList<>();
    private final List<UnreadableKind> unreadable = new ArrayList<>();

    /**
     * @param chunkSize the most objects of a page; 0 for lists without pages
     * @param progress gets the number of objects read so far, after each object
     * @param operatorNamespace where the operator's ConfigMaps are; if empty, they are looked for in all namespaces
     */
    public ClusterLists(ApiServer server, int chunkSize, LongConsumer progress, Optional<String> operatorNamespace) {
        this.operatorNamespace = operatorNamespace;
        this.server = server;
        this.chunkSize = chunkSize;
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
                .filter(kind -> isRead(kind, depth))
                .sorted(Comparator.comparingInt(ReadKind::order))
                .toList();
        for (ReadKind kind : kinds) {
            list(kind);
        }
        for (String path : paths(depth)) {
            asWritten(path);
        }
        asWritten(configMaps(operatorNamespace));
        objects.forEach(this::see);
        return new Dump(
                objects,
                policies,
                new Dump.Numbers(counts, Map.of()),
                warnings,
                volumes,
                selectors,
                events,
                DumpTimes.UNKNOWN,
                unreadable,
                configMaps);
    }

    private static boolean isRead(ReadKind kind, Depth depth) {
        return switch (depth) {
            case POLICIES -> false;
            case VERDICTS -> FOR_VERDICTS.contains(kind.kind());
            case BUDGETS -> FOR_VERDICTS.contains(kind.kind()) || kind.kind().equals(BUDGET);
            case PLANS, HISTORY -> !kind.ofScores();
            case SCORES -> true;
        };
    }

    private static String configMaps(Optional<String> operatorNamespace) {
        return operatorNamespace.map(it -> "/api/v1/namespaces/" + it + "/").orElse("/api/v1/") + CONFIG_MAPS;
    }

    /** {@return the paths of all lists that any command reads, in the order of a {@link Dump}} */
    static List<String> allPaths(Optional<String> operatorNamespace) {
        List<String> paths = new ArrayList<>();
        ReadKind.all().values().stream()
                .filter(kind -> !kind.ofStorage())
                .sorted(Comparator.comparingInt(ReadKind::order))
                .forEach(kind -> paths.add(kind.path()));
        paths.addAll(paths(Depth.HISTORY));
        paths.addAll(CLASSES);
        paths.add(configMaps(operatorNamespace));
        return paths;
    }

    /**
     * {@return the paths of the kinds that are read as JSON: policies as users wrote them, and storage with its names}
     */
    private static List<String> paths(Depth depth) {
        List<String> paths = new ArrayList<>();
        plurals(depth).forEach(plural -> paths.add(POLICIES + plural));
        if (depth.compareTo(Depth.PLANS) >= 0) {
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
            case POLICIES, VERDICTS, BUDGETS -> List.of("placementpolicies", "clusterplacementpolicies");
            case PLANS, SCORES, HISTORY ->
                List.of("placementpolicies", "clusterplacementpolicies", "enforcementpauses");
        };
    }

    private void list(ReadKind kind) throws DumpException, InterruptedException {
        String path = kind.path();
        Pages pages = new DecodedPages(kind);
        try {
            readAll(path, pages);
        } catch (ApiRefusal e) {
            if (e.getCode() != FORBIDDEN || FOR_VERDICTS.contains(kind.kind())) {
                throw failed(server, path, e);
            }
            // The right may end between two pages.
            pages.forget();
            forbidden(path, "so plans do not know these objects");
        } catch (IOException | RuntimeException e) {
            throw failed(server, path, e);
        }
    }

    /**
     * Reads the objects of a kind as the API server writes them. The CRD of the kind, or the right to list it, may be
     * missing.
     */
    private void asWritten(String path) throws DumpException, InterruptedException {
        WrittenPages pages = new WrittenPages();
        try {
            readAll(path, pages);
            add(pages.reader.read(List.of()));
        } catch (ApiRefusal e) {
            switch (e.getCode()) {
                case NOT_FOUND ->
                    unreadable.add(new UnreadableKind(
                            path, UnreadableKind.NOT_FOUND, "the API server does not serve " + path));
                case FORBIDDEN -> {
                    if (path.endsWith(CONFIG_MAPS)) {
                        // Commands say themselves what they take for the configuration instead.
                        unreadable.add(new UnreadableKind(
                                path, UnreadableKind.FORBIDDEN, "the right to list " + path + " is missing"));
                    } else {
                        forbidden(path, "so these objects do not count");
                    }
                }
                default -> throw failed(server, path, e);
            }
        } catch (IOException | RuntimeException e) {
            throw failed(server, path, e);
        }
    }

    /**
     * Reads the pages of a list one after the other. All pages show the objects of one moment. If the API server has
     * forgotten that moment, the pages are read again from the first. If they expire again, the list is of two moments.
     */
    private void readAll(String path, Pages pages) throws IOException, DumpException, InterruptedException {
        try {
            read(path, chunkSize, "", pages);
        } catch (ApiRefusal e) {
            if (e.getCode() != EXPIRED) {
                throw e;
            }
            pages.forget();
            readAll(path, chunkSize, pages).ifPresent(warnings::add);
        }
    }

    /**
     * Reads the pages of a list one after the other. If the API server has forgotten the moment of the first page, the
     * rest is read as it is then. A whole list in one answer would be the largest request.
     *
     * @return that the list is of several moments, as a sentence; empty if it is of one
     */
    static Optional<String> readAll(String path, int limit, PageReader pages)
            throws IOException, DumpException, InterruptedException {
        Optional<String> warning = Optional.empty();
        String token = "";
        while (true) {
            try {
                read(path, limit, token, pages);
                return warning;
            } catch (ApiRefusal e) {
                if (e.getCode() != EXPIRED
                        || e.continueToken().isEmpty()
                        || e.continueToken().equals(token)) {
                    throw e;
                }
                token = e.continueToken();
                warning = Optional.of("the list of " + path + " took so long that the API server forgot its first"
                        + " moment, so the list may lack objects that were created or replaced meanwhile; a larger"
                        + " --chunk-size is faster");
            }
        }
    }

    private static void read(String path, int limit, String start, PageReader pages)
            throws IOException, DumpException, InterruptedException {
        String token = start;
        do {
            List<String> query = new ArrayList<>();
            if (limit > 0) {
                query.add("limit=" + limit);
            }
            if (!token.isEmpty()) {
                query.add("continue=" + URLEncoder.encode(token, StandardCharsets.UTF_8));
            }
            String separator = query.isEmpty() ? "" : path.contains("?") ? "&" : "?";
            token = pages.read(path + separator + String.join("&", query));
        } while (!token.isEmpty());
    }

    /** Reads one page of a list. */
    @FunctionalInterface
    interface PageReader {
        /** {@return the token for the next page; empty on the last page} */
        String read(String path) throws IOException, DumpException, InterruptedException;
    }

    /** The pages of one list. */
    private interface Pages extends PageReader {
        /** Forgets the pages that were read. */
        void forget();
    }

    /** Pages in protobuf, of which an object is kept only as long as it is decoded. */
    private final class DecodedPages implements Pages {
        private final ReadKind kind;
        private final int before = objects.size();

        DecodedPages(ReadKind kind) {
            this.kind = kind;
        }

        @Override
        public String read(String path) throws IOException, InterruptedException {
            try (StreamedResponse body = server.get(path, PROTOBUF, PATIENCE, PATIENCE)) {
                return new ListReader(body).read(this::add).continueToken();
            }
        }

        private void add(ByteSlice item) throws MalformedException {
            ReadObject object = kind.decoding().decode(item);
            switch (object) {
                case ReadObject.Fact(ClusterEvent event) -> objects.add(event);
                case ReadObject.Selecting(ClusterEvent event, var selection) -> {
                    objects.add(event);
                    selectors.add(kind.kind(), selection);
                }
                case ReadObject.Selector(var selection) -> selectors.add(kind.kind(), selection);
                case ReadObject.OfStorage _ -> {}
            }
            counts.merge(kind.kind(), 1, Integer::sum);
            progress.accept(objects.size());
        }

        @Override
        public void forget() {
            objects.subList(before, objects.size()).clear();
            counts.remove(kind.kind());
        }
    }

    /** Pages in JSON. Each page is in memory as a whole. */
    private final class WrittenPages implements Pages {
        private DumpReader reader = new DumpReader(_ -> {});

        @Override
        public String read(String path) throws IOException, DumpException, InterruptedException {
            try (StreamedResponse body = server.get(path, JSON, PATIENCE, PATIENCE)) {
                byte[] page = body.readAllBytes();
                return reader.readPage(new DumpFile(path, () -> new ByteArrayInputStream(page)));
            }
        }

        @Override
        public void forget() {
            reader = new DumpReader(_ -> {});
        }
    }

    private void add(Dump read) {
        policies.addAll(read.policies());
        events.addAll(read.events());
        configMaps.addAll(read.configMaps());
        volumes.addAll(read.volumes());
        warnings.addAll(read.warnings());
        read.counts().forEach((kind, count) -> counts.merge(kind, count, Integer::sum));
    }

    private void see(ClusterEvent object) {
        if (object instanceof ClusterEvent.PodChanged(Pod pod)) {
            volumes.see(pod);
        }
    }

    private void forbidden(String path, String consequence) {
        String message = "the right to list " + path + " is missing, " + consequence;
        warnings.add(message);
        unreadable.add(new UnreadableKind(path, UnreadableKind.FORBIDDEN, message));
    }

    /** {@return why a list cannot be read: the server cannot be reached, or it says something else} */
    static DumpException failed(ApiServer server, String path, Exception e) {
        return e instanceof UncheckedIOException broken
                ? new DumpException(
                        "cannot list " + path + ": cannot reach " + server.described()
                                + Optional.ofNullable(broken.getCause())
                                        .map(Throwable::getMessage)
                                        .map(it -> ": " + it)
                                        .orElse(""),
                        e)
                : new DumpException("cannot list " + path + ": " + e.getMessage(), e);
    }
}
