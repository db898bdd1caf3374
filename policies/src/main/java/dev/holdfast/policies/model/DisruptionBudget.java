package dev.holdfast.policies.model;

import java.util.Optional;

/**
 * A PodDisruptionBudget with the latest status from the disruption controller.
 *
 * @param selector selects the pods of the budget; absent selects no pod, <code>{}</code> selects all pods of the
 *     budget's namespace
 * @param disruptionsAllowed how many evictions the budget allows now; 0 until the controller has set its status
 * @param neverAllows whether the budget would allow no eviction even if all its pods were healthy; false until the
 *     controller has set its status. Examples: {@code maxUnavailable: 0}, or {@code minAvailable: 3} with three pods
 * @param spec the fields from which the disruption controller computes the status; only simulations read them
 */
public record DisruptionBudget(
        String uid,
        NamespacedName name,
        Optional<LabelSelector> selector,
        int disruptionsAllowed,
        boolean neverAllows,
        Spec spec) {
    /**
     * The fields of the spec from which the disruption controller computes the status.
     *
     * @param evictsUnhealthy whether pods that are not Ready may be evicted in any case:
     *     {@code unhealthyPodEvictionPolicy: AlwaysAllow}
     * @param observed whether the status is of this spec
     */
    public record Spec(Limit limit, boolean evictsUnhealthy, boolean observed) {
        /** A spec that is not known, so that only the status counts. */
        public static final Spec UNKNOWN = new Spec(new Limit.None(), false, true);
    }

    /** How many pods of a budget must stay healthy, as its spec says. */
    public sealed interface Limit {
        /** No limit, or one that cannot be read. */
        record None() implements Limit {}

        record MinAvailable(int pods) implements Limit {}

        record MinAvailablePercent(int percent) implements Limit {}

        record MaxUnavailable(int pods) implements Limit {}

        record MaxUnavailablePercent(int percent) implements Limit {}
    }

    /** {@return the message for a budget that would allow no eviction even if all its pods were healthy} */
    public String describeNever() {
        return "disruption budget " + name.name()
                + " would allow no eviction even if all its pods were healthy; loosen it or add replicas";
    }

    /** {@return the budget with another status, which is of its spec} */
    public DisruptionBudget withStatus(int allowed, boolean never) {
        return new DisruptionBudget(
                uid, name, selector, allowed, never, new Spec(spec.limit(), spec.evictsUnhealthy(), true));
    }

    /** Creates a budget whose spec is not known. */
    public DisruptionBudget(
            String uid,
            NamespacedName name,
            Optional<LabelSelector> selector,
            int disruptionsAllowed,
            boolean neverAllows) {
        this(uid, name, selector, disruptionsAllowed, neverAllows, Spec.UNKNOWN);
    }

    /**
     * Creates a budget whose {@code neverAllows} is false. {@code disruptionsAllowed} may be 0 nevertheless, for
     * example while one of its pods is not healthy.
     */
    public DisruptionBudget(String uid, NamespacedName name, Optional<LabelSelector> selector, int disruptionsAllowed) {
        this(uid, name, selector, disruptionsAllowed, false, Spec.UNKNOWN);
    }
}
