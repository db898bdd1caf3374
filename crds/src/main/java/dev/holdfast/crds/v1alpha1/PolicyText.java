package dev.holdfast.crds.v1alpha1;

/** Texts of the schema that both kinds of policy, or rules and pod rules, have in common. */
final class PolicyText {
    static final int MAX_FORGIVENESS_SECONDS = 604_800;

    static final String MODE =
            "What may be done: Audit observes and reports and evicts nothing, Enforce evicts pods whose rule stays"
                + " broken, \"Off\" evaluates nothing (in quotes: a bare Off is false in YAML). More values may come;"
                + " one the operator does not know evicts nothing. Default: Audit. Example: Enforce.";

    static final String POD_SELECTOR =
            "Labels of the pods that are held to their rules; {} means all. To enforce it must be"
                    + " given, if only as {}. Default: absent, which is all pods, and Audit only."
                    + " Example: {matchLabels: {app: web}}.";

    static final String NODE_SELECTOR = "Labels of the nodes whose pods may be evicted, to begin with one pool or zone."
            + " Pods elsewhere still count as partners in rules. Default: absent, which is all nodes."
            + " Example: {matchLabels: {pool: general}}.";

    static final String POD_RULES =
            "Which of the required rules in the pods' own spec are held, by kind; [] means none."
                    + " Default: all four kinds. Example: [{kind: NodeAffinity, forgivenessSeconds: 900}].";

    static final String POD_RULES_DEFAULT = "[{\"kind\":\"NodeAffinity\"},{\"kind\":\"PodAffinity\"},"
            + "{\"kind\":\"PodAntiAffinity\"},{\"kind\":\"TopologySpread\"}]";

    static final String RULES =
            "Further rules that the pods are held to, each judged by itself. The scheduler does not know them: let them"
                    + " stand in the pods' own spec too, or a replacement may break them again. Default: none. Example:"
                    + " [{name: ssd, nodeAffinity: {required: {nodeSelectorTerms:"
                    + " [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}].";

    static final String FORGIVENESS =
            "Seconds, 0 to 604800 (a week), that a violation must last without interruption before"
                    + " anything is done. Default: absent, which is the operator's defaultForgivenessSeconds (300)."
                    + " Example: 600.";

    static final String RULE_MODE =
            "What may be done for this rule: Audit, Enforce or \"Off\", at most what the policy's own `mode` allows, so"
                    + " that Enforce here in an Audit policy is Audit. Default: absent, which is the policy's mode."
                    + " Example: Audit.";

    static final String RULE_FORGIVENESS =
            "Seconds, 0 to 604800 (a week), that a violation of this rule must last without interruption before"
                    + " anything is done. Default: absent, which is the policy's `forgivenessSeconds`. Example: 900.";

    static final String WHEN_INFEASIBLE =
            "What becomes of a violation while no other node would take the pod: Wait holds it until one would, Evict"
                    + " evicts all the same, and the replacement may stay Pending, EvictAfter does so once no node"
                    + " would have taken it for `infeasibleEvictAfterSeconds`. For spread only Wait. Default: Wait."
                    + " Example: Evict.";

    static final String EVICT_AFTER =
            "Seconds, 1 to 604800 (a week), for which no other node must have taken the pod, without interruption and"
                    + " while the violation is due, until it is evicted all the same. Required with `whenInfeasible:"
                    + " EvictAfter`, and refused without it. Default: absent. Example: 3600.";

    static final String EVICT_AFTER_BOTH = "(has(self.whenInfeasible) && self.whenInfeasible == 'EvictAfter')"
            + " == has(self.infeasibleEvictAfterSeconds)";
    static final String EVICT_AFTER_BOTH_MESSAGE = "must be given when `whenInfeasible` is 'EvictAfter', and only then";

    static final String WHEN_DOMAIN_ADDED =
            "What becomes of a spread that is broken only by emptier domains which came, or could take pods again,"
                + " after the pod was bound: Hold leaves the pods where they are, Rebalance moves as many as the skew"
                + " needs once such a domain could have taken pods for 3600 seconds, if all of them find a place."
                + " Other than Hold only for spread. Default: Hold. Example: Rebalance.";

    static final String VICTIM =
            "Who goes when pods are together that must be apart: RuleOwner is the pod that the rule is asked of."
                + " LowestPriority, only for `podAntiAffinityTerm` and only in a ClusterPlacementPolicy, are the pods"
                + " in its way instead, lowest priority first, where there are at most five, each has a lower priority"
                + " than the rule owner, is in a namespace that the policy selects, and may be moved; else the rule"
                + " owner. Default: RuleOwner. Example: LowestPriority.";

    static final String OWN_VICTIMS =
            "!has(self.rules) || self.rules.all(rule, !has(rule.victim) || rule.victim == 'RuleOwner')";
    static final String OWN_VICTIMS_MESSAGE = "must not have a rule with `victim` 'LowestPriority': pods other than the"
            + " rule owner are moved only for a ClusterPlacementPolicy";

    static final String LIMITS = "How much this policy may evict, beside the operator's own limits, which count for all"
            + " policies together. Default: absent, the operator's limits, and one other pod of a workload that stays"
            + " Ready. Example: {maxConcurrentEvictions: 5, minReplicas: 2}.";

    static final String WINDOWS = "When this policy may evict. Default: none, which is always. Example: [{action: Deny,"
            + " schedule: \"0 8 * * 1-5\", durationSeconds: 36000, timeZone: Europe/Zurich}].";

    static final String WINDOW_SCHEDULE =
            "When the window opens: minute, hour, day of month, month and day of week, as in a CronJob; with @hourly,"
                + " @daily, @weekly, @monthly and @yearly. In a night in which clocks go forward, what would open in"
                + " the hour left out opens right after it; where they go back, what has an hour of its own opens"
                + " once. Required. Example: 0 8 * * 1-5.";

    static final String WINDOW_DURATION =
            "How long the window stays open each time: 60 to 604800 seconds (a week). Required." + " Example: 36000.";

    static final String WINDOW_TIME_ZONE =
            "Time zone of the schedule, by its IANA name. Default: Etc/UTC. Example: Europe/Zurich.";

    static final String EXCEPTIONS = "Pods that are not evicted for this policy for a while, with the reason; they are"
            + " still watched, and shown as held. Default: none. Example: [{podSelector: {matchLabels: {app: web, role:"
            + " primary}}, untilTime: \"2026-12-31T00:00:00Z\", reason: failover planned}].";

    static final String ALLOW = "Holds that this policy lifts, by name: RunsToCompletion, LocalStorage, TooFewReplicas."
            + " Default: none. Example: [LocalStorage].";

    static final String TRUSTED = "Labels of namespaces whose pods may cost a pod its place, beside those that its rule"
            + " names; {} means all. Default: absent, only those that the rule asks for. Example: {matchLabels: {team:"
            + " data}}.";

    static final String ENFORCE_NEEDS_SELECTOR = "self.mode != 'Enforce' || has(self.podSelector)";
    static final String ENFORCE_NEEDS_SELECTOR_MESSAGE =
            "must be given when `mode` is 'Enforce': name the pods, or write {} to mean all of them";

    /** Asked beside the smallest length, which blanks have too. */
    static final String REASON_SAYS_SOMETHING = "self.reason.matches(r'\\S')";

    static final String REASON_SAYS_SOMETHING_MESSAGE = "must not be blank: say why, for those who read the hold";

    private PolicyText() {}
}
