package dev.holdfast.policies.evaluate;

/**
 * Why a verdict is undetermined or a due violation is held. The labels are API: they stand in status, events, metrics
 * and logs alike, and each has its row in the table of reasons in the documentation.
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
    /** A selector of the rule cannot be read. */
    UNPARSABLE_RULE("UnparsableRule"),

    /** A view of the cluster is not synced, or lost its watch. */
    VIEW_NOT_SYNCED("ViewNotSynced"),
    /** The API server holds a newer version than the feed has delivered. */
    VIEW_BEHIND("ViewBehind"),
    /** The two evaluators disagree somewhere, so that no verdict is trusted. */
    VERDICTS_DIFFER("VerdictsDiffer"),
    /** Another replica has the lease. */
    NOT_LEADER("NotLeader"),
    /** An EnforcementPause says that no pod here is to be moved now. */
    PAUSED("Paused"),

    /** The pod is the image of a static pod. */
    MIRROR_POD("MirrorPod"),
    /** The pod belongs to a DaemonSet. */
    DAEMON_SET_POD("DaemonSetPod"),
    /** The pod's namespace is protected. */
    PROTECTED_NAMESPACE("ProtectedNamespace"),
    /** The pod has a system-critical priority. */
    SYSTEM_CRITICAL("SystemCritical"),
    /** Nobody would replace the pod. */
    NO_CONTROLLER("NoController"),
    /** The pod belongs to a group that must stay whole. */
    GANG_MEMBER("GangMember"),
    /** The pod runs to completion and would count as failed. */
    RUNS_TO_COMPLETION("RunsToCompletion"),
    /** An annotation asks others, such as an autoscaler, not to evict the pod. */
    MARKED_BY_OTHERS("MarkedByOthers"),
    /** An annotation of the pod, its workload or its namespace keeps it. */
    KEPT("Kept"),
    /** The pod has files on its node that would be lost. */
    LOCAL_STORAGE("LocalStorage"),
    /** Too few other pods of the workload would stay ready. */
    TOO_FEW_REPLICAS("TooFewReplicas"),
    /** The rule is broken by pods of a namespace that the rule owner does not trust. */
    UNTRUSTED_CAUSE("UntrustedCause"),

    /** An exception of the policy names the pod. */
    EXCEPTION("Exception"),
    /** A window of the policy denies evictions now, or none allows them. */
    WINDOW_CLOSED("WindowClosed"),

    /** A label of nodes that the rule depends on has left many of them lately. */
    LABEL_BREAKER("LabelBreaker"),
    /** Many pods at once have broken a rule lately. */
    VOLUME_BREAKER("VolumeBreaker"),
    /** An edit of the policy would have more pods moved than anybody expects without being asked. */
    POLICY_BACKLOG("PolicyBacklog"),

    /** The pod was bound a short time ago, and its containers have not all started. */
    NOT_STARTED("NotStarted"),
    /** Somebody else is about to remove the pod. */
    BEING_DISRUPTED("BeingDisrupted"),
    /** The pod's node is on its way out, and somebody else moves its pods. */
    NODE_LEAVING("NodeLeaving"),
    /** The spread is broken only by a domain that came, or could take pods again, after the pod was bound. */
    DOMAIN_ADDED("DomainAdded"),
    /** Another pod of the workload came, went or lost its readiness a short time ago. */
    WORKLOAD_UNSETTLED("WorkloadUnsettled"),
    /** Another move is under way in the same scope. */
    MOVE_IN_SCOPE("MoveInScope"),
    /** Every conflicting pod is already on its way out. */
    PARTNERS_LEAVING("PartnersLeaving"),
    /** Many nodes of the cluster, or of a domain that the rule looks at, are not Ready or have vanished. */
    CLUSTER_UNHEALTHY("ClusterUnhealthy"),
    /** Moving a pod of this workload for this rule has not helped, and the next try waits longer than the one before. */
    FUTILE("Futile"),
    /** Moving pods of this workload for this rule has not helped five times in a row, and is not tried again. */
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
    /** A breaker closed a short time ago, and evictions begin slowly after that. */
    RESUMING("Resuming"),
    /** Very much is due, and it has not been this violation's turn to have a place looked for. */
    QUEUED("Queued"),
    /** No other node would take the pod. */
    INFEASIBLE("Infeasible"),
    /** A volume of the pod cannot be used on any node that would take it. */
    VOLUME_PINNED("VolumePinned"),
    /** Where a volume of the pod can be used could not be read. */
    VOLUME_UNREADABLE("VolumeUnreadable"),
    /** Wherever the pod could go, the move would break no fewer rules than it mends. */
    TRADES_VIOLATIONS("TradesViolations"),
    /** Two policies ask for what cannot both hold on any node now. */
    CONTRADICTS("Contradicts"),

    /** A disruption budget has nothing left. */
    DISRUPTION_BUDGET("DisruptionBudget"),
    /** A disruption budget would allow no eviction even if all its pods were healthy. */
    DISRUPTION_BUDGET_NEVER_ALLOWS("DisruptionBudgetNeverAllows"),
    /** More than one disruption budget selects the pod, which the Eviction API refuses. */
    SEVERAL_BUDGETS("SeveralBudgets"),
    /** An admission webhook or policy refused the eviction. */
    REFUSED_BY_ADMISSION("RefusedByAdmission"),
    /** The API server could not rehearse the eviction. */
    DRY_RUN_UNSUPPORTED("DryRunUnsupported"),
    /** The API server asked for fewer requests. */
    THROTTLED("Throttled"),
    /** The operator may not evict here. */
    FORBIDDEN("Forbidden"),
    /** The pod's namespace is being deleted, and the pod with it. */
    NAMESPACE_TERMINATING("NamespaceTerminating"),
    /** The pod changed while it was being evicted. */
    CONFLICT("Conflict"),
    /** The API server failed or could not be reached. */
    API_ERROR("ApiError"),
    /** No answer came, so the eviction may or may not have happened. */
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
