package dev.holdfast.crds.v1alpha1;

import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonAnySetter;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import dev.holdfast.crds.v1alpha1.choice.Allowance;
import dev.holdfast.crds.v1alpha1.choice.AnnotationRules;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.choice.PodRuleSelection;
import dev.holdfast.crds.v1alpha1.choice.RuleInjection;
import dev.holdfast.crds.v1alpha1.core.LabelSelector;
import io.fabric8.crd.generator.annotation.SelectableField;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The spec of a PlacementPolicy: the rules for the pods of its own namespace.
 *
 * @param mode what the operator may do at most; absent in the YAML means {@code AUDIT}
 * @param podSelector pods held to the rules; {@code null} and empty both mean all, but a policy with mode Enforce and
 *     {@code null} is refused
 * @param nodeSelector nodes whose pods may be evicted; {@code null} and empty both mean all
 * @param podRuleSelection which kinds of rules in the pods' own spec are enforced or audited; {@code null} means {@code
 *     LISTED} with {@code podRules} and {@code ALL} without
 * @param podRules kinds of rules in the pods' own spec, each at most once; {@code null} unless the selection is {@code
 *     LISTED}; never empty in an admitted object
 * @param rules the policy's own rules, with unique names; may be empty
 * @param scheduling whether the own rules are added to the pods when they are created; {@code null} means {@code
 *     NONE}
 * @param annotationRules whether pods are held to the rules in their annotations; {@code null} means {@code IGNORE}
 * @param forgivenessSeconds seconds that a violation must last before the operator acts; {@code null} means the
 *     operator's default
 * @param limits how many pods the policy may evict; {@code null} if only the operator's limits apply
 * @param windows when the policy may evict; empty means always
 * @param exceptions pods that the policy does not evict for a while
 * @param allow safety checks that this policy skips; with {@code LOCAL_STORAGE} it evicts pods that have an emptyDir
 * @param trustedNamespaceSelector namespaces whose pods may be the cause of an eviction, in addition to the namespaces
 *     that a rule names; {@code null} means none, empty means all
 * @param unknownFields fields that this version does not know, by name; a policy with any must not be enforced
 */
@JsonInclude(JsonInclude.Include.NON_NULL)
@ValidationRule(
        value = PolicyText.ENFORCE_NEEDS_SELECTOR,
        fieldPath = ".podSelector",
        message = PolicyText.ENFORCE_NEEDS_SELECTOR_MESSAGE)
@ValidationRule(
        value = PolicyText.LISTED_WITH_POD_RULES,
        fieldPath = ".podRuleSelection",
        message = PolicyText.LISTED_WITH_POD_RULES_MESSAGE)
@ValidationRule(
        value = PolicyText.INJECT_ON_ALL_NODES,
        fieldPath = ".scheduling",
        message = PolicyText.INJECT_ON_ALL_NODES_MESSAGE)
@ValidationRule(
        value = PolicyText.INJECT_WHAT_IS_ENFORCED,
        fieldPath = ".scheduling",
        message = PolicyText.INJECT_WHAT_IS_ENFORCED_MESSAGE)
@ValidationRule(value = PolicyText.OWN_VICTIMS, fieldPath = ".rules", message = PolicyText.OWN_VICTIMS_MESSAGE)
public record PlacementPolicySpec(
        @JsonPropertyDescription(PolicyText.MODE) @Default("Audit") @SelectableField
        Mode mode,

        @JsonPropertyDescription(PolicyText.POD_SELECTOR) @Nullable
        LabelSelector podSelector,

        @JsonPropertyDescription(PolicyText.NODE_SELECTOR) @Nullable
        LabelSelector nodeSelector,

        @JsonPropertyDescription(PolicyText.POD_RULE_SELECTION) @Nullable
        PodRuleSelection podRuleSelection,

        @JsonPropertyDescription(PolicyText.POD_RULES)
        @Size(max = 4)
        @ValidationRule(value = PolicyText.NOT_EMPTY, message = PolicyText.POD_RULES_NOT_EMPTY_MESSAGE)
        @Nullable
        List<PodRule> podRules,

        @JsonPropertyDescription(PolicyText.RULES) @JsonInclude(JsonInclude.Include.NON_EMPTY) @Size(max = 20)
        List<PolicyRule> rules,

        @JsonPropertyDescription(PolicyText.SCHEDULING) @Nullable
        RuleInjection scheduling,

        @JsonPropertyDescription(PolicyText.ANNOTATION_RULES) @Nullable
        AnnotationRules annotationRules,

        @JsonPropertyDescription(PolicyText.FORGIVENESS) @Min(0) @Max(PolicyText.MAX_FORGIVENESS_SECONDS) @Nullable
        Integer forgivenessSeconds,

        @JsonPropertyDescription(PolicyText.LIMITS) @Nullable
        PolicyLimits limits,

        @JsonPropertyDescription(PolicyText.WINDOWS) @JsonInclude(JsonInclude.Include.NON_EMPTY) @Size(max = 20)
        List<PolicyWindow> windows,

        @JsonPropertyDescription(PolicyText.EXCEPTIONS) @JsonInclude(JsonInclude.Include.NON_EMPTY) @Size(max = 20)
        List<PolicyException> exceptions,

        @JsonPropertyDescription(PolicyText.ALLOW) @JsonInclude(JsonInclude.Include.NON_EMPTY) @Size(max = 10)
        List<Allowance> allow,

        @JsonPropertyDescription(PolicyText.TRUSTED) @Nullable
        LabelSelector trustedNamespaceSelector,

        @JsonAnySetter @JsonAnyGetter Map<String, Object> unknownFields)
        implements PolicySpec {

    public PlacementPolicySpec {
        mode = mode == null ? Mode.AUDIT : mode;
        podRules = podRules == null ? null : List.copyOf(podRules);
        rules = rules == null ? List.of() : List.copyOf(rules);
        windows = windows == null ? List.of() : List.copyOf(windows);
        exceptions = exceptions == null ? List.of() : List.copyOf(exceptions);
        allow = allow == null ? List.of() : List.copyOf(allow);
        unknownFields = unknownFields == null ? Map.of() : unknownFields;
    }
}
