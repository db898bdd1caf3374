package dev.holdfast.operator.api;

import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.protobuf.ObjectReader;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Reads single objects from the API server, with consistent reads that bypass every cache. It decodes pods and nodes
 * exactly as the feeds do, which list and watch them. Thread-safe.
 */
public final class ClusterReader implements AutoCloseable {
    /** The longest time for one object, from the request to the last byte. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final SingleObjectReader gets;
    private final ObjectReader<Pod> pods =
            new ObjectReader<>("Pod", () -> new PodDecoder(AnnotationRulesParser::parse));
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
     * Reads a pod that is about to be evicted, its node, and the other pods that its rule looks at. Returns their
     * present state as {@code Confirmed}, or {@code ConfirmFailed} with the error.
     *
     * <p>If the calling thread is interrupted, the result is {@code ConfirmFailed} and the thread stays interrupted.
     */
    public Event confirm(Effect.Confirm request) {
        try {
            return new Event.Confirmed(
                    request.planId(), pod(request.pod()), node(request.node()), partners(request.partners()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Event.ConfirmFailed(request.planId(), Reason.API_ERROR, "the operator stops");
        } catch (RuntimeException e) {
            return new Event.ConfirmFailed(request.planId(), reason(e), ApiErrorText.of("get", "pods and nodes", e));
        }
    }

    /**
     * Reads a PersistentVolumeClaim, and its volume or StorageClass. Returns the volume, {@code Ephemeral} if a pod owns
     * the claim, or {@code Unreadable} with the error.
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
                pods);
    }

    private Optional<Node> node(String name) throws InterruptedException {
        return gets.get("/api/v1/nodes/" + SingleObjectReader.segment(name), nodes)
                .filter(it -> it.tooComplex().isEmpty());
    }

    /** Reads the pods of these names, and returns those that exist, in the order of the names. */
    private List<Pod> partners(List<NamespacedName> names) throws InterruptedException {
        List<Pod> partners = new ArrayList<>();
        for (NamespacedName name : names) {
            pod(name).ifPresent(partners::add);
        }
        return partners;
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
