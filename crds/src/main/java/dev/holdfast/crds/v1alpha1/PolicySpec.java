package dev.holdfast.crds.v1alpha1;

import dev.holdfast.crds.v1alpha1.choice.Allowance;
import dev.holdfast.crds.v1alpha1.choice.AnnotationRules;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.choice.PodRuleSelection;
import dev.holdfast.crds.v1alpha1.choice.RuleInjection;
import dev.holdfast.crds.v1alpha1.core.LabelSelector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of the spec that both kinds of policy have: which pods, which rules, and what to do when a rule breaks. */
public sealed interface PolicySpec permits PlacementPolicySpec, ClusterPlacementPolicySpec {

    /** {@return what the operator may do at most; absent in the YAML means {@code AUDIT}} */
    Mode mode();

    /**
     * {@return pods held to the rules; {@code null} and empty both mean all} A policy with mode Enforce and
     * {@code null} is refused.
     */
    @Nullable
    LabelSelector podSelector();

    /** {@return nodes whose pods may be evicted; {@code null} and empty both mean all} */
    @Nullable
    LabelSelector nodeSelector();

    /**
     * {@return which kinds of rules in the pods' own spec are enforced or audited; {@code null} means {@code LISTED}
     * with {@code podRules} and {@code ALL} without}
     */
    @Nullable
    PodRuleSelection podRuleSelection();

    /**
     * {@return kinds of rules in the pods' own spec, each at most once; {@code null} unless the selection is {@code
     * LISTED}; never empty in an admitted object}
     */
    @Nullable
    List<PodRule> podRules();

    /** {@return the policy's own rules, with unique names; may be empty} */
    List<PolicyRule> rules();

    /**
     * {@return whether the own rules are added to the pods, so that the scheduler places pods by them; {@code null}
     * means {@code NONE}}
     */
    @Nullable
    RuleInjection scheduling();

    /** {@return whether pods are held to the rules in their annotations; {@code null} means {@code IGNORE}} */
    @Nullable
    AnnotationRules annotationRules();

    /**
     * {@return seconds that a violation must last before the operator acts; {@code null} means the operator's default}
     */
    @Nullable
    Integer forgivenessSeconds();

    /** {@return how many pods the policy may evict; {@code null} if only the operator's limits apply} */
    @Nullable
    PolicyLimits limits();

    /** {@return when the policy may evict; empty means always} */
    List<PolicyWindow> windows();

    /** {@return pods that the policy does not evict for a while} */
    List<PolicyException> exceptions();

    /** {@return safety checks that this policy skips; with {@code LOCAL_STORAGE} it evicts pods with an emptyDir} */
    List<Allowance> allow();

    /**
     * {@return namespaces whose pods may be the cause of an eviction, in addition to the namespaces that a rule names;
     * {@code null} means none, empty means all}
     */
    @Nullable
    LabelSelector trustedNamespaceSelector();

    /**
     * {@return fields of the spec that this version does not know, by name} A policy with such a field must not be
     * enforced: a newer version may have added the field to exempt pods from eviction.
     */
    Map<String, Object> unknownFields();
}
