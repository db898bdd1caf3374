package dev.holdfast.it.scenario;

import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who made which pods of a namespace leave, as the API server's audit log tells it; or who should have. Two of them are
 * equal when the same pods left in the same way, in whatever order.
 *
 * <p>That a node removes a pod which somebody evicted or deleted before is part of that, and not told again.
 *
 * @param evictions by the names of their pods; a pod that was evicted twice is there twice
 * @param deletions without evictions; by the names of their pods, and each once however often it was asked for
 */
public record Departures(List<Eviction> evictions, List<Deletion> deletions) {

    /** Nobody left. */
    public static final Departures NONE = new Departures(List.of(), List.of());

    /** What no one can foresee of an eviction's annotations; that it is there is told, and not what it is. */
    private static final Set<String> UNFORESEEN = Set.of("holdfast.dev/plan", "holdfast.dev/since");

    private static final String SOME = "(some)";

    /**
     * An eviction that took effect.
     *
     * @param uid which the request insisted on; empty if it did not
     * @param user in whose name it was asked for
     * @param annotations of the request
     */
    public record Eviction(String pod, String uid, String user, Map<String, String> annotations) {
        public Eviction {
            Map<String, String> told = new TreeMap<>(annotations);
            told.replaceAll((key, value) -> UNFORESEEN.contains(key) && !value.isEmpty() ? SOME : value);
            annotations = Map.copyOf(told);
        }
    }

    /**
     * A deletion that took effect.
     *
     * @param pod empty for the deletion of all at once
     * @param user in whose name it was asked for
     */
    public record Deletion(String pod, String user) {}

    public Departures {
        evictions = evictions.stream()
                .sorted(Comparator.comparing(Eviction::pod).thenComparing(Eviction::uid))
                .toList();
        deletions = deletions.stream()
                .distinct()
                .sorted(Comparator.comparing(Deletion::pod).thenComparing(Deletion::user))
                .toList();
    }

    /** {@return who left a namespace up to now} */
    public static Departures in(AuditTrail trail, String namespace) {
        return of(trail.evictions(namespace), trail.podDeletions(namespace));
    }

    static Departures of(List<AuditRecord> evictions, List<AuditRecord> deletions) {
        Set<String> sentAway = Stream.concat(evictions.stream(), deletions.stream())
                .filter(record -> !record.user().equals(ControlPlane.NODE_USER))
                .map(AuditRecord::name)
                .collect(Collectors.toCollection(TreeSet::new));
        return new Departures(
                evictions.stream()
                        .map(it -> new Eviction(it.name(), it.uid(), it.user(), it.annotations()))
                        .toList(),
                deletions.stream()
                        .filter(it -> !(it.user().equals(ControlPlane.NODE_USER) && sentAway.contains(it.name())))
                        .map(it -> new Deletion(it.name(), it.user()))
                        .toList());
    }

    /**
     * {@return evictions of these pods, as Holdfast asks for them}
     *
     * @param user who it is to the API server
     * @param policy as {@code namespace/name}
     * @param cause as the annotation should tell it
     */
    public static Departures evicted(Collection<Pod> pods, String user, String policy, String rule, String cause) {
        Map<String, String> annotations = Map.of(
                "holdfast.dev/plan", SOME,
                "holdfast.dev/policy", policy,
                "holdfast.dev/rule", rule,
                "holdfast.dev/cause", cause,
                "holdfast.dev/since", SOME);
        return new Departures(
                pods.stream()
                        .map(pod -> pod.getMetadata())
                        .map(pod -> new Eviction(pod.getName(), pod.getUid(), user, annotations))
                        .toList(),
                List.of());
    }

    /** {@return deletions of these pods by the controller that keeps the number of a Deployment's pods} */
    public static Departures scaledDown(Collection<Pod> pods) {
        return new Departures(
                List.of(),
                pods.stream()
                        .map(pod -> new Deletion(
                                pod.getMetadata().getName(), "system:serviceaccount:kube-system:replicaset-controller"))
                        .toList());
    }

    /** {@return these and the others} */
    public Departures and(Departures others) {
        return new Departures(
                Stream.concat(evictions.stream(), others.evictions.stream()).toList(),
                Stream.concat(deletions.stream(), others.deletions.stream()).toList());
    }
}
