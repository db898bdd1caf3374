package dev.holdfast.operator.reconcile.status;

/**
 * The {@code reason} values of the conditions of policies and pauses. A condition may have the reason of a hold
 * instead. The strings that {@link #label} returns are API: each has a row in the table of reasons in the
 * documentation.
 */
public enum ConditionReason {
    /** The policy is valid, and its rules are evaluated. */
    EVALUATED("Evaluated"),
    /** The engine has not evaluated the policy yet. */
    NOT_EVALUATED("NotEvaluated"),
    /** The spec is invalid. */
    INVALID_SPEC("InvalidSpec"),
    /** The spec has fields or values that this version does not know. */
    UNKNOWN_FIELDS("UnknownFields"),
    /** The policy's mode is Disabled. */
    DISABLED("Disabled"),
    /** Each rule of the policy can do something for some pod. */
    HAS_EFFECT("HasEffect"),
    /** Some rules of the policy can do nothing in the cluster as it is, and others can. */
    HAS_EFFECT_IN_PART("HasEffectInPart"),
    /** The policy selects no pod. */
    SELECTS_NO_POD("SelectsNoPod"),
    /** No rule of the policy can do anything, one because no node has its topologyKey. */
    NO_TOPOLOGY_KEY("NoTopologyKey"),
    /** No rule of the policy can do anything, one because it counts nodes of one domain only. */
    ONE_DOMAIN("OneDomain"),
    /** No rule of the policy can do anything, one because it counts no pod. */
    COUNTS_NO_POD("CountsNoPod"),
    /** No rule of the policy can do anything, one because nothing can match a term of it. */
    UNMATCHABLE("Unmatchable"),
    /** No rule was found that can do something, and some rules were not examined for all pods. */
    NOT_EXAMINED("NotExamined"),
    /** No rule of the policy is broken. */
    NO_VIOLATIONS("NoViolations"),
    /** At least one rule of the policy is broken. */
    VIOLATIONS("Violations"),
    /** No due violation is held. */
    NOTHING_HELD("NothingHeld"),
    /** The policy's mode is Audit, so nothing is enforced. */
    AUDIT_MODE("AuditMode"),
    /**
     * The policy's mode is Enforce, but the operator may not evict: RBAC does not allow it, or the operator's maxMode
     * is Audit.
     */
    MAX_MODE("MaxMode"),
    /** Pods have rules that the API server injected. */
    INJECTED("Injected"),
    /** No pod has an injected rule yet, and none proves that there is no injection. */
    NOT_OBSERVED("NotObserved"),
    /** Pods were created without rules that the API server should have injected. */
    NOT_INJECTED("NotInjected"),
    /** The API server serves no MutatingAdmissionPolicies. */
    NOT_SERVED("NotServed"),
    /** The chart has installed no MutatingAdmissionPolicies. */
    NOT_INSTALLED("NotInstalled"),
    /** The policy has no rules that could be injected, or none that its pods could be held to. */
    NO_RULES("NoRules"),
    /** The pause is valid. The condition Active says whether it prevents evictions now. */
    HONOURED("Honoured"),
    /** The pause applies now. */
    ACTIVE("Active"),
    /** The pause has expired. */
    EXPIRED("Expired"),
    /** The pause does not apply now, because none of its windows is open. */
    OUTSIDE_WINDOW("OutsideWindow");

    private final String label;

    ConditionReason(String label) {
        this.label = label;
    }

    /** {@return the value of the condition's {@code reason}} */
    public String label() {
        return label;
    }
}
