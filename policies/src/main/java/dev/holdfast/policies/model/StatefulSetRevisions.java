package dev.holdfast.policies.model;

import java.util.OptionalInt;

/**
 * The revisions from which a StatefulSet makes replacements of its pods. Source: {@code newVersionedStatefulSetPod} in
 * kubernetes/pkg/controller/statefulset.
 *
 * <p>Example: with {@code partition: 2}, pods 0 and 1 are made from the current revision, and pods 2, 3 and so on from
 * the update revision. Without a roll-out both revisions are the same.
 *
 * @param observed whether the status describes the present spec; if not, the revisions may be outdated
 * @param onDelete whether the update strategy is OnDelete, so that every new pod is of the update revision
 * @param partition the ordinal, counted from the first pod, from which on pods are updated; 0 updates all
 * @param firstOrdinal the ordinal of the first pod
 * @param current the revision of pods before the partition; empty if the status does not have it
 * @param update the revision of the present pod template; empty if the status does not have it
 */
public record StatefulSetRevisions(
        boolean observed, boolean onDelete, int partition, int firstOrdinal, String current, String update) {
    /** The label of a pod with the revision that the pod was made from. */
    public static final String LABEL = "controller-revision-hash";

    /**
     * An ordinal has at most this many digits; a longer number is no ordinal, and would need much memory as an index.
     */
    private static final int MOST_DIGITS = 6;

    /** {@return the ordinal of a pod of a StatefulSet, as in {@code web-2}; empty for all other pods} */
    public static OptionalInt ordinal(Pod pod) {
        String name = pod.name().name();
        String end = name.substring(name.lastIndexOf('-') + 1);
        boolean isOrdinal = pod.victimProtection().controller().stream()
                        .anyMatch(it -> it.kind().equals("StatefulSet"))
                && end.length() <= MOST_DIGITS
                && !end.isEmpty()
                && end.chars().allMatch(digit -> digit >= '0' && digit <= '9');
        return isOrdinal ? OptionalInt.of(Integer.parseInt(end)) : OptionalInt.empty();
    }

    /**
     * {@return the revision that a new pod with this ordinal would be made from; empty if the status does not have it}
     */
    public String ofNewPod(int ordinal) {
        return !onDelete && ordinal < (long) firstOrdinal + partition ? current : update;
    }

    /** {@return the same revisions with another current one} */
    public StatefulSetRevisions withCurrent(String revision) {
        return new StatefulSetRevisions(observed, onDelete, partition, firstOrdinal, revision, update);
    }
}
