package dev.holdfast.policies.evaluate;

/**
 * Why a verdict is undetermined or a due violation is held. The labels are API: status, events, metrics and logs show
 * them, and docs/reasons.md describes each.
 */
public enum Reason {
    /** The pod is not bound to a node yet. */
    NOT_BOUND("NotBound"),
    /** The pod has succeeded or failed. */
    FINISHED("Finished"),
    /** The pod is being deleted. */
    TERMINATING("Terminating"),
    /** The pod is bound to a node that does not exist. */
    NODE_MISSING("NodeMissing"),
    /** A selector of the rule is invalid. */
    UNPARSABLE_RULE("UnparsableRule"),

    /**
     * Holdfast may not know all objects of one kind, for example all nodes: the first list is not complete, or the
     * watch is lost.
     */
    VIEW_NOT_SYNCED("ViewNotSynced"),
    /** The API server has another version of an object than the watch has delivered. */
    VIEW_BEHIND("ViewBehind"),
    /** Two independent evaluations of a rule gave different verdicts, so Holdfast evicts nothing. */
    VERDICTS_DIFFER("VerdictsDiffer"),
    /** Another replica holds the leader lease, or this replica cannot renew it. */
    NOT_LEADER("NotLeader"),
    /** The operator does not know yet what an earlier process did: its ledger is not read. */
    LEDGER_UNREAD("LedgerUnread"),
    /** The ledger cannot be written, so a move that began now would be lost in a restart. */
    LEDGER_UNWRITTEN("LedgerUnwritten"),
    /** An EnforcementPause forbids moves of this pod now. */
    PAUSED("Paused"),

    /** The pod is the mirror pod of a static pod. */
    MIRROR_POD("MirrorPod"),
    /** The pod belongs to a DaemonSet. */
    DAEMON_SET_POD("DaemonSetPod"),
    /** The pod's namespace is protected in the operator's configuration, or is the operator's own. */
    PROTECTED_NAMESPACE("ProtectedNamespace"),
    /** The pod has a system-critical priority. */
    SYSTEM_CRITICAL("SystemCritical"),
    /** The pod has more labels, rules or other parts than Holdfast reads of one pod. */
    TOO_COMPLEX("TooComplex"),
    /** No controller would replace the pod. */
    NO_CONTROLLER("NoController"),
    /** The controller of the pod is of a kind of which Holdfast does not know whether it replaces pods. */
    UNKNOWN_CONTROLLER("UnknownController"),
    /** The pod belongs to a gang, a group of pods that are scheduled and deleted together. */
    GANG_MEMBER("GangMember"),
    /** The pod runs to completion, and its Job would count the evicted pod as failed. */
    RUNS_TO_COMPLETION("RunsToCompletion"),
    /** The pod has claims for devices (DRA), and Holdfast cannot tell which nodes have such devices free. */
    RESOURCE_CLAIMS("ResourceClaims"),
    /** A scheduler that is not in the operator's configuration would place the replacement. */
    FOREIGN_SCHEDULER("ForeignScheduler"),
    /** The pod names an eviction responder, which expects a request before the pod is evicted. */
    HAS_EVICTION_RESPONDER("HasEvictionResponder"),
    /** An annotation or label asks other tools, such as an autoscaler, not to evict the pod. */
    MARKED_BY_OTHERS("MarkedByOthers"),
    /** A Holdfast annotation of the pod, its workload or its namespace forbids its eviction. */
    KEPT("Kept"),
    /** The pod has local storage that the eviction would delete or leave behind. */
    LOCAL_STORAGE("LocalStorage"),
    /** Fewer other pods of the workload are Ready than the policy requires ({@code limits.minReplicas}). */
    TOO_FEW_REPLICAS("TooFewReplicas"),
    /** Too many pods of the workload are missing or not Ready ({@code limits.maxUnavailable}). */
    WORKLOAD_DEGRADED("WorkloadDegraded"),
    /** The StatefulSet of the pod would make its replacement from another revision. */
    REVISION_PENDING("RevisionPending"),
    /** The API server would refuse the replacement because of a ResourceQuota. */
    QUOTA_EXCEEDED("QuotaExceeded"),
    /**
     * The API server refuses new pods of the ReplicaSet, or would refuse the replacement for another reason than a
     * quota.
     */
    REPLACEMENT_REFUSED("ReplacementRefused"),
    /** The node of the pod is not Ready, so the taint manager of Kubernetes decides about the pod. */
    NODE_NOT_READY("NodeNotReady"),
    /** Only pods of other namespaces break the rule, and neither the rule nor the policy trusts these namespaces. */
    UNTRUSTED_CAUSE("UntrustedCause"),

    /** An exception in the policy ({@code spec.exceptions}) excludes the pod. */
    EXCEPTION("Exception"),
    /** A Deny window of the policy is open, or the policy has Allow windows and none is open. */
    WINDOW_CLOSED("WindowClosed"),

    /** The label breaker is open: many nodes recently lost a label that the rule reads. */
    LABEL_BREAKER("LabelBreaker"),
    /** The volume breaker is open: many pods started to violate a rule at about the same time. */
    VOLUME_BREAKER("VolumeBreaker"),
    /** The outcome breaker is open: the last moves of any workloads got no Ready replacement. */
    OUTCOME_BREAKER("OutcomeBreaker"),
    /** An edit of the policy would move many pods, and no user has acknowledged it yet. */
    POLICY_BACKLOG("PolicyBacklog"),

    /** Not all containers of the pod have started, and the pod was bound less than ten minutes ago. */
    NOT_STARTED("NotStarted"),
    /** Another component is about to remove the pod, as the pod's condition {@code DisruptionTarget} says. */
    BEING_DISRUPTED("BeingDisrupted"),
    /** The pod's node is being drained or removed, and the component that does so moves its pods. */
    NODE_LEAVING("NodeLeaving"),
    /** The spread rule is violated only because of a domain that appeared or became usable after the pod was bound. */
    DOMAIN_ADDED("DomainAdded"),
    /** Another pod of the workload was recently created or removed, or became unready. */
    WORKLOAD_UNSETTLED("WorkloadUnsettled"),
    /** A move is in flight that may heal or change this violation, for example a move of a conflicting pod. */
    MOVE_IN_SCOPE("MoveInScope"),
    /** All pods that break the rule are already being deleted. */
    PARTNERS_LEAVING("PartnersLeaving"),
    /** Many of the nodes that the rule counts are not Ready or have vanished, in the cluster or in a domain. */
    CLUSTER_UNHEALTHY("ClusterUnhealthy"),
    /**
     * The last moves of this workload did not help: the replacement broke no fewer rules, or was not Ready in time.
     * Each such move in a row delays the next move for longer, whatever the rules are.
     */
    FUTILE("Futile"),
    /**
     * At least five moves in a row did not help, for this workload or for five other workloads with this rule. Holdfast
     * tries again only after a change of the rule, the workload or a node.
     */
    ENFORCEMENT_FUTILE("EnforcementFutile"),
    /**
     * The pod is the outcome of at least three moves one after the other within a day, whatever their rules. Each
     * further move delays the next one for longer.
     */
    RESTLESS("Restless"),
    /** The number of evictions in flight in the cluster has reached the limit. */
    CLUSTER_LIMIT("ClusterLimit"),
    /** The number of evictions in flight in the cluster has reached what the outcomes of the last moves allow. */
    SLOW_START("SlowStart"),
    /** The number of evictions in the last hour has reached the limit. */
    HOURLY_LIMIT("HourlyLimit"),
    /** The number of evictions in flight in the namespace has reached the limit. */
    NAMESPACE_LIMIT("NamespaceLimit"),
    /** The number of evictions in flight of pods on this node has reached the limit. */
    NODE_LIMIT("NodeLimit"),
    /** The number of evictions in flight of the workload has reached the limit. */
    WORKLOAD_LIMIT("WorkloadLimit"),
    /** The number of evictions for the policy, in flight or in the last hour, has reached a limit of the policy. */
    POLICY_LIMIT("PolicyLimit"),
    /** A breaker closed recently, and the evictions that it held resume slowly. */
    RESUMING("Resuming"),
    /** Many violations are due, and the operator has not yet searched for a node for this pod. */
    QUEUED("Queued"),
    /** No other node would take the pod. */
    INFEASIBLE("Infeasible"),
    /** No other node would take the pod and satisfy the rule, which is required only where possible. */
    NOT_POSSIBLE("NotPossible"),
    /** A volume of the pod cannot be used on any of the nodes that would otherwise take the pod. */
    VOLUME_PINNED("VolumePinned"),
    /** The operator could not read on which nodes a volume of the pod can be used. */
    VOLUME_UNREADABLE("VolumeUnreadable"),
    /** On every node that would take the pod, the move would start at least as many violations as it heals. */
    TRADES_VIOLATIONS("TradesViolations"),
    /** Several policies request rules for the pod, and no node satisfies all of them now. */
    CONTRADICTS("Contradicts"),

    /** A disruption budget allows no eviction now. */
    DISRUPTION_BUDGET("DisruptionBudget"),
    /** A disruption budget would allow no eviction even if all its pods were healthy. */
    DISRUPTION_BUDGET_NEVER_ALLOWS("DisruptionBudgetNeverAllows"),
    /** More than one disruption budget selects the pod, so the Eviction API refuses the eviction. */
    SEVERAL_BUDGETS("SeveralBudgets"),
    /** An admission webhook or policy refused the eviction. */
    REFUSED_BY_ADMISSION("RefusedByAdmission"),
    /** An admission webhook does not support the dry run of the eviction, so no eviction is sent. */
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

    /** {@return the word that status, events, metrics and logs show, for example {@code NotBound}} */
    public String label() {
        return label;
    }
}
