package dev.holdfast.operator.api;

import dev.holdfast.operator.decode.ClaimDecoder;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.VolumeDecoder;
import dev.holdfast.operator.decode.protobuf.ObjectReader;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Pod;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Consistent reads of single objects, past every cache. Its facts are those that the feed would give. Any number of threads
 * may ask.
 */
public final class ClusterReader implements AutoCloseable {
    /** For one object, from when it is asked for to its last byte. */
    private static final Duration LIMIT = Duration.ofSeconds(3);

    private final SingleObjectReader gets;
    private final ObjectReader<Pod> pods = new ObjectReader<>("Pod", new PodDecoder());
    private final ObjectReader<Node> nodes = new ObjectReader<>("Node", new NodeDecoder());
    private final ObjectReader<ClaimDecoder.Claim> claims =
            new ObjectReader<>("PersistentVolumeClaim", new ClaimDecoder());
    private final ObjectReader<Optional<NodeSelector>> volumes =
            new ObjectReader<>("PersistentVolume", new VolumeDecoder());

    /** A reader of the cluster that this reaches. */
    public ClusterReader(Config connection) {
        this(connection, LIMIT);
    }

    ClusterReader(Config connection, Duration limit) {
        this.gets = new SingleObjectReader(new StreamingRequests(connection), limit);
    }

    /**
     * {@return what stands at the API server now: Confirmed, or ConfirmFailed with what went wrong}
     *
     * <p>Who is interrupted meanwhile gets ConfirmFailed, and stays interrupted.
     */
    public Event confirm(Effect.Confirm asked) {
        try {
            return new Event.Confirmed(
                    asked.planId(), pod(asked.pod()), node(asked.node()), partners(asked.partners()));
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new Event.ConfirmFailed(asked.planId(), Reason.API_ERROR, "the operator stops");
        } catch (RuntimeException e) {
            return new Event.ConfirmFailed(asked.planId(), reason(e), ApiErrors.of("get", "pods and nodes", e));
        }
    }

    /**
     * {@return what stands behind the claim now; unreadable with what went wrong}
     *
     * <p>Who is interrupted meanwhile gets that too, and stays interrupted.
     */
    public Event.ClaimRead volume(Effect.ReadClaim asked) {
        return new Event.ClaimRead(asked.claim(), volumeOf(asked.claim()));
    }

    private ClaimedVolume volumeOf(NamespacedName claim) {
        try {
            Optional<ClaimDecoder.Claim> found = gets.get(
                    "/api/v1/namespaces/" + SingleObjectReader.segment(claim.namespace()) + "/persistentvolumeclaims/"
                            + SingleObjectReader.segment(claim.name()),
                    claims);
            if (found.isEmpty()) {
                return new ClaimedVolume.Unreadable("there is no such claim");
            }
            if (found.get().ofPod()) {
                return new ClaimedVolume.OfItsPod();
            }
            Optional<String> volume = found.get().volume();
            return volume.isPresent() ? volume(volume.get()) : new ClaimedVolume.Unreadable("it is bound to no volume");
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return new ClaimedVolume.Unreadable("the operator stops");
        } catch (RuntimeException e) {
            return new ClaimedVolume.Unreadable(ApiErrors.of("get", "persistentvolumeclaims and persistentvolumes", e));
        }
    }

    private ClaimedVolume volume(String name) throws InterruptedException {
        return gets.get("/api/v1/persistentvolumes/" + SingleObjectReader.segment(name), volumes)
                .<ClaimedVolume>map(nodes -> new ClaimedVolume.Bound(name, nodes))
                .orElseGet(() -> new ClaimedVolume.Unreadable("there is no volume " + name + ", which it is bound to"));
    }

    private Optional<Pod> pod(NamespacedName name) throws InterruptedException {
        return gets.get(
                "/api/v1/namespaces/" + SingleObjectReader.segment(name.namespace()) + "/pods/"
                        + SingleObjectReader.segment(name.name()),
                pods);
    }

    private Optional<Node> node(String name) throws InterruptedException {
        return gets.get("/api/v1/nodes/" + SingleObjectReader.segment(name), nodes);
    }

    /** {@return those of them that are there} */
    private List<Pod> partners(List<NamespacedName> names) throws InterruptedException {
        List<Pod> partners = new ArrayList<>();
        for (NamespacedName name : names) {
            pod(name).ifPresent(partners::add);
        }
        return partners;
    }

    private static Reason reason(RuntimeException failure) {
        if (!(failure instanceof ApiRefusal apiRefusal)) {
            return Reason.API_ERROR;
        }
        return switch (apiRefusal.getCode()) {
            case 403 -> ApiErrors.isOfServer(apiRefusal) ? Reason.FORBIDDEN : Reason.API_ERROR;
            case 429 -> Reason.THROTTLED;
            default -> Reason.API_ERROR;
        };
    }

    @Override
    public void close() {
        gets.close();
    }
}
