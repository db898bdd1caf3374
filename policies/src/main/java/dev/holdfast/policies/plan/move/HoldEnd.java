package dev.holdfast.policies.plan.move;

import dev.holdfast.policies.evaluate.Reason;
import java.util.Optional;

/**
 * What ends the holds of one reason at the latest. If a hold may last until a person acts, the message of its check or
 * the hold itself says what to do.
 */
public sealed interface HoldEnd {
    /** {@return the text that docs/reasons.md shows, as a part of a sentence} */
    String text();

    /**
     * The passing of time ends the hold, even if nothing changes.
     *
     * @param text names the time: {@code ten minutes after the pod was bound}
     */
    record AtTime(String text) implements HoldEnd {}

    /**
     * A change ends the hold without a person: one by Holdfast, by Kubernetes, or of pods that come and go.
     *
     * @param text names the change: {@code the moves in flight end}
     */
    record ByItself(String text) implements HoldEnd {}

    /**
     * The hold may last until a person acts.
     *
     * @param text what to do, as an order: {@code repair the node, or delete it}
     * @param advice where a reader of the hold learns that
     */
    record ByPerson(String text, Advice advice) implements HoldEnd {}

    /** Where the message of a hold says what a person must do. */
    enum Advice {
        /** The text is always behind the message of the check. */
        ADDED,
        /** The text is behind the message, unless the hold has an end time, which the message then names. */
        ADDED_WITHOUT_TIME,
        /** The text is in the message itself, for example as a command. */
        IN_MESSAGE
    }

    /** {@return what ends the holds of a reason; empty for a reason that only leaves verdicts undetermined} */
    static Optional<HoldEnd> of(Reason reason) {
        return switch (reason) {
            case NOT_BOUND, FINISHED, TERMINATING, NODE_MISSING, UNPARSABLE_RULE -> Optional.empty();
            case VIEW_NOT_SYNCED ->
                byItself("the operator has read all objects of the view; it tries again all the time");
            case VIEW_BEHIND ->
                byItself("the watch delivers that version, or the operator lists the objects again; it checks again"
                        + " after a minute at most");
            case VERDICTS_DIFFER ->
                byPerson("report the bug, and acknowledge it with the command in the message", Advice.IN_MESSAGE);
            case NOT_LEADER -> byItself("another replica acts, or this one gets the lease");
            case LEDGER_UNREAD ->
                byPerson("mend what the message names; the operator reads again after two seconds", Advice.IN_MESSAGE);
            case LEDGER_UNWRITTEN ->
                byPerson("let the operator write its ledger; it tries again every five seconds", Advice.ADDED);
            case PAUSED ->
                byPerson(
                        "wait for the end of the EnforcementPause, or delete it if its author agrees",
                        Advice.IN_MESSAGE);
            case MIRROR_POD ->
                byPerson("change the static pod's file on its node, or exclude the pod with podSelector", Advice.ADDED);
            case DAEMON_SET_POD ->
                byPerson("correct the rule of the DaemonSet, or exclude its pods with podSelector", Advice.ADDED);
            case PROTECTED_NAMESPACE ->
                byPerson(
                        "move the pod by hand, or remove the namespace from the operator's configuration",
                        Advice.ADDED);
            case SYSTEM_CRITICAL -> byPerson("move the pod by hand, or exclude it with podSelector", Advice.ADDED);
            case TOO_COMPLEX ->
                byPerson(
                        "move the pod by hand, exclude it with podSelector, or change the object that the message names"
                                + " so that Holdfast can read it",
                        Advice.ADDED);
            case NO_CONTROLLER ->
                byPerson(
                        "start a controller that replaces the pod, for example resume a suspended one, or create"
                                + " the pod elsewhere by hand",
                        Advice.ADDED);
            case UNKNOWN_CONTROLLER ->
                byPerson(
                        "set allow: [UnknownController] in the policy if that controller replaces evicted pods",
                        Advice.ADDED);
            case GANG_MEMBER -> byPerson("move the whole group with the means of its scheduler", Advice.ADDED);
            case RUNS_TO_COMPLETION ->
                byPerson(
                        "wait until the pod has finished, or set allow: [RunsToCompletion] in the policy",
                        Advice.ADDED);
            case RESOURCE_CLAIMS -> byPerson("move the pod by hand, or exclude it with podSelector", Advice.ADDED);
            case FOREIGN_SCHEDULER ->
                byPerson(
                        "let schedulerNames of the operator name the scheduler if it honors the same rules, or set"
                                + " allow: [ForeignScheduler] in the policy",
                        Advice.ADDED);
            case HAS_EVICTION_RESPONDER ->
                byPerson(
                        "move the pod with an EvictionRequest, or set allow: [HasEvictionResponder] in the policy",
                        Advice.ADDED);
            case MARKED_BY_OTHERS -> byPerson("remove the mark, or move the pod by hand", Advice.ADDED);
            case KEPT ->
                byPerson(
                        "remove the annotation, or set maxKeepSeconds in a ClusterPlacementPolicy",
                        Advice.ADDED_WITHOUT_TIME);
            case LOCAL_STORAGE ->
                byPerson("set allow: [LocalStorage] in the policy if the files of the pod may be lost", Advice.ADDED);
            case TOO_FEW_REPLICAS ->
                byPerson(
                        "run more replicas, repair those that are not Ready, or lower limits.minReplicas of the policy",
                        Advice.ADDED);
            case WORKLOAD_DEGRADED ->
                byPerson("repair or delete the pods of the workload that are not Ready", Advice.ADDED);
            case REVISION_PENDING -> byPerson("finish the roll-out, or undo it", Advice.ADDED);
            case QUOTA_EXCEEDED -> byPerson("raise the quota, or use less of it", Advice.ADDED);
            case REPLACEMENT_REFUSED ->
                byPerson("remove what makes the API server refuse new pods, or move the pod by hand", Advice.ADDED);
            case NODE_NOT_READY -> byPerson("repair the node, or delete it", Advice.ADDED);
            case UNTRUSTED_CAUSE ->
                byPerson(
                        "trust the namespaces of the other pods with trustedNamespaceSelector, name them in the rule,"
                                + " or move the other pods",
                        Advice.ADDED);
            case EXCEPTION -> byPerson("remove the exception from the policy", Advice.ADDED_WITHOUT_TIME);
            case WINDOW_CLOSED ->
                byPerson(
                        "edit the windows of the policy, or correct the clock if it is wrong",
                        Advice.ADDED_WITHOUT_TIME);
            case LABEL_BREAKER ->
                byPerson("undo the change, or acknowledge it with the command in the message", Advice.IN_MESSAGE);
            case VOLUME_BREAKER ->
                byPerson("undo the change, or acknowledge it with the command in the message", Advice.IN_MESSAGE);
            case OUTCOME_BREAKER ->
                byPerson("let the replacements start, or acknowledge it as the message says", Advice.IN_MESSAGE);
            case POLICY_BACKLOG ->
                byPerson(
                        "narrow the policy, or acknowledge the backlog with the command in the message",
                        Advice.IN_MESSAGE);
            case NOT_STARTED -> atTime("ten minutes after the pod was bound, or when its containers have started");
            case BEING_DISRUPTED -> byItself("the pod goes, or Kubernetes withdraws the condition after two minutes");
            case NODE_LEAVING ->
                byPerson(
                        "if the node is to stay, remove the taint, set the condition to False, or uncordon the node",
                        Advice.ADDED_WITHOUT_TIME);
            case DOMAIN_ADDED ->
                byPerson("set whenDomainAdded: Rebalance in the rule, or roll out the workload", Advice.IN_MESSAGE);
            case WORKLOAD_UNSETTLED ->
                byPerson("wait until no pod changes for that time; if one keeps failing, repair it", Advice.ADDED);
            case MOVE_IN_SCOPE -> byItself("the move in flight ends, or its replacement has had no node for 120 s");
            case PARTNERS_LEAVING -> atTime("five minutes after the last of these pods should have ended");
            case CLUSTER_UNHEALTHY ->
                byPerson("repair these nodes, or delete or cordon those that will not come back", Advice.IN_MESSAGE);
            case FUTILE -> atTime("5, 10, 20 or 40 minutes after the last such move");
            case ENFORCEMENT_FUTILE ->
                byPerson("edit the rule or the workload; some changes of nodes allow one more try", Advice.IN_MESSAGE);
            case RESTLESS ->
                atTime("20 minutes after the third move, and twice as long after each further one, a day at most");
            case CLUSTER_LIMIT -> byItself("a move in flight ends");
            case SLOW_START -> byItself("a move in flight ends");
            case HOURLY_LIMIT -> atTime("an hour after the first of these evictions");
            case NAMESPACE_LIMIT -> byItself("a move in flight ends");
            case NODE_LIMIT -> byItself("a move in flight ends");
            case WORKLOAD_LIMIT ->
                byPerson(
                        "wait until a move of the workload in flight has ended, or raise this limit",
                        Advice.ADDED_WITHOUT_TIME);
            case POLICY_LIMIT ->
                byPerson(
                        "wait until a move in flight has ended, or raise spec.limits of the policy",
                        Advice.ADDED_WITHOUT_TIME);
            case RESUMING -> atTime("when the next ten minutes begin");
            case QUEUED -> byItself("the operator has searched for nodes for the pods before it");
            case INFEASIBLE ->
                byPerson("make room on a node that fits: free, label, uncordon or add one", Advice.ADDED);
            case NOT_POSSIBLE -> byItself("a node satisfies the rule, which asks for nothing until then");
            case VOLUME_PINNED ->
                byPerson("make room on a node where the volume can be used, or move its data elsewhere", Advice.ADDED);
            case VOLUME_UNREADABLE ->
                byPerson("if this lasts, bind the claim, or let the operator read it", Advice.ADDED);
            case TRADES_VIOLATIONS ->
                byPerson("make room on other nodes, or roll out the workloads that belong together", Advice.ADDED);
            case CONTRADICTS ->
                byPerson(
                        "withdraw one of the rules that contradict each other, or narrow its podSelector",
                        Advice.ADDED);
            case DISRUPTION_BUDGET ->
                byPerson(
                        "wait until all pods of the budget are Ready, repair them, or loosen the budget", Advice.ADDED);
            case DISRUPTION_BUDGET_NEVER_ALLOWS -> byPerson("loosen the budget, or add replicas", Advice.IN_MESSAGE);
            case SEVERAL_BUDGETS -> byPerson("let one budget select the pod", Advice.ADDED);
            case REFUSED_BY_ADMISSION ->
                byPerson("ask the owner of the webhook or policy, or exclude the pod with podSelector", Advice.ADDED);
            case DRY_RUN_UNSUPPORTED ->
                byPerson("let the webhook declare sideEffects: None and support dry run", Advice.ADDED);
            case THROTTLED ->
                atTime("a minute after the last throttled request at the latest, unless the API server asks for more");
            case FORBIDDEN ->
                byPerson(
                        "install the chart with enforcement.enabled=true, or set the policy's mode to Audit",
                        Advice.ADDED);
            case NAMESPACE_TERMINATING -> byItself("the pod goes with its namespace");
            case CONFLICT ->
                atTime("ten seconds after each change of the pod's labels or spec; other changes count twice only");
            case API_ERROR -> byItself("the API server answers; the operator tries again after five minutes at most");
            case OUTCOME_UNKNOWN -> atTime("when the pod is seen to go, or has been seen to stay for four minutes");
        };
    }

    private static Optional<HoldEnd> atTime(String text) {
        return Optional.of(new AtTime(text));
    }

    private static Optional<HoldEnd> byItself(String text) {
        return Optional.of(new ByItself(text));
    }

    private static Optional<HoldEnd> byPerson(String text, Advice advice) {
        return Optional.of(new ByPerson(text, advice));
    }
}
