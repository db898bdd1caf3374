package dev.holdfast.crds.v1alpha1;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.choice.RuleKind;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that reading and writing a policy loses nothing, not even the difference between {@code {}} and absent. */
class RoundTripTest {
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    static Stream<Arguments> specs() {
        return Stream.of(
                argumentSet("absent selectors stay absent", "mode: Audit\npodRuleSelection: None\n"),
                argumentSet("empty selectors stay {}", """
                    mode: Enforce
                    namespaceSelector: {}
                    podSelector: {}
                    nodeSelector: {}
                    podRuleSelection: None
                    """),
                argumentSet("an empty and an absent selector in a term stay apart", """
                    mode: Audit
                    podRuleSelection: None
                    rules:
                    - name: with-empty
                      podAntiAffinityTerm:
                        labelSelector: {}
                        namespaceSelector: {}
                        topologyKey: kubernetes.io/hostname
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: RuleOwner
                    - name: with-none
                      podAntiAffinityTerm:
                        topologyKey: kubernetes.io/hostname
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: RuleOwner
                    - name: spread-over-none
                      topologySpreadConstraint:
                        maxSkew: 1
                        topologyKey: zone
                        whenUnsatisfiable: DoNotSchedule
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: RuleOwner
                    - name: spread-over-all
                      topologySpreadConstraint:
                        maxSkew: 1
                        topologyKey: zone
                        whenUnsatisfiable: DoNotSchedule
                        labelSelector: {}
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: RuleOwner
                    """),
                argumentSet("every field there is", """
                    mode: Enforce
                    namespaceSelector:
                      matchLabels:
                        team: web
                    podSelector:
                      matchLabels:
                        b: "2"
                        a: "1"
                      matchExpressions:
                      - key: tier
                        operator: NotIn
                        values:
                        - batch
                    nodeSelector:
                      matchExpressions:
                      - key: pool
                        operator: Exists
                    podRules:
                    - kind: NodeAffinity
                      mode: Audit
                      forgivenessSeconds: 0
                      whenInfeasible: Evict
                      whenDomainAdded: Hold
                    rules:
                    - name: ssd
                      nodeAffinity:
                        required:
                          nodeSelectorTerms:
                          - matchExpressions:
                            - key: cores
                              operator: Gt
                              values:
                              - "7"
                            matchFields:
                            - key: metadata.name
                              operator: NotIn
                              values:
                              - node-12
                      when: Always
                      mode: Disabled
                      forgivenessSeconds: 604800
                      whenInfeasible: Evict
                      whenDomainAdded: Hold
                      victim: RuleOwner
                    - name: near
                      podAffinityTerm:
                        labelSelector:
                          matchLabels:
                            app: cache
                        namespaces:
                        - data
                        namespaceSelector:
                          matchLabels:
                            team: data
                        topologyKey: zone
                        matchLabelKeys:
                        - pod-template-hash
                        mismatchLabelKeys:
                        - tenant
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: RuleOwner
                    - name: apart
                      podAntiAffinityTerm:
                        labelSelector:
                          matchLabels:
                            tier: batch
                        topologyKey: zone
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: LowestPriority
                    - name: even
                      topologySpreadConstraint:
                        maxSkew: 2
                        topologyKey: zone
                        whenUnsatisfiable: DoNotSchedule
                        labelSelector:
                          matchLabels:
                            app: web
                        minDomains: 3
                        nodeAffinityPolicy: Ignore
                        nodeTaintsPolicy: Honor
                        matchLabelKeys:
                        - pod-template-hash
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Rebalance
                      victim: RuleOwner
                    forgivenessSeconds: 300
                    """),
                argumentSet("fields of a newer version", """
                    mode: Audit
                    podRules:
                    - kind: NodeAffinity
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      surprise: 1
                    rules:
                    - name: new
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: RuleOwner
                      someNewRule:
                        a: b
                    - name: newer-term
                      podAffinityTerm:
                        labelSelector: {}
                        topologyKey: zone
                        notLabelKeys:
                        - tenant
                      when: Always
                      whenInfeasible: Wait
                      whenDomainAdded: Hold
                      victim: RuleOwner
                    weather:
                    - action: Deny
                    """));
    }

    @ParameterizedTest
    @MethodSource("specs")
    void writesWhatItRead(String spec) {
        assertThat(write(read(spec))).isEqualTo("---\n" + spec);
    }

    @Test
    void anEmptySpecReadsAsTheSchemaDefaultsIt() {
        ClusterPlacementPolicySpec spec = read("{}");

        assertThat(spec.mode()).isEqualTo(Mode.AUDIT);
        assertThat(spec.podRuleSelection()).isNull();
        assertThat(spec.podRules()).isNull();
        assertThat(spec.rules()).isEmpty();
        assertThat(spec.podSelector()).isNull();
        assertThat(spec.forgivenessSeconds()).isNull();
        assertThat(spec.unknownFields()).isEmpty();
    }

    @Test
    void invalidObjectsAreReadWithoutFailing() {
        ClusterPlacementPolicySpec spec = read("""
            mode: Destroy
            podRules: [{kind: Gravity}, {}]
            rules:
            - topologySpreadConstraint: {}
            - podAffinityTerm: {labelSelector: {matchExpressions: [{operator: Near}]}}
            - nodeAffinity: {}
            - nodeAffinity: {preferred: 1, required: {all: 1, nodeSelectorTerms: [{any: 1, matchFields: [{name: 1}]}]}}
            podSelector: {matchTaints: []}
            """);

        assertThat(spec.mode()).isEqualTo(Mode.UNRECOGNIZED);
        assertThat(spec.podRules()).extracting(PodRule::kind).containsOnly(RuleKind.UNRECOGNIZED);
        assertThat(spec.rules()).extracting(PolicyRule::name).containsOnly("");
        assertThat(Objects.requireNonNull(spec.rules().get(0).topologySpreadConstraint())
                        .maxSkew())
                .isZero();
        assertThat(Objects.requireNonNull(spec.rules().get(2).nodeAffinity()).required())
                .isNull();
    }

    @Test
    void aWholeObjectIsReadAndWritten() {
        String policy = """
            ---
            apiVersion: "holdfast.dev/v1alpha1"
            kind: "PlacementPolicy"
            metadata:
              name: "web"
              namespace: "shop"
            spec:
              mode: "Enforce"
              podSelector: {}
              podRuleSelection: None
            status:
              observedGeneration: 3
              conditions:
              - type: "Ready"
                status: "True"
                reason: "Evaluated"
                message: "fine"
                lastTransitionTime: "2026-11-20T15:42:10Z"
                observedGeneration: 3
              effective:
                mode: "Audit"
                forgivenessSeconds: 300
              pods:
                selected: 120
                violating: 3
                due: 2
                held: 0
              nextDeadlineTime: "2026-11-20T15:42:10Z"
            """;

        assertThat(YAML.asYaml(YAML.unmarshal(policy, PlacementPolicy.class)).replace("\"", ""))
                .isEqualTo(policy.replace("\"", ""));
    }

    private static ClusterPlacementPolicySpec read(String spec) {
        return YAML.unmarshal(spec, ClusterPlacementPolicySpec.class);
    }

    private static String write(ClusterPlacementPolicySpec spec) {
        return YAML.asYaml(spec).replaceAll("\"([a-zA-Z][^\"]*)\"", "$1");
    }
}
