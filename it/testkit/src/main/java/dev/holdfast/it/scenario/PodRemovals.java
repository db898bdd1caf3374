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
 * The evictions and deletions of pods in a namespace, as the API server's audit log shows them or as a test expects
 * them. Two values are equal if they have the same evictions and deletions, in any order.
 *
 * <p>After an eviction or deletion, a kubelet removes the pod with deletions of its own. Such deletions are not listed.
 *
 * @param evictions sorted by the names of their pods; a pod that was evicted twice is listed twice
 * @param deletions sorted by the names of their pods; repeated deletions of a pod by one user are listed once
 */
public record PodRemovals(List<Eviction> evictions, List<Deletion> deletions) {

    /** The value without evictions and deletions. */
    public static final PodRemovals NONE = new PodRemovals(List.of(), List.of());

    /**
     * The annotations of an eviction whose value a test cannot know. Only the presence of these annotations is
     * compared.
     */
    private static final Set<String> UNFORESEEN = Set.of("holdfast.dev/plan", "holdfast.dev/since");

    private static final String SOME = "(some)";

    /**
     * An eviction that took effect.
     *
     * @param uid {@code preconditions.uid} of the request; empty if it had none
     * @param user who requested it
     * @param annotations the annotations of the Eviction object
     */
    public record Eviction(String pod, String uid, String user, Map<String, String> annotations) {
        public Eviction {
            Map<String, String> masked = new TreeMap<>(annotations);
            masked.replaceAll((key, value) -> UNFORESEEN.contains(key) && !value.isEmpty() ? SOME : value);
            annotations = Map.copyOf(masked);
        }
    }

    /**
     * A deletion that took effect.
     *
     * @param pod empty for a deletion of all pods at once
     * @param user who requested it
     */
    public record Deletion(String pod, String user) {}

    public PodRemovals {
        evictions = evictions.stream()
                .sorted(Comparator.comparing(Eviction::pod).thenComparing(Eviction::uid))
                .toList();
        deletions = deletions.stream()
                .distinct()
                .sorted(Comparator.comparing(Deletion::pod).thenComparing(Deletion::user))
                .toList();
    }

    /** {@return the evictions and deletions that took effect in a namespace up to now} */
    public static PodRemovals in(AuditTrail trail, String namespace) {
        return of(trail.evictions(namespace), trail.podDeletions(namespace));
    }

    static PodRemovals of(List<AuditRecord> evictions, List<AuditRecord> deletions) {
        Set<String> sentAway = Stream.concat(evictions.stream(), deletions.stream())
                .filter(record -> !record.user().equals(ControlPlane.NODE_USER))
                .map(AuditRecord::name)
                .collect(Collectors.toCollection(TreeSet::new));
        return new PodRemovals(
                evictions.stream()
                        .map(it -> new Eviction(it.name(), it.uid(), it.user(), it.annotations()))
                        .toList(),
                deletions.stream()
                        .filter(it -> !(it.user().equals(ControlPlane.NODE_USER) && sentAway.contains(it.name())))
                        .map(it -> new Deletion(it.name(), it.user()))
                        .toList());
    }

    /**
     * {@return evictions of these pods, as Holdfast requests them}
     *
     * @param user Holdfast's user name at the API server
     * @param policy the policy in the annotation, as {@code namespace/name}
     * @param cause the cause in the annotation
     */
    public static PodRemovals evicted(Collection<Pod> pods, String user, String policy, String rule, String cause) {
        Map<String, String> annotations = Map.of(
                "holdfast.dev/plan", SOME,
                "holdfast.dev/policy", policy,
                "holdfast.dev/rule", rule,
                "holdfast.dev/cause", cause,
                "holdfast.dev/since", SOME);
        return new PodRemovals(
                pods.stream()
                        .map(pod -> pod.getMetadata())
                        .map(pod -> new Eviction(pod.getName(), pod.getUid(), user, annotations))
                        .toList(),
                List.of());
    }

    /** {@return deletions of these pods by the ReplicaSet controller, as after scaling a Deployment down} */
    public static PodRemovals scaledDown(Collection<Pod> pods) {
        return deleted(pods, "replicaset-controller");
    }

    /** {@return deletions of these pods by the StatefulSet controller, as in a roll-out} */
    public static PodRemovals rolledOut(Collection<Pod> pods) {
        return deleted(pods, "statefulset-controller");
    }

    private static PodRemovals deleted(Collection<Pod> pods, String controller) {
        return new PodRemovals(
                List.of(),
                pods.stream()
                        .map(pod -> new Deletion(
                                pod.getMetadata().getName(), "system:serviceaccount:kube-system:" + controller))
                        .toList());
    }

    /** {@return a value with the evictions and deletions of both values} */
    public PodRemovals and(PodRemovals others) {
        return new PodRemovals(
                Stream.concat(evictions.stream(), others.evictions.stream()).toList(),
                Stream.concat(deletions.stream(), others.deletions.stream()).toList());
    }
}
