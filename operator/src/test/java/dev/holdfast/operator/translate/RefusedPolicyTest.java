package dev.holdfast.operator.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Policy.NamedRule;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenRequired;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that an invalid policy is refused with all its errors at once, each with its path and what is allowed. */
class RefusedPolicyTest {
    private static final String NODE_TERM = "{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}";
    private static final String LABEL_NAME =
            "1 to 63 lower-case letters, digits or '-', beginning and ending with a letter or digit";

    private static Translation translate(String spec) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: web, generation: 3}
            spec:
            """ + spec.indent(2);
        return new PolicyTranslator(Duration.ofMinutes(5))
                .translate(Serialization.unmarshal(yaml, PlacementPolicy.class));
    }

    private static String rule(String content) {
        return "rules: [{name: r, " + content + "}]";
    }

    private static String nodeTerm(String term) {
        return rule("nodeAffinity: {required: {nodeSelectorTerms: [" + term + "]}}");
    }

    private static String spread(String more) {
        return rule("topologySpreadConstraint: {topologyKey: zone, whenUnsatisfiable: DoNotSchedule, maxSkew: 1" + more
                + "}");
    }

    static Stream<Arguments> specs() {
        return Stream.of(
                row(
                        "to enforce, the pods must be named",
                        "mode: Enforce",
                        "spec.podSelector: must be given when `mode` is 'Enforce': name the pods, or write {} to mean"
                                + " all of them"),
                row(
                        "rules that are injected although they are audited by default",
                        "scheduling: Inject",
                        "spec.scheduling: must be 'InjectAlsoInAudit' when `mode` of the policy or of a rule is"
                                + " 'Audit': it changes new pods"),
                row(
                        "an audited rule that is injected",
                        "mode: Enforce\npodSelector: {}\nscheduling: Inject\n"
                                + rule("podAffinityTerm: {topologyKey: zone, labelSelector: {}}, mode: Audit"),
                        "spec.scheduling: must be 'InjectAlsoInAudit' when `mode` of the policy or of a rule is"
                                + " 'Audit': it changes new pods"),
                row(
                        "rules that are injected on some nodes only",
                        "scheduling: InjectAlsoInAudit\nnodeSelector: {matchLabels: {pool: gpu}}",
                        "spec.scheduling: must be 'None' with `nodeSelector`: a new pod has no node yet"),
                row(
                        "forgiveness below zero",
                        "forgivenessSeconds: -1",
                        "spec.forgivenessSeconds: must be 0 to 604800 (a week), got -1"),
                row(
                        "forgiveness over a week",
                        "podRules: [{kind: NodeAffinity, forgivenessSeconds: 604801}]",
                        "spec.podRules[0].forgivenessSeconds: must be 0 to 604800 (a week), got 604801"),
                row(
                        "other victims than the rule owner in a namespaced policy",
                        rule("podAntiAffinityTerm: {topologyKey: zone, labelSelector: {}}, victim: LowestPriority"),
                        "spec.rules[0].victim: must be 'RuleOwner' in a PlacementPolicy: pods other than the rule owner"
                                + " are moved only for a ClusterPlacementPolicy"),
                row(
                        "other victims for a rule without conflicting pods",
                        rule("podAffinityTerm: {topologyKey: zone, labelSelector: {}}, victim: LowestPriority"),
                        "spec.rules[0].victim: must be 'RuleOwner' for any rule but a `podAntiAffinityTerm`",
                        "spec.rules[0].victim: must be 'RuleOwner' in a PlacementPolicy: pods other than the rule owner"
                                + " are moved only for a ClusterPlacementPolicy"),
                row(
                        "In without values",
                        "podSelector: {matchExpressions: [{key: app, operator: In}]}",
                        "spec.podSelector.matchExpressions[0]: 'app In': `values` must not be empty"),
                row(
                        "every invalid expression",
                        "nodeSelector: {matchLabels: {-a: b}, matchExpressions: [{key: a, operator: Exists, values:"
                                + " [x]}, {key: b, operator: Exists}, {key: c, operator: Near}]}",
                        "spec.nodeSelector.matchLabels: '-a In [b]': `key` must be a label key",
                        "spec.nodeSelector.matchExpressions[0]: 'a Exists [x]': `values` must be empty",
                        "spec.nodeSelector.matchExpressions[2]: 'c Unrecognized': `operator` must be In, NotIn, Exists"
                                + " or DoesNotExist"),
                row(
                        "a label without a value, which only a file can have",
                        "podSelector: {matchLabels: {app: null}}",
                        "spec.podSelector.matchLabels: must not have null as the value of a label"),
                row(
                        "a key twice, with which the API server would refuse each pod",
                        rule("podAntiAffinityTerm: {topologyKey: zone, labelSelector: {}, matchLabelKeys: [a, b, a],"
                                + " mismatchLabelKeys: [c, c]}"),
                        "spec.rules[0].podAntiAffinityTerm.matchLabelKeys[2]: must not be a key that comes before, got"
                                + " 'a'",
                        "spec.rules[0].podAntiAffinityTerm.mismatchLabelKeys[1]: must not be a key that comes before,"
                                + " got 'c'"),
                row(
                        "limits out of their bounds",
                        "limits: {maxConcurrentEvictions: -1, maxEvictionsPerHour: 10001, minReplicas: 1001,"
                                + " perWorkload: {maxConcurrentEvictions: -1, maxEvictionsPerHour: \"101%\"}}",
                        "spec.limits.maxConcurrentEvictions: must be 0 to 1000, got -1",
                        "spec.limits.maxEvictionsPerHour: must be 0 to 10000, got 10001",
                        "spec.limits.minReplicas: must be 0 to 1000, got 1001",
                        "spec.limits.perWorkload.maxConcurrentEvictions: must be 0 to 1000, got -1",
                        "spec.limits.perWorkload.maxEvictionsPerHour: must be a number from 0 to 10000 or a percentage"
                                + " from \"0%\" to \"100%\", got '101%'"),
                row(
                        "a window with an invalid schedule, zone and duration",
                        "windows: [{name: hours, action: Deny, schedule: \"0 8 * *\", durationSeconds: 59, timeZone:"
                                + " CET+1}]",
                        "spec.windows[0].durationSeconds: must be 60 to 604800 (a week), got 59",
                        "spec.windows[0].timeZone: must be the IANA name of a time zone, such as Europe/Zurich or"
                                + " Etc/UTC, got 'CET+1'",
                        "spec.windows[0].schedule: must have the five fields minute, hour, day of month, month and day"
                                + " of week, got '0 8 * *'"),
                row(
                        "a window that never opens",
                        "windows: [{name: hours, action: Allow, schedule: \"0 8 30 2 *\", durationSeconds: 60}]",
                        "spec.windows[0].schedule: must match some date, got '0 8 30 2 *': such a window never"
                                + " opens"),
                row(
                        "an exception without pods and reason, and with an invalid time",
                        "exceptions: [{name: some, expirationTime: tomorrow, reason: \" \"}]",
                        "spec.exceptions[0].podSelector: must be given: name the pods, or write {} to mean all of them",
                        "spec.exceptions[0].reason: must be given: the message of each hold shows it",
                        "spec.exceptions[0].expirationTime: must be a time as in 2026-12-31T00:00:00Z (RFC 3339), got"
                                + " 'tomorrow'"),
                row(
                        "exceptions and windows without names",
                        "{exceptions: [{podSelector: {}, reason: r}], windows: [{action: Deny, schedule: '@daily',"
                                + " durationSeconds: 60}]}",
                        "spec.windows[0].name: must be 1 to 63 lower-case letters, digits or '-', beginning and ending"
                                + " with a letter or digit, got ''",
                        "spec.exceptions[0].name: must be 1 to 63 lower-case letters, digits or '-', beginning and"
                                + " ending with a letter or digit, got ''"),
                row(
                        "two windows of one name",
                        "windows: [{name: hours, action: Deny, schedule: '@daily', durationSeconds: 60}, {name: hours,"
                                + " action: Deny, schedule: '@hourly', durationSeconds: 60}]",
                        "spec.windows[1].name: must be unique, but 'hours' is the name of spec.windows[0] too"),
                row(
                        "an empty list of pod rules, as an older version stored it",
                        "podRules: []",
                        "spec.podRules: must have 1 to 4 entries; for none, write `podRuleSelection: None`"),
                row(
                        "a selection Listed without a list",
                        "podRuleSelection: Listed",
                        "spec.podRules: must have 1 to 4 entries; for none, write `podRuleSelection: None`"),
                row(
                        "a selection All with a list",
                        "{podRuleSelection: All, podRules: [{kind: PodAffinity}]}",
                        "spec.podRuleSelection: must be 'Listed' when `podRules` is given, and only then"),
                row(
                        "a selection None with a list",
                        "{podRuleSelection: None, podRules: [{kind: PodAffinity}]}",
                        "spec.podRuleSelection: must be 'Listed' when `podRules` is given, and only then"),
                row(
                        "a kind named twice",
                        "podRules: [{kind: PodAffinity}, {kind: PodAffinity}]",
                        "spec.podRules[1].kind: 'PodAffinity' must be named once only"),
                row(
                        "spread with Evict while infeasible",
                        "podRules: [{kind: TopologySpread, whenInfeasible: Evict}]",
                        "spec.podRules[0].whenInfeasible: must be 'Wait' for topology spread"),
                row(
                        "spread with EvictAfter while infeasible",
                        "podRules: [{kind: TopologySpread, whenInfeasible: EvictAfter, infeasibleEvictAfterSeconds:"
                                + " 5}]",
                        "spec.podRules[0].whenInfeasible: must be 'Wait' for topology spread"),
                row(
                        "EvictAfter without its time",
                        "podRules: [{kind: NodeAffinity, whenInfeasible: EvictAfter}]",
                        "spec.podRules[0].infeasibleEvictAfterSeconds: must be given when `whenInfeasible` is"
                                + " 'EvictAfter', and only then"),
                row(
                        "a time to evict after without EvictAfter",
                        "podRules: [{kind: NodeAffinity, whenInfeasible: Evict, infeasibleEvictAfterSeconds: 5}]",
                        "spec.podRules[0].infeasibleEvictAfterSeconds: must be given when `whenInfeasible` is"
                                + " 'EvictAfter', and only then"),
                row(
                        "a time to evict after that is zero",
                        "podRules: [{kind: NodeAffinity, whenInfeasible: EvictAfter, infeasibleEvictAfterSeconds: 0}]",
                        "spec.podRules[0].infeasibleEvictAfterSeconds: must be 1 to 604800 (a week), got 0"),
                row(
                        "a time to evict after that is over a week",
                        "podRules: [{kind: NodeAffinity, whenInfeasible: EvictAfter,"
                                + " infeasibleEvictAfterSeconds: 604801}]",
                        "spec.podRules[0].infeasibleEvictAfterSeconds: must be 1 to 604800 (a week), got 604801"),
                row(
                        "a rule that is required where possible, with Evict while infeasible",
                        rule("podAntiAffinityTerm: {topologyKey: zone}, when: PossibleAtScheduling, whenInfeasible:"
                                + " Evict"),
                        "spec.rules[0].whenInfeasible: must be 'Wait' when `when` is 'PossibleAtScheduling'"),
                row(
                        "an invalid name",
                        "rules: [{name: Über, nodeAffinity: {required: {nodeSelectorTerms: [" + NODE_TERM + "]}}}]",
                        "spec.rules[0].name: must be " + LABEL_NAME + ", got 'Über'"),
                row(
                        "two rules with the same name and content",
                        "rules: [{name: r, nodeAffinity: {required: {nodeSelectorTerms: [" + NODE_TERM + "]}}},"
                                + " {name: r, nodeAffinity: {required: {nodeSelectorTerms: [" + NODE_TERM + "]}}}]",
                        "spec.rules[1].name: must be unique, but 'r' is the name of spec.rules[0] too",
                        "spec.rules[1]: is identical to rule 'r': remove one of the two"),
                row(
                        "a rule without a kind",
                        "rules: [{name: r}]",
                        "spec.rules[0]: must have exactly one of `nodeAffinity`, `podAffinityTerm`,"
                                + " `podAntiAffinityTerm` or `topologySpreadConstraint`"),
                row(
                        "a rule with two kinds",
                        rule("podAntiAffinityTerm: {topologyKey: zone}, podAffinityTerm: {labelSelector: {},"
                                + " topologyKey: zone}"),
                        "spec.rules[0]: must have exactly one of `nodeAffinity`, `podAffinityTerm`,"
                                + " `podAntiAffinityTerm` or `topologySpreadConstraint`"),
                row(
                        "node affinity without its required part",
                        rule("nodeAffinity: {}"),
                        "spec.rules[0].nodeAffinity.required: must be given"),
                row(
                        "node terms that match no node",
                        nodeTerm("{}, {}"),
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms: at least one term must have"
                                + " `matchExpressions` or `matchFields`: a term without them matches no node"),
                row(
                        "invalid node expressions",
                        nodeTerm("{matchExpressions: [{key: cores, operator: Gt, values: [\"9\", \"10\"]},"
                                + " {key: cores, operator: Lt, values: [many]}, {key: disk, operator: NotIn},"
                                + " {key: disk, operator: Like, values: [s]}]}"),
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[0].values: must have"
                                + " exactly one whole number, of at most 18 digits and without a sign, when `operator`"
                                + " is 'Gt'",
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[1].values: must have"
                                + " exactly one whole number, of at most 18 digits and without a sign, when `operator`"
                                + " is 'Lt'",
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[2]: 'disk NotIn':"
                                + " `values` must not be empty",
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchExpressions[3].operator: must be"
                                + " In, NotIn, Exists, DoesNotExist, Gt or Lt"),
                row(
                        "node fields other than the name",
                        nodeTerm("{matchFields: [{key: spec.unschedulable, operator: Exists}]}"),
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].key: must be"
                                + " 'metadata.name', got 'spec.unschedulable'",
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].operator: must be In"
                                + " or NotIn",
                        "spec.rules[0].nodeAffinity.required.nodeSelectorTerms[0].matchFields[0].values: must have"
                                + " exactly one node name; give each further node a term of its own"),
                row(
                        "pod affinity without a selector",
                        rule("podAffinityTerm: {topologyKey: zone}"),
                        "spec.rules[0].podAffinityTerm.labelSelector: must be given: without it the rule is about no"
                                + " pod and would be broken everywhere; write {} to mean every pod of the namespaces"),
                row(
                        "a term without a topology key",
                        rule("podAntiAffinityTerm: {labelSelector: {}, namespaces: [Shop]}"),
                        "spec.rules[0].podAntiAffinityTerm.namespaces[0]: must be the name of a namespace: "
                                + LABEL_NAME,
                        "spec.rules[0].podAntiAffinityTerm.topologyKey: must be a label key such as 'app' or"
                                + " 'example.com/tier', got ''"),
                row(
                        "anti-affinity to pods of all namespaces by zone",
                        rule("podAntiAffinityTerm: {labelSelector: {}, namespaceSelector: {}, topologyKey: zone}"),
                        "spec.rules[0].podAntiAffinityTerm.topologyKey: must be 'kubernetes.io/hostname' when"
                                + " `namespaceSelector` is {}: one pod must not bar a whole domain to all namespaces;"
                                + " or name the namespaces"),
                row(
                        "merged keys without a selector",
                        rule("podAntiAffinityTerm: {topologyKey: zone, matchLabelKeys: [a], mismatchLabelKeys: [a]}"),
                        "spec.rules[0].podAntiAffinityTerm.matchLabelKeys: needs `labelSelector`, if only as {}",
                        "spec.rules[0].podAntiAffinityTerm.mismatchLabelKeys: needs `labelSelector`, if only as {}",
                        "spec.rules[0].podAntiAffinityTerm.matchLabelKeys: must not name a key that `mismatchLabelKeys`"
                                + " names as well"),
                row(
                        "merged keys that the selector names",
                        spread(", labelSelector: {matchLabels: {app: web}}, matchLabelKeys: [\"a b\", app]"),
                        "spec.rules[0].topologySpreadConstraint.matchLabelKeys[0]: must be a label key such as 'app' or"
                                + " 'example.com/tier', got 'a b'",
                        "spec.rules[0].topologySpreadConstraint.matchLabelKeys: must not name a key that"
                                + " `labelSelector` names as well"),
                row(
                        "a spread with all fields invalid",
                        rule("topologySpreadConstraint: {whenUnsatisfiable: ScheduleAnyway, minDomains: 0}"),
                        "spec.rules[0].topologySpreadConstraint.maxSkew: must be at least 1, got 0",
                        "spec.rules[0].topologySpreadConstraint.topologyKey: must be a label key such as 'app' or"
                                + " 'example.com/tier', got ''",
                        "spec.rules[0].topologySpreadConstraint.whenUnsatisfiable: must be 'DoNotSchedule': a"
                                + " constraint with 'ScheduleAnyway' is only preferred, and never broken",
                        "spec.rules[0].topologySpreadConstraint.minDomains: must be at least 1, got 0"));
    }

    private static Arguments row(String name, String spec, String... problems) {
        return argumentSet(name, spec, List.of(problems));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void namesEverythingThatIsWrong(String spec, List<String> expected) {
        Translation translation = translate(spec);

        assertThat(translation).isInstanceOf(Translation.Refused.class);
        assertThat(((Translation.Refused) translation).problems())
                .extracting(SpecProblem::toString)
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
        Enforce;  Inject;            '';       INJECT
        Enforce;  Inject;            Enforce;  INJECT
        Enforce;  Inject;            Audit;    NONE
        Audit;    Inject;            '';       NONE
        Audit;    Inject;            Enforce;  NONE
        Disabled; Inject;            '';       NONE
        Enforce;  InjectAlsoInAudit; Audit;    INJECT
        Audit;    InjectAlsoInAudit; '';       INJECT
        Disabled; InjectAlsoInAudit; '';       NONE
        Enforce;  None;              '';       NONE
        """)
    void aRefusedSpecIsInjectedAsTheChartDoes(
            String mode, String scheduling, String ofRule, PolicyScheduling injected) {
        Translation translation =
                translate("forgivenessSeconds: -1\nmode: " + mode + "\nscheduling: " + scheduling + "\n"
                        + rule("podAffinityTerm: {topologyKey: zone, labelSelector: {}}"
                                + (ofRule.isEmpty() ? "" : ", mode: " + ofRule)));

        assertThat(translation)
                .asInstanceOf(type(Translation.Refused.class))
                .extracting(Translation.Refused::scheduling)
                .isEqualTo(injected);
    }

    static Stream<Arguments> newerSpecs() {
        return Stream.of(
                row(
                        "a field of the spec",
                        "{weather: [{action: Deny}], limit: {}}",
                        "spec.limit: is not known to this version of Holdfast",
                        "spec.weather: is not known to this version of Holdfast"),
                row(
                        "a mode",
                        "mode: Rehearse",
                        "spec.mode: must be Audit, Enforce or Disabled; this version of Holdfast knows no other"),
                row(
                        "a rule's mode",
                        "podRules: [{kind: NodeAffinity, mode: Rehearse}]",
                        "spec.podRules[0].mode: must be Audit, Enforce or Disabled; this version of Holdfast knows no"
                                + " other"),
                row(
                        "a field of a term",
                        rule("podAntiAffinityTerm: {topologyKey: zone, weightedBy: cpu}"),
                        "spec.rules[0].podAntiAffinityTerm.weightedBy: is not known to this version of Holdfast"),
                row(
                        "whenDomainAdded",
                        rule("topologySpreadConstraint: {maxSkew: 1, topologyKey: zone, whenUnsatisfiable:"
                                + " DoNotSchedule, labelSelector: {}}, whenDomainAdded: Shuffle"),
                        "spec.rules[0].whenDomainAdded: must be Hold or Rebalance; this version of Holdfast knows no"
                                + " other"),
                row(
                        "victim",
                        rule("podAntiAffinityTerm: {topologyKey: zone}, victim: Youngest"),
                        "spec.rules[0].victim: must be RuleOwner or LowestPriority; this version of Holdfast knows no"
                                + " other"),
                row(
                        "when",
                        rule("podAntiAffinityTerm: {topologyKey: zone}, when: Sometimes"),
                        "spec.rules[0].when: must be Always or PossibleAtScheduling; this version of Holdfast knows no"
                                + " other"),
                row(
                        "whenInfeasible",
                        rule("podAntiAffinityTerm: {topologyKey: zone}, whenInfeasible: EvictBefore"),
                        "spec.rules[0].whenInfeasible: must be Wait, Evict or EvictAfter; this version of Holdfast"
                                + " knows no other"),
                row(
                        "what a window does, and a field of it",
                        "windows: [{name: hours, action: Slow, schedule: \"0 8 * * *\", durationSeconds: 60, calendar:"
                                + " swiss}]",
                        "spec.windows[0].calendar: is not known to this version of Holdfast",
                        "spec.windows[0].action: must be Deny or Allow; this version of Holdfast knows no other"),
                row(
                        "a reason to lift",
                        "allow: [LocalStorage, NodeLeaving]",
                        "spec.allow[1]: must be RunsToCompletion, LocalStorage, TooFewReplicas, ForeignScheduler,"
                                + " HasEvictionResponder, UnknownController or ReplacementRefused; this version of"
                                + " Holdfast knows no other"),
                row(
                        "fields of limits and of an exception",
                        "{limits: {perZone: 1, perWorkload: {perDay: 1}}, exceptions: [{name: some, podSelector: {},"
                                + " reason: r, by: me}]}",
                        "spec.exceptions[0].by: is not known to this version of Holdfast",
                        "spec.limits.perZone: is not known to this version of Holdfast",
                        "spec.limits.perWorkload.perDay: is not known to this version of Holdfast"),
                row(
                        "which nodes a spread counts",
                        spread(", nodeTaintsPolicy: Sometimes"),
                        "spec.rules[0].topologySpreadConstraint.nodeTaintsPolicy: must be Honor or Ignore; this version"
                                + " of Holdfast knows no other"));
    }

    @ParameterizedTest
    @MethodSource("newerSpecs")
    void auditsWhatANewerVersionHasWritten(String spec, List<String> expected) {
        Translation translation = translate(spec);

        assertThat(translation).isInstanceOf(Translation.InPart.class);
        assertThat(((Translation.InPart) translation).unknown())
                .extracting(SpecProblem::toString)
                .isEqualTo(expected);
    }

    @Test
    void enforcesNothingOfAPolicyWithAFieldItDoesNotKnow() {
        Translation translation = translate("""
            mode: Enforce
            podSelector: {}
            podRules: [{kind: NodeAffinity}, {kind: Volume}]
            rules: [{name: near, podAffinityTerm: {labelSelector: {}, topologyKey: zone}},
                    {name: newer, volumeAffinity: {}}]
            annotationRules: Allow
            weather: []
            """);

        Policy policy = ((Translation.InPart) translation).policy();
        assertThat(policy.mode()).isEqualTo(Mode.AUDIT);
        assertThat(policy.podRules()).containsOnlyKeys(RuleKind.NODE_AFFINITY);
        assertThat(policy.podRules().values()).extracting(Enforcement::mode).containsOnly(Mode.AUDIT);
        assertThat(policy.rules()).extracting(NamedRule::name).containsExactly("near");
        assertThat(policy.rules()).extracting(it -> it.enforcement().mode()).containsOnly(Mode.AUDIT);
        assertThat(policy.annotationRules()).map(Enforcement::mode).contains(Mode.AUDIT);
        assertThat(((Translation.InPart) translation).unknown())
                .extracting(SpecProblem::toString)
                .containsExactly(
                        "spec.weather: is not known to this version of Holdfast",
                        "spec.podRules[1].kind: must be NodeAffinity, PodAffinity, PodAntiAffinity or TopologySpread;"
                                + " this version of Holdfast knows no other",
                        "spec.rules[1].volumeAffinity: is not known to this version of Holdfast");
    }

    /** A rule that may not be required always is not reported as one that is. */
    @Test
    void aRuleWithAWordForWhenThatIsNotKnownIsAuditedWherePossible() {
        Translation translation = translate("{mode: Enforce, podSelector: {}, "
                + rule("podAntiAffinityTerm: {topologyKey: zone}, when: Sometimes") + "}");

        assertThat(translation)
                .isInstanceOfSatisfying(
                        Translation.InPart.class,
                        inPart -> assertThat(inPart.policy().rules())
                                .extracting(NamedRule::enforcement)
                                .extracting(Enforcement::mode, Enforcement::whenRequired)
                                .containsExactly(tuple(Mode.AUDIT, WhenRequired.POSSIBLE_AT_SCHEDULING)));
    }

    private static String values(int count, int length) {
        return IntStream.range(0, count)
                .mapToObj(i -> "v".repeat(length - 4) + (1_000 + i))
                .collect(Collectors.joining(", "));
    }

    private static String nodeValues(int count, int length) {
        return nodeTerm("{matchExpressions: [{key: disk, operator: In, values: [" + values(count, length) + "]}]}");
    }

    static Stream<Arguments> sizes() {
        return Stream.of(
                argumentSet("a spec with 498 values beside its 14 other parts", nodeValues(498, 5), ""),
                argumentSet(
                        "a spec with 499 values beside its 14 other parts",
                        nodeValues(499, 5),
                        "spec: must have at most 512 objects and values with 8,192 characters, got 513 with 2,531:"
                                + " split it into several policies"),
                argumentSet(
                        "a spec with 200 values of 41 characters",
                        nodeValues(200, 41),
                        "spec: must have at most 512 objects and values with 8,192 characters, got 214 with 8,236:"
                                + " split it into several policies"));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void aSpecOfAnySizeIsReadInFullOrNotAtAll(String spec, String problem) {
        Translation translation = translate(spec);

        if (problem.isEmpty()) {
            assertThat(translation.valid()).isPresent();
        } else {
            assertThat(translation)
                    .isInstanceOfSatisfying(
                            Translation.Refused.class,
                            refused -> assertThat(refused.problems())
                                    .extracting(SpecProblem::toString)
                                    .containsExactly(problem));
        }
    }
}
