package dev.holdfast.crds.v1alpha1;

/** Texts of the CRD schema that several fields share: descriptions, CEL validation rules and their messages. */
final class PolicyText {
    static final int MAX_FORGIVENESS_SECONDS = 604_800;

    static final String MODE =
            "What the operator may do: Audit reports violations and evicts nothing, Enforce evicts pods whose rule"
                    + " stays broken, Disabled evaluates nothing. Later versions may add values; for a value that it"
                    + " does not know, the operator evicts nothing. Default: Audit. Example: Enforce.";

    static final String POD_SELECTOR =
            "Labels of the pods that are held to their rules; {} means all. Mode Enforce requires it, at"
                    + " least as {}. Default: absent, which means all pods and allows Audit only."
                    + " Example: {matchLabels: {app: web}}.";

    static final String NODE_SELECTOR = "Labels of the nodes whose pods may be evicted, for example to start with one"
            + " pool or zone. Pods on other nodes still count as partners in rules. Default: absent, which means all"
            + " nodes. Example: {matchLabels: {pool: general}}.";

    static final String POD_RULES =
            "The kinds of required rules in the pods' own spec that are enforced or audited, 1 to 4. Default: absent;"
                    + " `podRuleSelection` says whether that means all kinds or none. Example: [{kind: NodeAffinity,"
                    + " forgivenessSeconds: 900}].";

    static final String POD_RULE_SELECTION =
            "Which kinds of required rules in the pods' own spec are enforced or audited: All four kinds, those that"
                    + " `podRules` has Listed, or None. Default: absent, which means Listed with `podRules` and All"
                    + " without. Example: None.";

    static final String LISTED_WITH_POD_RULES =
            "!has(self.podRuleSelection) || (self.podRuleSelection == 'Listed') == has(self.podRules)";
    static final String LISTED_WITH_POD_RULES_MESSAGE = "must be 'Listed' when `podRules` is given, and only then";

    /** CEL that refuses an empty list. Unlike {@code minItems}, this check has a message that says what to write. */
    static final String NOT_EMPTY = "size(self) > 0";

    static final String POD_RULES_NOT_EMPTY_MESSAGE =
            "must have 1 to 4 entries; for none, write `podRuleSelection: None`";

    static final String RULES =
            "Further rules for the pods, each evaluated on its own. The scheduler knows them only with `scheduling`"
                    + " Inject, or if they are in the pods' own spec too; else a replacement may break them again."
                    + " Default: none. Example: [{name: ssd, nodeAffinity: {required: {nodeSelectorTerms:"
                    + " [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}].";

    static final String FORGIVENESS =
            "Seconds, 0 to 604800 (a week), that a violation must last without interruption before"
                    + " the operator acts. Default: absent, which means the operator's defaultForgivenessSeconds (300)."
                    + " Example: 600.";

    static final String WHEN =
            "When the rule is required. Always: with `scheduling` Inject a pod stays Pending while no node satisfies"
                + " the rule. PossibleAtScheduling: only where some node satisfies it. With Inject the API server adds"
                + " the rule as a preferred term of weight 100, or as a ScheduleAnyway constraint; a pod that violates"
                + " it is moved only if another node would take the pod and satisfy the rule. Then `whenInfeasible`"
                + " must be Wait. Default: Always. Example: PossibleAtScheduling.";

    static final String RULE_MODE =
            "What the operator may do for this rule: Audit, Enforce or Disabled, at most what the policy's own `mode`"
                    + " allows: Enforce in an Audit policy is Audit. Default: absent, which means the policy's mode."
                    + " Example: Audit.";

    static final String RULE_FORGIVENESS =
            "Seconds, 0 to 604800 (a week), that a violation of this rule must last without interruption before"
                    + " the operator acts. Default: absent, which means the policy's `forgivenessSeconds`. Example:"
                    + " 900.";

    static final String WHEN_INFEASIBLE =
            "What to do with a due violation while no other node would take the pod: Wait holds it until one would."
                    + " Evict evicts the pod, although the replacement may stay Pending. EvictAfter evicts the"
                    + " pod after `infeasibleEvictAfterSeconds`. Topology spread allows only Wait. Default: Wait."
                    + " Example: Evict.";

    static final String EVICT_AFTER =
            "Seconds, 1 to 604800 (a week), that a due violation is held while no other node would take the pod; after"
                    + " that time without interruption, the pod is evicted. Required with `whenInfeasible: EvictAfter`,"
                    + " and refused without it. Default: absent. Example: 3600.";

    static final String EVICT_AFTER_BOTH = "(has(self.whenInfeasible) && self.whenInfeasible == 'EvictAfter')"
            + " == has(self.infeasibleEvictAfterSeconds)";
    static final String EVICT_AFTER_BOTH_MESSAGE = "must be given when `whenInfeasible` is 'EvictAfter', and only then";

    static final String WHEN_DOMAIN_ADDED =
            "What to do when only new or recovered domains break a spread that held when the pod was bound: Hold"
                + " leaves the pods where they are. Rebalance moves pods there, no more than the skew needs, if all of"
                + " them can be placed, once such a domain could have taken pods for 3600 seconds. Only topology"
                + " spread allows Rebalance. Default: Hold. Example: Rebalance.";

    static final String VICTIM =
            "Which pod is evicted when pods that must be apart are in one domain: RuleOwner is the pod that has the"
                + " rule. LowestPriority evicts the pods that conflict with it instead, lowest priority first, if"
                + " there are at most five, and each has a lower priority than the rule owner, is in a namespace that"
                + " the policy selects, and may be moved; otherwise the rule owner. LowestPriority needs"
                + " `podAntiAffinityTerm` and a ClusterPlacementPolicy. Default: RuleOwner. Example: LowestPriority.";

    static final String OWN_VICTIMS =
            "!has(self.rules) || self.rules.all(rule, !has(rule.victim) || rule.victim == 'RuleOwner')";
    static final String OWN_VICTIMS_MESSAGE = "must not have a rule with `victim` 'LowestPriority': pods other than the"
            + " rule owner are moved only for a ClusterPlacementPolicy";

    static final String LIMITS = "How much this policy may evict, in addition to the operator's own limits for all"
            + " policies together. Default: absent: only the operator's limits, and one other pod of the workload must"
            + " stay Ready. Example: {maxConcurrentEvictions: 5, minReplicas: 2}.";

    static final String WINDOWS = "When this policy may evict. Default: none, which means always. Example: [{name:"
        + " office-hours, action: Deny, schedule: \"0 8 * * 1-5\", durationSeconds: 36000, timeZone: Europe/Zurich}].";

    static final String WINDOW_SCHEDULE =
            "When the window opens: minute, hour, day of month, month and day of week, as in a CronJob; with @hourly,"
                    + " @daily, @weekly, @monthly and @yearly. When clocks go forward, a window that would open in the"
                    + " skipped hour opens right after it. When they go back, a schedule with a fixed hour opens once."
                    + " Required. Example: 0 8 * * 1-5.";

    static final String WINDOW_DURATION =
            "How long the window stays open each time: 60 to 604800 seconds (a week). Required." + " Example: 36000.";

    static final String WINDOW_TIME_ZONE =
            "Time zone of the schedule, by its IANA name. Default: Etc/UTC. Example: Europe/Zurich.";

    static final String EXCEPTIONS = "Pods that this policy does not evict for a while, with the reason; their"
            + " violations are still reported, as held. Default: none. Example: [{name: primary, podSelector:"
            + " {matchLabels: {app: web, role: primary}}, expirationTime: \"2026-12-31T00:00:00Z\", reason: failover"
            + " planned}].";

    static final String ALLOW = "Reasons for holds that do not apply to this policy: RunsToCompletion, LocalStorage,"
            + " TooFewReplicas, ForeignScheduler, HasEvictionResponder, UnknownController, ReplacementRefused."
            + " Default: none. Example: [LocalStorage].";

    static final String SCHEDULING =
            "What happens with `rules`, and with the rules in annotations that `annotationRules` allows, when a pod"
                + " that the policy selects is created. None: the scheduler does not know them, and they hold at"
                + " execution alone. Inject: the API server adds them to the pod's spec as required terms, so that the"
                + " scheduler places the pod by them; the chart must be installed with scheduling.enabled."
                + " InjectAlsoInAudit: the same, also while the policy or the rule has mode Audit, which else changes"
                + " no pod. Default: None. Example: Inject.";

    static final String ANNOTATION_RULES =
            "What the rules in the annotation holdfast.dev/required-during-execution of pods mean. Ignore: nothing."
                + " Allow: the pods that the policy selects are held to them, with the policy's mode, forgiveness,"
                + " limits and trust; they are added to those that `podRules` means or, with `replace`, stand in for"
                + " these. For them alone, write `podRuleSelection: None`. Default: Ignore. Example: Allow.";

    static final String INJECT_ON_ALL_NODES =
            "!has(self.scheduling) || self.scheduling == 'None'" + " || !has(self.nodeSelector)";

    static final String INJECT_ON_ALL_NODES_MESSAGE = "must be 'None' with `nodeSelector`: a new pod has no node yet";

    static final String INJECT_WHAT_IS_ENFORCED = "!has(self.scheduling) || self.scheduling != 'Inject'"
            + " || self.mode == 'Disabled' || (self.mode == 'Audit' ? false : !has(self.rules)"
            + " || self.rules.all(rule, !has(rule.mode) || rule.mode != 'Audit'))";

    static final String INJECT_WHAT_IS_ENFORCED_MESSAGE =
            "must be 'InjectAlsoInAudit' when `mode` of the policy or of a rule is 'Audit': it changes new pods";

    static final String TRUSTED = "Labels of namespaces whose pods may cause evictions, in addition to those that the"
            + " rule names; {} means all. Default: absent, only those that the rule names. Example: {matchLabels:"
            + " {team: data}}.";

    static final String ENFORCE_NEEDS_SELECTOR = "self.mode != 'Enforce' || has(self.podSelector)";
    static final String ENFORCE_NEEDS_SELECTOR_MESSAGE =
            "must be given when `mode` is 'Enforce': name the pods, or write {} to mean all of them";

    /** CEL that refuses a blank reason: {@code minLength} accepts one that consists of spaces. */
    static final String REASON_SAYS_SOMETHING = "self.reason.matches(r'\\S')";

    static final String REASON_SAYS_SOMETHING_MESSAGE = "must not be blank: the message of each hold shows it";

    static final String RULE_NAME = "Name of the rule, unique in the policy; events and reports name it. Required, at"
            + " most 63 lower-case letters, digits or '-'. Example: ssd.";

    static final String WINDOW_NAME = "Name of the window, unique in its list; the messages of holds name it. Required,"
            + " at most 63 lower-case letters, digits or '-'. Example: office-hours.";

    static final String EXCEPTION_NAME = "Name of the exception, unique in the policy; the messages of holds name it."
            + " Required, at most 63 lower-case letters, digits or '-'. Example: primary.";

    static final String IS_NAME = "!format.dns1123Label().validate(self).hasValue()";
    static final String IS_NAME_MESSAGE =
            "must be 1 to 63 lower-case letters, digits or '-', beginning and ending with a letter or digit";

    private PolicyText() {}
}
