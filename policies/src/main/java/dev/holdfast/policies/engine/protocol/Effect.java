package dev.holdfast.policies.engine.protocol;

import dev.holdfast.policies.engine.protocol.ledger.ClockWrite;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.index.change.LeftOutRule;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.plan.move.EvictionRequest;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** An action that the engine requests from the operator. */
public sealed interface Effect {
    /**
     * Read a pod, its node and further pods from the API server, not from a cache, and answer with {@link
     * Event.Confirmed} or {@link Event.ConfirmFailed}.
     *
     * @param pod the victim
     * @param node the victim's node
     * @param partners the rule owner if it is not the victim, and at most five partners that break the rule owner's
     *     anti-affinity rule
     * @param current the views with objects that break the rule and cannot all be read by name. Before the reads, each
     *     must have delivered every change that the API server knows; {@link Event.ConfirmFailed} if one has not
     * @param counted the pods to list besides, because the rule counts them; absent if the rule counts none
     */
    record Confirm(
            String planId,
            NamespacedName pod,
            String node,
            List<NamespacedName> partners,
            Set<View> current,
            Optional<Counted> counted)
            implements Effect {
        public Confirm {
            partners = List.copyOf(partners);
            current = Set.copyOf(current);
        }

        /** Creates a request for a rule that is decided by the objects to read. */
        public Confirm(String planId, NamespacedName pod, String node, List<NamespacedName> partners) {
            this(planId, pod, node, partners, Set.of(), Optional.empty());
        }
    }

    /**
     * Pods that a rule counts. At most {@link #MOST} of these pods are read.
     *
     * @param namespace absent if the pods of several namespaces count
     * @param selector not <code>{}</code>
     */
    record Counted(Optional<String> namespace, LabelSelector selector) {
        /**
         * The largest number of counted pods that are read before one eviction. The pods take some megabytes from the
         * API server. If more pods count, only this many are compared.
         */
        public static final int MOST = 500;
    }

    /** Read a PersistentVolumeClaim and its volume, and answer with {@link Event.ClaimRead}, even if the read fails. */
    record ReadClaim(NamespacedName claim) implements Effect {}

    /** Request the eviction as a dry run, and answer with {@link Event.DryRunAnswered}. */
    record DryRun(EvictionRequest request) implements Effect {}

    /** Request the eviction, and answer with {@link Event.Answered}. */
    record Evict(EvictionRequest request) implements Effect {}

    /** Read the ledger, and answer with {@link Event.LedgerRead}, even if the read fails. */
    record ReadLedger(long number) implements Effect {}

    /**
     * Write the ledger as it was at an instant, and answer with {@link Event.LedgerWritten} or {@link
     * Event.LedgerNotWritten}.
     */
    record WriteLedger(Ledger ledger, long revision, Instant at) implements Effect {}

    /** Write clocks into the ledger, and answer with {@link Event.ClocksWritten}, even if the write fails. */
    record WriteClocks(ClockWrite write) implements Effect {}

    /** Send {@link Event.TimePassed} at this instant, unless another event arrives earlier. */
    record WakeAt(Instant instant) implements Effect {}

    /** Report an occurrence by events, a log line and metrics. */
    record Notify(Notification notification) implements Effect {}

    /** Publish the status of a policy. */
    record Publish(PolicyReport report) implements Effect {}

    /** Report that a breaker opened or closed, that a backlog began or ended, or that an acknowledged id is unknown. */
    record Braked(BrakeReport report) implements Effect {}

    /**
     * Report that rules of a pod are not evaluated, when this is detected for the first time.
     *
     * @param message the text of the event and of the log line
     */
    record FoundTooComplex(NamespacedName pod, String uid, String message) implements Effect {
        private static final int KIB = 1_024;

        /**
         * Creates the report that a pod is too complex to be read in full.
         *
         * @param why what the pod has too much of
         */
        public static FoundTooComplex whole(Pod pod, String why) {
            return new FoundTooComplex(
                    pod.name(),
                    pod.uid(),
                    "Holdfast evaluates none of this pod's own rules and never evicts it: " + why);
        }

        /** Creates the report that a rule of a pod is left out. */
        public static FoundTooComplex rule(LeftOutRule leftOut) {
            String namespace = leftOut.pod().namespace();
            return new FoundTooComplex(
                    leftOut.pod().name(),
                    leftOut.pod().uid(),
                    "Holdfast does not evaluate rule "
                            + QuotedText.of(leftOut.applied().rule().describe())
                            + " of pods in namespace " + namespace
                            + ": its counts of pods by domain took "
                            + leftOut.bytes() / KIB
                            + " KiB of memory, and the rules of the namespace took too much."
                            + " Narrow its labelSelector or namespaceSelector");
        }
    }

    /**
     * Report that the rules in a pod's invalid annotation are ignored, when this is detected for the first time.
     *
     * @param message the text of the event and of the log line
     */
    record FoundInvalidRules(NamespacedName pod, String uid, String message) implements Effect {
        /** Creates the report of a problem, whose text says what is wrong where, and what is allowed. */
        public static FoundInvalidRules of(Pod pod, String problem) {
            return new FoundInvalidRules(
                    pod.name(),
                    pod.uid(),
                    "Holdfast ignores the whole annotation " + AnnotationRules.ANNOTATION + ": " + problem);
        }
    }

    /**
     * Report that verdicts of the incremental index were compared with those of the reference evaluators.
     *
     * @param verdicts the number of compared verdicts
     * @param difference the first difference found since a user last acknowledged one; absent if none was found. A
     *     difference is a bug, and stops all evictions
     */
    record Compared(int verdicts, Optional<String> difference) implements Effect {}
}
