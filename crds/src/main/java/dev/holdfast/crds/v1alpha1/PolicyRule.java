package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.choice.VictimChoice;
import dev.holdfast.crds.v1alpha1.choice.WhenDomainAdded;
import dev.holdfast.crds.v1alpha1.choice.WhenInfeasible;
import dev.holdfast.crds.v1alpha1.choice.WhenRequired;
import dev.holdfast.crds.v1alpha1.core.PodAffinityTerm;
import dev.holdfast.crds.v1alpha1.core.TopologySpreadConstraint;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One of a policy's own rules. A rule of an admitted policy has one of four kinds: node affinity, pod affinity, pod
 * anti-affinity or topology spread. The parts of the other three kinds are {@code null}.
 *
 * @param name name of the rule, unique in the policy
 * @param nodeAffinity nodes that the pods may run on
 * @param podAffinityTerm partners; each pod must share a domain with at least one of them
 * @param podAntiAffinityTerm partners; no pod may share a domain with any of them
 * @param topologySpreadConstraint how evenly the pods must be spread over domains
 * @param when whether the rule is required always, or only where some node can satisfy it
 * @param mode what the operator may do for this rule, unless the policy's own mode is weaker; {@code null} means the
 *     policy's mode
 * @param forgivenessSeconds seconds that a violation must last before the operator acts; {@code null} means the
 *     policy's value
 * @param whenInfeasible what happens while no other node would take the pod; topology spread allows only {@code WAIT}
 * @param infeasibleEvictAfterSeconds seconds after which the pod is evicted although no other node would take it;
 *     {@code null} unless {@code whenInfeasible} is {@code EVICT_AFTER}
 * @param whenDomainAdded whether pods move when the spread is broken only because a domain is new or can take pods
 *     again; only topology spread allows {@code REBALANCE}
 * @param victim which pods to evict; only anti-affinity in a ClusterPlacementPolicy allows {@code LOWEST_PRIORITY}
 * @param unknownFields fields that this version does not know, by name; for example a kind of rule of a newer version
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "[has(self.nodeAffinity), has(self.podAffinityTerm), has(self.podAntiAffinityTerm),"
                + " has(self.topologySpreadConstraint)].exists_one(given, given)",
        message = "must have exactly one of `nodeAffinity`, `podAffinityTerm`, `podAntiAffinityTerm` or"
                + " `topologySpreadConstraint`")
@ValidationRule(
        value = "!has(self.podAffinityTerm) || has(self.podAffinityTerm.labelSelector)",
        fieldPath = ".podAffinityTerm.labelSelector",
        message = "must be given: without it the rule is about no pod and would be broken everywhere; write {} to mean"
                + " every pod of the namespaces")
@ValidationRule(
        value = "!has(self.podAntiAffinityTerm) || !has(self.podAntiAffinityTerm.namespaceSelector)"
                + " || self.podAntiAffinityTerm.topologyKey == 'kubernetes.io/hostname'"
                + " || (has(self.podAntiAffinityTerm.namespaceSelector.matchLabels)"
                + " && size(self.podAntiAffinityTerm.namespaceSelector.matchLabels) > 0)"
                + " || (has(self.podAntiAffinityTerm.namespaceSelector.matchExpressions)"
                + " && size(self.podAntiAffinityTerm.namespaceSelector.matchExpressions) > 0)",
        fieldPath = ".podAntiAffinityTerm.topologyKey",
        message = "must be 'kubernetes.io/hostname' when `namespaceSelector` is {}: one pod must not bar a whole domain"
                + " to all namespaces; or name the namespaces")
@ValidationRule(
        value = "!has(self.topologySpreadConstraint) || !has(self.whenInfeasible) || self.whenInfeasible == 'Wait'",
        fieldPath = ".whenInfeasible",
        message = "must be 'Wait' for a `topologySpreadConstraint`")
@ValidationRule(
        value = "!has(self.when) || self.when != 'PossibleAtScheduling' || !has(self.whenInfeasible)"
                + " || self.whenInfeasible == 'Wait'",
        fieldPath = ".whenInfeasible",
        message = "must be 'Wait' when `when` is 'PossibleAtScheduling': no pod is evicted where no node satisfies the"
                + " rule")
@ValidationRule(
        value = "!has(self.whenDomainAdded) || self.whenDomainAdded == 'Hold'"
                + " || has(self.topologySpreadConstraint)",
        fieldPath = ".whenDomainAdded",
        message = "must be 'Hold' for any rule but a `topologySpreadConstraint`")
@ValidationRule(
        value = "!has(self.victim) || self.victim == 'RuleOwner' || has(self.podAntiAffinityTerm)",
        fieldPath = ".victim",
        message = "must be 'RuleOwner' for any rule but a `podAntiAffinityTerm`")
@ValidationRule(
        value = PolicyText.EVICT_AFTER_BOTH,
        fieldPath = ".infeasibleEvictAfterSeconds",
        message = PolicyText.EVICT_AFTER_BOTH_MESSAGE)
public record PolicyRule(
        @Required
        @JsonPropertyDescription(PolicyText.RULE_NAME)
        @Size(max = 63)
        @ValidationRule(value = PolicyText.IS_NAME, message = PolicyText.IS_NAME_MESSAGE)
        String name,

        @JsonPropertyDescription(
                "Nodes that the pods must run on. Default: absent, the rule is of another kind. Example:"
                        + " {required: {nodeSelectorTerms:"
                        + " [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}.")
        @Nullable
        RequiredNodeAffinity nodeAffinity,

        @JsonPropertyDescription(
                "The pods must be in the same domain as one of these pods. Default: absent, the rule is"
                        + " of another kind. Example: {labelSelector: {matchLabels: {app: cache}},"
                        + " topologyKey: topology.kubernetes.io/zone}.")
        @Nullable
        PodAffinityTerm podAffinityTerm,

        @JsonPropertyDescription("The pods must not be in the same domain as any of these pods. Over all namespaces"
                + " (`namespaceSelector` {}) only with topologyKey kubernetes.io/hostname. Default: absent, the"
                + " rule is of another kind. Example: {labelSelector: {matchLabels: {tier: batch}},"
                + " topologyKey: kubernetes.io/hostname}.")
        @Nullable
        PodAffinityTerm podAntiAffinityTerm,

        @JsonPropertyDescription("The pods must be spread this evenly over domains. Default: absent, the rule is of"
                + " another kind. Example: {maxSkew: 1, topologyKey: topology.kubernetes.io/zone,"
                + " whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}.")
        @Nullable
        TopologySpreadConstraint topologySpreadConstraint,

        @JsonPropertyDescription(PolicyText.WHEN) WhenRequired when,

        @JsonPropertyDescription(PolicyText.RULE_MODE) @Nullable
        Mode mode,

        @JsonPropertyDescription(PolicyText.RULE_FORGIVENESS) @Min(0) @Max(PolicyText.MAX_FORGIVENESS_SECONDS) @Nullable
        Integer forgivenessSeconds,

        @JsonPropertyDescription(PolicyText.WHEN_INFEASIBLE) WhenInfeasible whenInfeasible,

        @JsonPropertyDescription(PolicyText.EVICT_AFTER) @Min(1) @Max(PolicyText.MAX_FORGIVENESS_SECONDS) @Nullable
        Integer infeasibleEvictAfterSeconds,

        @JsonPropertyDescription(PolicyText.WHEN_DOMAIN_ADDED)
        WhenDomainAdded whenDomainAdded,

        @JsonPropertyDescription(PolicyText.VICTIM) VictimChoice victim,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    public PolicyRule {
        name = name == null ? "" : name;
        when = when == null ? WhenRequired.ALWAYS : when;
        whenInfeasible = whenInfeasible == null ? WhenInfeasible.WAIT : whenInfeasible;
        whenDomainAdded = whenDomainAdded == null ? WhenDomainAdded.HOLD : whenDomainAdded;
        victim = victim == null ? VictimChoice.RULE_OWNER : victim;
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
