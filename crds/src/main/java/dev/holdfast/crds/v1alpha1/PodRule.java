package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.choice.RuleKind;
import dev.holdfast.crds.v1alpha1.choice.WhenDomainAdded;
import dev.holdfast.crds.v1alpha1.choice.WhenInfeasible;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One kind of required rule that pods have in their own spec, and what a policy does when such a rule breaks.
 *
 * @param kind the kind of rule
 * @param mode what the operator may do for these rules, unless the policy's own mode is weaker; {@code null} means the
 *     policy's mode
 * @param forgivenessSeconds seconds that a violation must last before the operator acts; {@code null} means the
 *     policy's value
 * @param whenInfeasible what happens while no other node would take the pod; topology spread allows only {@code WAIT}
 * @param infeasibleEvictAfterSeconds seconds that the pod is held while no other node would take it, before it is
 *     evicted nevertheless; {@code null} unless {@code whenInfeasible} is {@code EVICT_AFTER}
 * @param whenDomainAdded whether pods move when the spread is broken only because a domain is new or can take pods
 *     again; only topology spread allows {@code REBALANCE}
 * @param unknownFields fields that this version does not know, by name
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = "self.kind != 'TopologySpread' || !has(self.whenInfeasible) || self.whenInfeasible == 'Wait'",
        fieldPath = ".whenInfeasible",
        message = "must be 'Wait' when `kind` is 'TopologySpread'")
@ValidationRule(
        value = "!has(self.whenDomainAdded) || self.whenDomainAdded == 'Hold' || self.kind == 'TopologySpread'",
        fieldPath = ".whenDomainAdded",
        message = "must be 'Hold' unless `kind` is 'TopologySpread'")
@ValidationRule(
        value = PolicyText.EVICT_AFTER_BOTH,
        fieldPath = ".infeasibleEvictAfterSeconds",
        message = PolicyText.EVICT_AFTER_BOTH_MESSAGE)
public record PodRule(
        @Required
        @JsonPropertyDescription("Which of the pods' own required rules: NodeAffinity (nodeSelector included),"
                + " PodAffinity, PodAntiAffinity or TopologySpread (constraints with DoNotSchedule). Required,"
                + " each at most once. Example: NodeAffinity.")
        RuleKind kind,

        @JsonPropertyDescription(PolicyText.RULE_MODE) @Nullable
        Mode mode,

        @JsonPropertyDescription(PolicyText.RULE_FORGIVENESS) @Min(0) @Max(PolicyText.MAX_FORGIVENESS_SECONDS) @Nullable
        Integer forgivenessSeconds,

        @JsonPropertyDescription(PolicyText.WHEN_INFEASIBLE) WhenInfeasible whenInfeasible,

        @JsonPropertyDescription(PolicyText.EVICT_AFTER) @Min(1) @Max(PolicyText.MAX_FORGIVENESS_SECONDS) @Nullable
        Integer infeasibleEvictAfterSeconds,

        @JsonPropertyDescription(PolicyText.WHEN_DOMAIN_ADDED)
        WhenDomainAdded whenDomainAdded,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    public PodRule {
        kind = kind == null ? RuleKind.UNRECOGNIZED : kind;
        whenInfeasible = whenInfeasible == null ? WhenInfeasible.WAIT : whenInfeasible;
        whenDomainAdded = whenDomainAdded == null ? WhenDomainAdded.HOLD : whenDomainAdded;
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }

    /**
     * {@return the entry for a kind without further settings} The entry takes mode and forgiveness from its policy, and
     * all else from the defaults of the CRD schema.
     */
    public static PodRule of(RuleKind kind) {
        return new PodRule(kind, null, null, WhenInfeasible.WAIT, null, WhenDomainAdded.HOLD, Map.of());
    }
}
