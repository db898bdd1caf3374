package dev.holdfast.operator.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Policy.NamedRule;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.rule.WhenRequired;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the translation of policies from YAML into the engine's policies. */
class PolicyTranslatorTest {
    private static final Duration DEFAULT = Duration.ofMinutes(5);
    private static final Enforcement AUDITED = new Enforcement(Mode.AUDIT, DEFAULT, WhenInfeasible.WAIT);
    private static final Requirement SSD = new Requirement("disk", "In", List.of("ssd"));
    private static final LabelSelector WEB = new LabelSelector(Labels.of("app", "web"), List.of());

    private static Translation translate(String spec) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: web, generation: 3}
            spec:
            """ + spec.indent(2);
        return new PolicyTranslator(DEFAULT).translate(Serialization.unmarshal(yaml, PlacementPolicy.class));
    }

    private static Translation translateCluster(String spec) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: audit, generation: 1}
            spec:
            """ + spec.indent(2);
        return new PolicyTranslator(DEFAULT).translate(Serialization.unmarshal(yaml, ClusterPlacementPolicy.class));
    }

    private static Policy understood(Translation translation) {
        assertThat(translation).isInstanceOf(Translation.Understood.class);
        return ((Translation.Understood) translation).policy();
    }

    @Test
    void theEmptySpecAuditsTheOwnRulesOfAllPods() {
        Policy policy = understood(translateCluster("{}"));

        assertThat(policy.id()).isEqualTo(PolicyId.cluster("audit"));
        assertThat(policy.generation()).isEqualTo(1);
        assertThat(policy.mode()).isEqualTo(Mode.AUDIT);
        assertThat(policy.pods().matchesEverything()).isTrue();
        assertThat(policy.nodes()).isEmpty();
        assertThat(policy.namespaces()).isEmpty();
        assertThat(policy.rules()).isEmpty();
        assertThat(policy.podRules())
                .isEqualTo(Map.of(
                        RuleKind.NODE_AFFINITY, AUDITED,
                        RuleKind.POD_AFFINITY, AUDITED,
                        RuleKind.POD_ANTI_AFFINITY, AUDITED,
                        RuleKind.TOPOLOGY_SPREAD, AUDITED));
    }

    @Test
    void aClusterPolicyMayHaveThoseInTheWayGoInsteadOfTheRuleOwner() {
        Policy policy = understood(translateCluster("""
            rules:
            - name: apart
              victim: LowestPriority
              podAntiAffinityTerm: {topologyKey: zone, labelSelector: {}}
            """));

        assertThat(policy.rules())
                .extracting(rule -> rule.enforcement().victim())
                .containsExactly(VictimChoice.LOWEST_PRIORITY);
    }

    @Test
    void aSpecThatIsMissingIsRefused() {
        PlacementPolicy policy = new PlacementPolicy();
        policy.getMetadata().setNamespace("shop");
        policy.getMetadata().setName("web");

        assertThat(new PolicyTranslator(DEFAULT).translate(policy))
                .isEqualTo(new Translation.Refused(
                        List.of(new SpecProblem("spec", "must be given, if only as {}")), PolicyScheduling.NONE));
    }

    @Test
    void anAuditedPolicyInjectsIfItSaysSo() {
        assertThat(understood(translate("{mode: Enforce, podSelector: {}, scheduling: Inject}"))
                        .injects())
                .isTrue();
        assertThat(understood(translate("{mode: Disabled, scheduling: Inject}")).injects())
                .isFalse();
        assertThat(understood(translate("{scheduling: InjectAlsoInAudit}")).injects())
                .isTrue();
        assertThat(understood(translate("{}")).injects()).isFalse();
    }

    @Test
    void aNamespacedPolicyIsThatOfItsNamespace() {
        Policy policy = understood(translate("{}"));

        assertThat(policy.id()).isEqualTo(PolicyId.namespaced("shop", "web"));
        assertThat(policy.generation()).isEqualTo(3);
    }

    @Test
    void selectorsSelectWhatTheySay() {
        Policy policy = understood(translateCluster("""
            namespaceSelector: {matchLabels: {team: web}}
            podSelector: {matchExpressions: [{key: tier, operator: NotIn, values: [batch]}]}
            nodeSelector: {matchLabels: {pool: general}}
            """));

        assertThat(policy.namespaces()).get().matches(it -> it.matches(Labels.of("team", "web")));
        assertThat(policy.namespaces()).get().matches(it -> !it.matches(Labels.none()));
        assertThat(policy.pods().matches(Labels.none())).isTrue();
        assertThat(policy.pods().matches(Labels.of("tier", "batch"))).isFalse();
        assertThat(policy.nodes()).get().matches(it -> it.matches(Labels.of("pool", "general")));
    }

    @Test
    void emptySelectorsOfAPolicyEqualNone() {
        Policy policy = understood(translateCluster("{namespaceSelector: {}, podSelector: {}, nodeSelector: {}}"));

        assertThat(policy.pods().matchesEverything()).isTrue();
        assertThat(policy.nodes()).isEmpty();
        assertThat(policy.namespaces()).isEmpty();
    }

    static Stream<Arguments> ownRules() {
        WhenInfeasible afterAMinute = WhenInfeasible.evictAfter(Duration.ofMinutes(1));
        return Stream.of(
                argumentSet("the selection None requests no rules", "{podRuleSelection: None}", Map.of()),
                argumentSet(
                        "a list is the selection Listed",
                        "{podRuleSelection: Listed, podRules: [{kind: PodAffinity}]}",
                        Map.of(RuleKind.POD_AFFINITY, AUDITED)),
                argumentSet(
                        "the selection All requests every kind",
                        "{podRuleSelection: All}",
                        Map.of(
                                RuleKind.NODE_AFFINITY,
                                AUDITED,
                                RuleKind.POD_AFFINITY,
                                AUDITED,
                                RuleKind.POD_ANTI_AFFINITY,
                                AUDITED,
                                RuleKind.TOPOLOGY_SPREAD,
                                AUDITED)),
                argumentSet(
                        "an entry inherits the policy's mode and forgiveness",
                        "{mode: Enforce, podSelector: {}, forgivenessSeconds: 60, podRules: [{kind: NodeAffinity}]}",
                        Map.of(RuleKind.NODE_AFFINITY, enforcement(Mode.ENFORCE, 60, WhenInfeasible.WAIT))),
                argumentSet(
                        "an entry's own forgiveness wins, and may be 0",
                        "{forgivenessSeconds: 60, podRules: [{kind: PodAffinity, forgivenessSeconds: 0}]}",
                        Map.of(RuleKind.POD_AFFINITY, enforcement(Mode.AUDIT, 0, WhenInfeasible.WAIT))),
                argumentSet(
                        "an entry's mode is capped at the policy's mode",
                        "{podRules: [{kind: PodAffinity, mode: Enforce}]}",
                        Map.of(RuleKind.POD_AFFINITY, AUDITED)),
                argumentSet(
                        "an entry's mode may be lower than the policy's",
                        "{mode: Enforce, podSelector: {}, podRules: [{kind: TopologySpread, mode: Audit}]}",
                        Map.of(RuleKind.TOPOLOGY_SPREAD, AUDITED)),
                argumentSet(
                        "an entry that is Disabled is left out",
                        "{podRules: [{kind: TopologySpread, mode: Disabled}, {kind: NodeAffinity}]}",
                        Map.of(RuleKind.NODE_AFFINITY, AUDITED)),
                argumentSet("a policy that is Disabled requests no rules", "{mode: Disabled}", Map.of()),
                argumentSet(
                        "whenInfeasible is the entry's",
                        "{podRules: [{kind: PodAffinity, whenInfeasible: Evict}]}",
                        Map.of(RuleKind.POD_AFFINITY, enforcement(Mode.AUDIT, 300, WhenInfeasible.EVICT))),
                argumentSet(
                        "EvictAfter has its time",
                        "{podRules: [{kind: PodAffinity, whenInfeasible: EvictAfter, infeasibleEvictAfterSeconds:"
                                + " 60}]}",
                        Map.of(RuleKind.POD_AFFINITY, enforcement(Mode.AUDIT, 300, afterAMinute))),
                argumentSet(
                        "a new domain moves pods if the entry says so",
                        "{podRules: [{kind: TopologySpread, whenDomainAdded: Rebalance}]}",
                        Map.of(
                                RuleKind.TOPOLOGY_SPREAD,
                                new Enforcement(Mode.AUDIT, DEFAULT, WhenInfeasible.WAIT, WhenDomainAdded.REBALANCE))));
    }

    private static Enforcement enforcement(Mode mode, int seconds, WhenInfeasible whenInfeasible) {
        return new Enforcement(mode, Duration.ofSeconds(seconds), whenInfeasible);
    }

    @ParameterizedTest
    @MethodSource("ownRules")
    void asksForThePodsOwnRules(String spec, Map<RuleKind, Enforcement> expected) {
        assertThat(understood(translate(spec)).podRules()).isEqualTo(expected);
    }

    static Stream<Arguments> annotationRules() {
        return Stream.of(
                argumentSet("absent", "{podSelector: {}}", Optional.empty()),
                argumentSet("ignored", "{annotationRules: Ignore}", Optional.empty()),
                argumentSet("allowed, with the defaults", "{annotationRules: Allow}", Optional.of(AUDITED)),
                argumentSet(
                        "allowed, with what the policy says",
                        "{mode: Enforce, podSelector: {}, forgivenessSeconds: 60, annotationRules: Allow}",
                        Optional.of(enforcement(Mode.ENFORCE, 60, WhenInfeasible.WAIT))),
                argumentSet(
                        "allowed by a policy that is off",
                        "{mode: Disabled, annotationRules: Allow}",
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("annotationRules")
    void allowsRulesInAnnotations(String spec, Optional<Enforcement> expected) {
        assertThat(understood(translate(spec)).annotationRules()).isEqualTo(expected);
    }

    @Test
    void aWordThatIsNotKnownAllowsNoRulesInAnnotations() {
        assertThat(translate("{mode: Enforce, podSelector: {}, annotationRules: AllowSome}"))
                .isInstanceOfSatisfying(Translation.InPart.class, inPart -> {
                    assertThat(inPart.policy().annotationRules()).isEmpty();
                    assertThat(inPart.unknown())
                            .containsExactly(new SpecProblem(
                                    "spec.annotationRules",
                                    "must be Ignore or Allow; this version of Holdfast knows no other"));
                });
    }

    static Stream<Arguments> furtherRules() {
        return Stream.of(
                argumentSet(
                        "node affinity",
                        """
                        nodeAffinity: {required: {nodeSelectorTerms: [
                          {matchExpressions: [{key: disk, operator: In, values: [ssd]}]},
                          {matchFields: [{key: metadata.name, operator: NotIn, values: [n1]}],
                           matchExpressions: [{key: cores, operator: Gt, values: ["7"]}]}]}}
                        """,
                        new Rule.NodeAffinity(
                                Labels.none(),
                                Optional.of(new NodeSelector(List.of(
                                        new NodeSelectorTerm(List.of(SSD), List.of()),
                                        new NodeSelectorTerm(
                                                List.of(new Requirement("cores", "Gt", List.of("7"))),
                                                List.of(new Requirement("metadata.name", "NotIn", List.of("n1"))))))))),
                argumentSet(
                        "pod affinity over the rule owner's namespace (PA-2)",
                        "podAffinityTerm: {labelSelector: {matchLabels: {app: web}}, topologyKey: zone}",
                        new Rule.PodAffinity(List.of(PodAffinityTerm.of(WEB, "zone")))),
                argumentSet(
                        "pod affinity to every pod of all namespaces: {} is not absent (PA-1, PA-4)",
                        "podAffinityTerm: {labelSelector: {}, namespaceSelector: {}, topologyKey: zone}",
                        new Rule.PodAffinity(List.of(new PodAffinityTerm(
                                Optional.of(LabelSelector.everything()),
                                List.of(),
                                Optional.of(LabelSelector.everything()),
                                "zone",
                                List.of(),
                                List.of())))),
                argumentSet(
                        "pod anti-affinity without a selector matches no pod (PA-1)",
                        "podAntiAffinityTerm: {topologyKey: zone}",
                        new Rule.PodAntiAffinity(new PodAffinityTerm(
                                Optional.empty(), List.of(), Optional.empty(), "zone", List.of(), List.of()))),
                argumentSet(
                        "pod anti-affinity over names and a selector of namespaces, with keys (PA-3, PA-5, PA-7)",
                        """
                        podAntiAffinityTerm:
                          labelSelector: {matchLabels: {app: web}}
                          namespaces: [data]
                          namespaceSelector: {matchLabels: {app: web}}
                          topologyKey: zone
                          matchLabelKeys: [hash]
                          mismatchLabelKeys: [tenant]
                        """,
                        new Rule.PodAntiAffinity(new PodAffinityTerm(
                                Optional.of(WEB),
                                List.of("data"),
                                Optional.of(WEB),
                                "zone",
                                List.of("hash"),
                                List.of("tenant")))),
                argumentSet(
                        "topology spread with the defaults of the Kubernetes API",
                        """
                        topologySpreadConstraint: {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,
                          labelSelector: {matchLabels: {app: web}}}
                        """,
                        new Rule.TopologySpread(TopologySpreadConstraint.of(1, "zone", WEB), List.of())),
                argumentSet(
                        "topology spread with all fields",
                        """
                        topologySpreadConstraint: {maxSkew: 2, topologyKey: zone, whenUnsatisfiable: DoNotSchedule,
                          labelSelector: {matchLabels: {app: web}}, minDomains: 3, nodeAffinityPolicy: Ignore,
                          nodeTaintsPolicy: Honor, matchLabelKeys: [hash]}
                        """,
                        new Rule.TopologySpread(
                                new TopologySpreadConstraint(
                                        2,
                                        "zone",
                                        Optional.of(WEB),
                                        3,
                                        NodeInclusionPolicy.IGNORE,
                                        NodeInclusionPolicy.HONOR,
                                        List.of("hash")),
                                List.of())));
    }

    @ParameterizedTest
    @MethodSource("furtherRules")
    void readsRulesOfEveryKind(String rule, Rule expected) {
        String spec = "rules:\n- name: r\n" + rule.indent(2);

        assertThat(understood(translate(spec)).rules()).containsExactly(new NamedRule("r", expected, AUDITED));
    }

    @Test
    void rulesKeepTheirOrderAndThoseThatAreOffAreLeftOut() {
        String ssd = "nodeAffinity: {required: {nodeSelectorTerms: [{matchExpressions:"
                + " [{key: disk, operator: In, values: [ssd]}]}]}}";
        Policy policy = understood(translate("""
            mode: Enforce
            podSelector: {}
            rules:
            - {name: z, podAntiAffinityTerm: {topologyKey: zone}, mode: Audit, forgivenessSeconds: 5}
            - {name: disabled, %s, mode: Disabled}
            - {name: a, %s, whenInfeasible: Evict}
            - {name: wanted, podAntiAffinityTerm: {topologyKey: rack}, when: PossibleAtScheduling}
            """.formatted(ssd, ssd)));

        assertThat(policy.rules())
                .extracting(NamedRule::name, NamedRule::enforcement)
                .containsExactly(
                        tuple("z", enforcement(Mode.AUDIT, 5, WhenInfeasible.WAIT)),
                        tuple("a", enforcement(Mode.ENFORCE, 300, WhenInfeasible.EVICT)),
                        tuple(
                                "wanted",
                                new Enforcement(
                                        Mode.ENFORCE,
                                        DEFAULT,
                                        WhenInfeasible.WAIT,
                                        WhenDomainAdded.HOLD,
                                        VictimChoice.RULE_OWNER,
                                        WhenRequired.POSSIBLE_AT_SCHEDULING)));
    }
}
