package dev.holdfast.operator.api;

import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.protobuf.ListMetadata;
import dev.holdfast.operator.decode.protobuf.ListReader;
import dev.holdfast.operator.decode.protobuf.ObjectReader;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Requirement;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Reads single objects and short lists from the API server, with consistent reads that bypass every cache. The reader
 * decodes pods and nodes exactly as the feeds do, which list and watch them. Thread-safe.
 */
public final class ClusterReader implements AutoCloseable {
    /** The longest time for one object, from the request to the last byte. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final SingleObjectReader gets;
    private final ObjectReader<Pod> pods =
            new ObjectReader<>("Pod", () -> new PodDecoder(SchedulingScope.RULES, AnnotationRulesParser::parse));
    private final ObjectReader<Node> nodes = new ObjectReader<>("Node", NodeDecoder::new);
    private final ClaimReader claims;

    /** Creates a reader of the cluster that this connection leads to. */
    public ClusterReader(Config connection) {
        this(connection, LIMIT);
    }

    ClusterReader(Config connection, Duration limit) {
        this.gets = new SingleObjectReader(new StreamingRequests(connection), limit);
        this.claims = new ClaimReader(gets);
    }

    /**
     * Reads a pod that is about to be evicted, its node, and other pods that its rule looks at. Returns their
     * present state as {@code Confirmed}, or {@code ConfirmFailed} with the error.
     *
     * <p>If the calling thread is interrupted, the result is {@code ConfirmFailed} and the thread stays interrupted.
     */
    public Event confirm(Effect.Confirm request) {
        try {
            return new Event.Confirmed(
                    request.planId(),
                    pod(request.pod()),
                    node(request.node()),
                    partners(request.partners()),
                    counted(request.counted()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Event.ConfirmFailed(request.planId(), Reason.API_ERROR, "the operator stops");
        } catch (RuntimeException e) {
            return new Event.ConfirmFailed(request.planId(), reason(e), ApiErrorText.of("get", "pods and nodes", e));
        }
    }

    /**
     * Reads a PersistentVolumeClaim, and its volume or StorageClass. Returns the volume, {@code Ephemeral} if a pod
     * owns the claim, or {@code Unreadable} with the error.
     *
     * <p>If the calling thread is interrupted, the result is {@code Unreadable} and the thread stays interrupted.
     */
    public Event.ClaimRead volume(Effect.ReadClaim request) {
        return new Event.ClaimRead(request.claim(), claims.volume(request.claim()));
    }

    private Optional<Pod> pod(NamespacedName name) throws InterruptedException {
        return gets.get(
                "/api/v1/namespaces/" + SingleObjectReader.segment(name.namespace()) + "/pods/"
                        + SingleObjectReader.segment(name.name()),
                pods::read);
    }

    private Optional<Node> node(String name) throws InterruptedException {
        return gets.get("/api/v1/nodes/" + SingleObjectReader.segment(name), nodes::read);
    }

    /** Reads the pods of these names, and returns those that exist, in the order of the names. */
    private List<Pod> partners(List<NamespacedName> names) throws InterruptedException {
        List<Pod> partners = new ArrayList<>();
        for (NamespacedName name : names) {
            pod(name).ifPresent(partners::add);
        }
        return partners;
    }

    /** Lists the pods that a rule counts, up to the limit, all of the same moment. */
    private Optional<Event.CountedPods> counted(Optional<Effect.Counted> wanted) throws InterruptedException {
        if (wanted.isEmpty()) {
            return Optional.empty();
        }
        String of = wanted.get()
                .namespace()
                .map(it -> "/namespaces/" + SingleObjectReader.segment(it))
                .orElse("");
        Optional<Event.CountedPods> listed = gets.get(
                "/api/v1" + of + "/pods?limit=" + Effect.Counted.MOST + "&labelSelector="
                        + URLEncoder.encode(query(wanted.get().selector()), StandardCharsets.UTF_8),
                ClusterReader::list);
        if (listed.isEmpty()) {
            throw ApiRefusal.byServer(404, "it has no list of pods", Duration.ZERO);
        }
        return listed;
    }

    private static Event.CountedPods list(InputStream body) throws IOException {
        PodDecoder decoder = new PodDecoder(SchedulingScope.RULES, AnnotationRulesParser::parse);
        List<Pod> pods = new ArrayList<>();
        ListMetadata end = new ListReader(body).read(item -> pods.add(decoder.decode(item)));
        return new Event.CountedPods(
                pods, end.resourceVersion(), end.continueToken().isEmpty());
    }

    /** {@return a selector as the API server takes it: {@code app in (web),tier notin (test),zone,!canary}} */
    private static String query(LabelSelector selector) {
        Stream<String> labels = IntStream.range(0, selector.matchLabels().size())
                .mapToObj(i -> selector.matchLabels().key(i) + " in ("
                        + selector.matchLabels().value(i) + ")");
        return Stream.concat(labels, selector.matchExpressions().stream().map(ClusterReader::query))
                .collect(Collectors.joining(","));
    }

    private static String query(Requirement requirement) {
        String values = "(" + String.join(",", requirement.values()) + ")";
        return switch (requirement.operator()) {
            case "In" -> requirement.key() + " in " + values;
            case "NotIn" -> requirement.key() + " notin " + values;
            case "Exists" -> requirement.key();
            case "DoesNotExist" -> "!" + requirement.key();
            default -> throw new IllegalArgumentException("no operator of label selectors: " + requirement.operator());
        };
    }

    /** {@return the reason of the hold after a read that failed} */
    public static Reason reason(RuntimeException failure) {
        if (!(failure instanceof ApiRefusal apiRefusal)) {
            return Reason.API_ERROR;
        }
        return switch (apiRefusal.getCode()) {
            case 403 -> ApiErrorText.isOfServer(apiRefusal) ? Reason.FORBIDDEN : Reason.API_ERROR;
            case 429 -> Reason.THROTTLED;
            default -> Reason.API_ERROR;
        };
    }

    @Override
    public void close() {
        gets.close();
    }
}
