package dev.holdfast.crds.v1alpha1;

import dev.holdfast.crds.v1alpha1.choice.Allowance;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.core.LabelSelector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The part of the spec that both kinds of policy have: which pods, which rules, and what to do when one breaks. */
public sealed interface PolicySpec permits PlacementPolicySpec, ClusterPlacementPolicySpec {

    /** {@return what the operator may do at most; absent in the YAML means {@code AUDIT}} */
    Mode mode();

    /** {@return the pods; {@code null} and empty both mean all, but mode Enforce requires one} */
    @Nullable
    LabelSelector podSelector();

    /** {@return the nodes whose pods may be victims; {@code null} and empty both mean all} */
    @Nullable
    LabelSelector nodeSelector();

    /** {@return kinds of the pods' own rules, each at most once; absent in the YAML means all four, {@code []} none} */
    List<PodRule> podRules();

    /** {@return further rules, names unique} */
    List<PolicyRule> rules();

    /** {@return seconds a violation must last, or {@code null} for the operator's default} */
    @Nullable
    Integer forgivenessSeconds();

    /** {@return how much the policy may evict, or {@code null} if only the operator's limits apply} */
    @Nullable
    PolicyLimits limits();

    /** {@return when the policy may evict; none means always} */
    List<PolicyWindow> windows();

    /** {@return pods that the policy does not evict for a while} */
    List<PolicyException> exceptions();

    /** {@return reasons for holds that do not apply to the policy} */
    List<Allowance> allow();

    /** {@return further namespaces whose pods may cause evictions; {@code null} means none, empty means all} */
    @Nullable
    LabelSelector trustedNamespaceSelector();

    /**
     * {@return fields of the spec this version does not know, by name} A newer version may have written them to narrow
     * what is evicted, so a policy that has any must not be enforced.
     */
    Map<String, Object> unknownFields();
}
