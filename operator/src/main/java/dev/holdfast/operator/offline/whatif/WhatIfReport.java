package dev.holdfast.operator.offline.whatif;

import com.fasterxml.jackson.annotation.JsonIgnore;
import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.loss.WorkloadLoss;
import dev.holdfast.operator.offline.print.RuleReference;
import dev.holdfast.operator.offline.rollout.RollOut;
import dev.holdfast.operator.offline.stranded.StrandedWorkload;
import java.util.List;

/**
 * The consequences of a change, as {@code holdfast what-if -o json} writes it. Published as {@code
 * docs/schemas/what-if-report.json}: no field changes its meaning. All times are in whole seconds after the change.
 *
 * @param seconds how long was simulated
 * @param endedBy why no more was simulated
 * @param begins the violations that begin and would not without the change, in the order of time
 * @param ends the violations that end without an eviction of the operator, and would not without the change
 * @param evictions of the operator, in the order of time
 * @param prevented the evictions that happen without the change and not with it
 * @param audited the pods that policies in Audit would let go first if they enforced; later ones depend on these
 * @param displaced the pods that the change itself removes: drained, deleted, scaled down, or on a node that ends or
 *     fails; without those of DaemonSets and static pods that go with their node
 * @param created the pods that the change itself creates, without those that take the places of others
 * @param stuck the pods that controllers have not created at the end, that have no node, are still on a drained node,
 *     or are lost on a node that has failed; those that are so without the change too are left out
 * @param rollOuts the roll-outs that the change begins, and how they stand at the end
 * @param pending the pods that had no node before the change, and what the change does for them
 * @param losses the workloads of which fewer pods are Ready than before and than without the change, for a time or at
 *     the end, the worst first; without DaemonSets and static pods
 * @param stranded the workloads of which injected rules would leave pods without a node if they were rolled out right
 *     after the change, and of which they would leave fewer without it
 * @param held the violations that are due at the end of the simulation, and held; ordered by namespace and pod
 * @param brakes the breakers and backlogs that open or close
 * @param policiesWithoutPods the policies that select no pod at any time, by name: probably a mistake in them
 * @param unreadable the kinds of a live cluster that could not be listed, so that no plan knows their objects; empty
 *     for files
 * @param warnings what may be wrong with the input, and what the simulation leaves out, as sentences
 */
public record WhatIfReport(
        String apiVersion,
        String kind,
        long seconds,
        SimulationEnd endedBy,
        Summary summary,
        List<Violation> begins,
        List<Violation> ends,
        List<Eviction> evictions,
        List<Eviction> prevented,
        List<Audited> audited,
        List<Displaced> displaced,
        List<Created> created,
        List<Stuck> stuck,
        List<RollOut> rollOuts,
        Pending pending,
        List<WorkloadLoss> losses,
        List<StrandedWorkload> stranded,
        List<Held> held,
        List<Brake> brakes,
        List<String> policiesWithoutPods,
        List<UnreadableKind> unreadable,
        List<String> warnings) {
    static final String API_VERSION = "cli.holdfast.dev/v1";

    /** The kind of the document. */
    public static final String KIND = "WhatIfReport";

    public WhatIfReport {
        begins = List.copyOf(begins);
        ends = List.copyOf(ends);
        evictions = List.copyOf(evictions);
        prevented = List.copyOf(prevented);
        audited = List.copyOf(audited);
        displaced = List.copyOf(displaced);
        created = List.copyOf(created);
        stuck = List.copyOf(stuck);
        rollOuts = List.copyOf(rollOuts);
        losses = List.copyOf(losses);
        stranded = List.copyOf(stranded);
        held = List.copyOf(held);
        brakes = List.copyOf(brakes);
        policiesWithoutPods = List.copyOf(policiesWithoutPods);
        unreadable = List.copyOf(unreadable);
        warnings = List.copyOf(warnings);
    }

    /** {@return whether pods are stuck because of the change, or would be after a roll-out} */
    public boolean strands() {
        return summary.stuck() > 0
                || summary.stranded() > 0
                || rollOuts.stream().anyMatch(RollOut::hangs);
    }

    /** {@return whether the operator evicts a pod that it would not evict without the change} */
    public boolean evicts() {
        return evictions.stream().anyMatch(eviction -> !eviction.withoutChangeToo());
    }

    /** {@return the same report with the kinds that could not be listed, and with warnings} */
    public WhatIfReport with(List<UnreadableKind> kinds, List<String> sentences) {
        return new WhatIfReport(
                apiVersion,
                kind,
                seconds,
                endedBy,
                summary,
                begins,
                ends,
                evictions,
                prevented,
                audited,
                displaced,
                created,
                stuck,
                rollOuts,
                pending,
                losses,
                stranded,
                held,
                brakes,
                policiesWithoutPods,
                kinds,
                sentences);
    }

    /** {@return the same report without the evictions and holds that are there without the change too} */
    WhatIfReport onlyChange() {
        return new WhatIfReport(
                apiVersion,
                kind,
                seconds,
                endedBy,
                summary,
                begins,
                ends,
                evictions.stream().filter(it -> !it.withoutChangeToo()).toList(),
                prevented,
                audited.stream().filter(it -> !it.withoutChangeToo()).toList(),
                displaced,
                created,
                stuck,
                rollOuts,
                Pending.of(pending.pods().stream()
                        .filter(it -> !it.withoutChangeToo())
                        .toList()),
                losses,
                stranded,
                held.stream().filter(it -> !it.withoutChangeToo()).toList(),
                brakes,
                policiesWithoutPods,
                unreadable,
                warnings);
    }

    /**
     * {@return the same report without what it says of policies: there is none, only the rules of the pods themselves}
     */
    public WhatIfReport withoutPolicies() {
        Summary without = new Summary(
                summary.begins(),
                summary.ends(),
                summary.evictions(),
                summary.prevented(),
                0,
                summary.displaced(),
                summary.created(),
                summary.stuck(),
                summary.stranded(),
                summary.violatedAtEnd(),
                summary.held());
        return new WhatIfReport(
                apiVersion,
                kind,
                seconds,
                endedBy,
                without,
                begins.stream().map(Violation::unasked).toList(),
                ends.stream().map(Violation::unasked).toList(),
                evictions,
                prevented,
                List.of(),
                displaced,
                created,
                stuck,
                rollOuts,
                pending,
                losses,
                stranded,
                held,
                brakes,
                List.of(),
                unreadable,
                warnings);
    }

    /**
     * The numbers of entries.
     *
     * @param violatedAtEnd how many violations there are at the end, held or not, with those that the change did not
     *     begin
     */
    public record Summary(
            int begins,
            int ends,
            int evictions,
            int prevented,
            int audited,
            int displaced,
            int created,
            int stuck,
            int stranded,
            int violatedAtEnd,
            int held) {}

    /**
     * A violation that begins or ends.
     *
     * @param state what policies ask for about the violation
     */
    public record Violation(
            long seconds,
            String namespace,
            String pod,
            String uid,
            String node,
            RuleReference rule,
            String breach,
            ViolationState state) {
        /** {@return the same violation of a rule that no policy asks for} */
        Violation unasked() {
            return new Violation(seconds, namespace, pod, uid, node, rule, breach, ViolationState.UNASKED);
        }
    }

    /**
     * An eviction.
     *
     * @param fromNode the node of the pod
     * @param toNode the node of its replacement; empty if none takes it
     * @param policy the policy that the pod is moved for
     * @param outcome how the move ended, as in docs/reasons.md; empty if the move has not ended
     * @param withoutChangeToo whether the pod would be evicted without the change too, if perhaps at another time
     */
    public record Eviction(
            long seconds,
            String namespace,
            String pod,
            String uid,
            String fromNode,
            String toNode,
            String policy,
            RuleReference rule,
            String outcome,
            boolean withoutChangeToo) {}

    /**
     * An eviction that a policy in Audit would ask for if it enforced.
     *
     * @param node the node of the pod
     * @param toNode a node that would take the replacement; empty if there is none
     */
    public record Audited(
            long seconds,
            String namespace,
            String pod,
            String uid,
            String node,
            String toNode,
            String policy,
            RuleReference rule,
            boolean withoutChangeToo) {}

    /**
     * A pod that the change creates.
     *
     * @param node the pod's node at the end; empty if the pod has none
     */
    public record Created(
            long seconds,
            String namespace,
            String pod,
            String node,
            @JsonIgnore String workload) {}

    /**
     * A pod that the change removes.
     *
     * @param replacement the pod that its controller creates; empty if it creates none, or if {@code stuck} lists it
     * @param toNode the node of that pod at the end; empty if it has none
     */
    public record Displaced(
            long seconds,
            String namespace,
            String pod,
            String fromNode,
            String replacement,
            String toNode,
            @JsonIgnore String workload) {}

    /**
     * A pod that does not get where it should.
     *
     * @param pod its name; of a pod that its controller does not create, the name that it would have
     * @param node the node that is drained or has failed; empty for a pod without a node
     * @param why why it is not evicted, its controller does not create it, or no node takes it
     */
    public record Stuck(
            String namespace,
            String pod,
            String node,
            String why,
            @JsonIgnore String workload) {
        /** {@return what tells the pod apart, whatever its reason is} */
        List<String> place() {
            return List.of(namespace, pod, node);
        }
    }

    /**
     * The pods that had no node before the change.
     *
     * @param bound how many have a node at the end
     * @param gone how many are not there at the end
     * @param waiting how many still wait
     * @param pods all of them, by namespace and name
     */
    public record Pending(int bound, int gone, int waiting, List<PendingPod> pods) {
        public Pending {
            pods = List.copyOf(pods);
        }

        static Pending of(List<PendingPod> pods) {
            int bound = (int) pods.stream().filter(PendingPod::isBound).count();
            int gone = (int) pods.stream().filter(PendingPod::isGone).count();
            return new Pending(bound, gone, pods.size() - bound - gone, pods);
        }

        /** {@return the numbers as a part of a sentence: {@code 1 would run, and 2 would still wait}} */
        String describe() {
            return bound + " would run" + (gone == 0 ? "" : ", " + gone + " would be gone") + ", and " + waiting
                    + " would still wait";
        }
    }

    /**
     * A pod that had no node before the change.
     *
     * @param node its node at the end; empty if it has none
     * @param state Bound or Gone, or why it still waits: the label of a {@code Waiting.State}, such as NoNode
     * @param why why it still waits; empty if it does not
     * @param withoutChangeToo whether the same becomes of the pod without the change, if perhaps on another node
     */
    public record PendingPod(
            String namespace, String pod, String uid, String node, String state, String why, boolean withoutChangeToo) {
        static final String BOUND = "Bound";
        static final String GONE = "Gone";

        private boolean isBound() {
            return state.equals(BOUND);
        }

        private boolean isGone() {
            return state.equals(GONE);
        }

        private boolean isWaiting() {
            return !isBound() && !isGone();
        }

        /** {@return the same pod, of which it is known what becomes of it without the change} */
        PendingPod comparedTo(PendingPod without) {
            boolean same = isWaiting() && without.isWaiting();
            return new PendingPod(namespace, pod, uid, node, state, why, same || state.equals(without.state));
        }
    }

    /**
     * A violation that is due and held.
     *
     * @param reason a name, as in docs/reasons.md
     * @param withoutChangeToo whether the violation is held at the end without the change too
     */
    public record Held(
            String namespace,
            String pod,
            String uid,
            String node,
            String policy,
            RuleReference rule,
            String reason,
            String message,
            boolean withoutChangeToo) {}

    /** A breaker or backlog that opens or closes. */
    public record Brake(long seconds, String message) {}
}
