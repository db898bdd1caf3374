package dev.holdfast.policies.evaluate;

/**
 * Why a verdict is undetermined or a due violation is held. The labels are API: status, events, metrics and logs show
 * them, and docs/reasons.md describes each.
 */
public enum Reason {
    /** The pod waits for a node. */
    NOT_BOUND("NotBound"),
    /** The pod has succeeded or failed. */
    FINISHED("Finished"),
    /** The pod is being deleted. */
    TERMINATING("Terminating"),
    /** The pod is bound to a node that does not exist. */
    NODE_MISSING("NodeMissing"),
    /** A selector of the rule is invalid. */
    UNPARSABLE_RULE("UnparsableRule"),

    /** The cache of a resource is not synced, or its watch is lost. */
    VIEW_NOT_SYNCED("ViewNotSynced"),
    /** The API server has a newer version of an object than the watch has delivered. */
    VIEW_BEHIND("ViewBehind"),
    /** The index and the evaluator gave different verdicts, so that no verdict is trusted. */
    VERDICTS_DIFFER("VerdictsDiffer"),
    /** Another replica has the lease. */
    NOT_LEADER("NotLeader"),
    /** An EnforcementPause forbids moves of this pod now. */
    PAUSED("Paused"),

    /** The pod is the mirror pod of a static pod. */
    MIRROR_POD("MirrorPod"),
    /** The pod belongs to a DaemonSet. */
    DAEMON_SET_POD("DaemonSetPod"),
    /** The pod's namespace is protected. */
    PROTECTED_NAMESPACE("ProtectedNamespace"),
    /** The pod has a system-critical priority. */
    SYSTEM_CRITICAL("SystemCritical"),
    /** No controller would replace the pod. */
    NO_CONTROLLER("NoController"),
    /** The pod belongs to a gang, a group of pods that must stay complete. */
    GANG_MEMBER("GangMember"),
    /** The pod runs to completion, and its owner would count the eviction as a failure. */
    RUNS_TO_COMPLETION("RunsToCompletion"),
    /** An annotation forbids other tools, such as an autoscaler, to evict the pod. */
    MARKED_BY_OTHERS("MarkedByOthers"),
    /** A Holdfast annotation of the pod, its workload or its namespace forbids its eviction. */
    KEPT("Kept"),
    /** The pod has local storage that the eviction would delete. */
    LOCAL_STORAGE("LocalStorage"),
    /** Too few other pods of the workload would stay ready. */
    TOO_FEW_REPLICAS("TooFewReplicas"),
    /** Only pods of namespaces that the rule owner does not trust break the rule. */
    UNTRUSTED_CAUSE("UntrustedCause"),

    /** An exception of the policy applies to the pod. */
    EXCEPTION("Exception"),
    /** A window of the policy denies evictions now, or no window allows them. */
    WINDOW_CLOSED("WindowClosed"),

    /** Many nodes recently lost a label that the rule depends on. */
    LABEL_BREAKER("LabelBreaker"),
    /** Many pods recently started to violate a rule at the same time. */
    VOLUME_BREAKER("VolumeBreaker"),
    /** An edit of the policy would move many pods, and no user has acknowledged it yet. */
    POLICY_BACKLOG("PolicyBacklog"),

    /** The pod was bound recently, and its containers have not all started. */
    NOT_STARTED("NotStarted"),
    /** Another component is about to remove the pod. */
    BEING_DISRUPTED("BeingDisrupted"),
    /** The pod's node is being drained or removed, and another component moves its pods. */
    NODE_LEAVING("NodeLeaving"),
    /** The spread rule is violated only because of a domain that appeared or became usable after the pod was bound. */
    DOMAIN_ADDED("DomainAdded"),
    /** Another pod of the workload was recently created or removed, or became unready. */
    WORKLOAD_UNSETTLED("WorkloadUnsettled"),
    /** Another move is in flight in the same scope. */
    MOVE_IN_SCOPE("MoveInScope"),
    /** Every conflicting pod is already leaving. */
    PARTNERS_LEAVING("PartnersLeaving"),
    /** Many nodes of the cluster, or of a domain that the rule reads, are not Ready or have disappeared. */
    CLUSTER_UNHEALTHY("ClusterUnhealthy"),
    /** Moves of this workload for this rule were futile; each one delays the next longer than the one before. */
    FUTILE("Futile"),
    /** Five moves in a row of this workload for this rule were futile; Holdfast does not try again. */
    ENFORCEMENT_FUTILE("EnforcementFutile"),
    /** As many evictions are in flight in the cluster as the limit allows. */
    CLUSTER_LIMIT("ClusterLimit"),
    /** As many evictions were made within an hour as the limit allows. */
    HOURLY_LIMIT("HourlyLimit"),
    /** As many evictions are in flight in the namespace as the limit allows. */
    NAMESPACE_LIMIT("NamespaceLimit"),
    /** As many evictions are in flight from the node as the limit allows. */
    NODE_LIMIT("NodeLimit"),
    /** As many evictions of the workload are in flight as the limit allows. */
    WORKLOAD_LIMIT("WorkloadLimit"),
    /** As many evictions are in flight for the policy, or were made within an hour, as its limits allow. */
    POLICY_LIMIT("PolicyLimit"),
    /** A breaker closed recently, and the number of evictions increases slowly after that. */
    RESUMING("Resuming"),
    /** Many violations are due; this one waits for its feasibility check. */
    QUEUED("Queued"),
    /** No other node would take the pod. */
    INFEASIBLE("Infeasible"),
    /** A volume of the pod cannot be used on any node that would take it. */
    VOLUME_PINNED("VolumePinned"),
    /** The operator could not read on which nodes a volume of the pod can be used. */
    VOLUME_UNREADABLE("VolumeUnreadable"),
    /** On every possible node, the move would start at least as many violations as it heals. */
    TRADES_VIOLATIONS("TradesViolations"),
    /** Two policies request rules that no node can satisfy together now. */
    CONTRADICTS("Contradicts"),

    /** A disruption budget allows no eviction now. */
    DISRUPTION_BUDGET("DisruptionBudget"),
    /** A disruption budget would allow no eviction even if all its pods were healthy. */
    DISRUPTION_BUDGET_NEVER_ALLOWS("DisruptionBudgetNeverAllows"),
    /** More than one disruption budget selects the pod, which the Eviction API refuses. */
    SEVERAL_BUDGETS("SeveralBudgets"),
    /** An admission webhook or policy refused the eviction. */
    REFUSED_BY_ADMISSION("RefusedByAdmission"),
    /** The API server could not process the dry run of the eviction. */
    DRY_RUN_UNSUPPORTED("DryRunUnsupported"),
    /** The API server throttled the operator's requests. */
    THROTTLED("Throttled"),
    /** The operator has no permission to evict the pod. */
    FORBIDDEN("Forbidden"),
    /** The pod's namespace is being deleted. */
    NAMESPACE_TERMINATING("NamespaceTerminating"),
    /** The pod changed during the eviction request. */
    CONFLICT("Conflict"),
    /** The API server failed or could not be reached. */
    API_ERROR("ApiError"),
    /** The API server sent no answer, so the eviction may or may not have happened. */
    OUTCOME_UNKNOWN("OutcomeUnknown");

    private final String label;

    Reason(String label) {
        this.label = label;
    }

    /** {@return the reason as users read it} */
    public String label() {
        return label;
    }
}
