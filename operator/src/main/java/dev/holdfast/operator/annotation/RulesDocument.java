package dev.holdfast.operator.annotation;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import dev.holdfast.crds.v1alpha1.PolicyRule;
import dev.holdfast.crds.v1alpha1.RequiredNodeAffinity;
import dev.holdfast.crds.v1alpha1.choice.VictimChoice;
import dev.holdfast.crds.v1alpha1.choice.WhenDomainAdded;
import dev.holdfast.crds.v1alpha1.choice.WhenInfeasible;
import dev.holdfast.crds.v1alpha1.choice.WhenRequired;
import dev.holdfast.crds.v1alpha1.core.PodAffinityTerm;
import dev.holdfast.crds.v1alpha1.core.TopologySpreadConstraint;
import io.fabric8.generator.annotation.Size;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The JSON object in the annotation.
 *
 * @param replace whether the rules stand in for those of the pod's own spec; {@code null} means false
 * @param rules as in a policy, but without what only a policy says, for example the mode
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
record RulesDocument(
        @Nullable String apiVersion,
        @Nullable Boolean replace,
        @Size(max = 20) @Nullable List<WrittenRule> rules,
        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

    RulesDocument {
        rules = rules == null ? null : List.copyOf(rules);
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }

    /** One rule, of exactly one kind. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    record WrittenRule(
            @Nullable String name,
            @Nullable RequiredNodeAffinity nodeAffinity,
            @Nullable PodAffinityTerm podAffinityTerm,
            @Nullable PodAffinityTerm podAntiAffinityTerm,
            @Nullable TopologySpreadConstraint topologySpreadConstraint,
            @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields) {

        WrittenRule {
            unknownFields = unknownFields == null ? Map.of() : unknownFields;
        }

        /** {@return the rule as a policy would have it, with the defaults of all that the policy says} */
        PolicyRule ofPolicy() {
            return new PolicyRule(
                    name == null ? "" : name,
                    nodeAffinity,
                    podAffinityTerm,
                    podAntiAffinityTerm,
                    topologySpreadConstraint,
                    WhenRequired.ALWAYS,
                    null,
                    null,
                    WhenInfeasible.WAIT,
                    null,
                    WhenDomainAdded.HOLD,
                    VictimChoice.RULE_OWNER,
                    Map.of());
        }
    }
}
