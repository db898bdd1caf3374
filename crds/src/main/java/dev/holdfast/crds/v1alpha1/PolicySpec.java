package dev.holdfast.crds.v1alpha1;

import dev.holdfast.crds.v1alpha1.choice.Allowance;
import dev.holdfast.crds.v1alpha1.choice.Mode;
import dev.holdfast.crds.v1alpha1.core.LabelSelector;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What both kinds of policy ask for: which pods, which rules, and what to do when one breaks. */
public sealed interface PolicySpec permits PlacementPolicySpec, ClusterPlacementPolicySpec {

    /** {@return what may be done at most; absent in the YAML is {@code AUDIT}} */
    Mode mode();

    /** {@return the pods; {@code null} and empty both mean all, but enforcing needs one to be given} */
    @Nullable
    LabelSelector podSelector();

    /** {@return the nodes whose pods may be victims; {@code null} and empty both mean all} */
    @Nullable
    LabelSelector nodeSelector();

    /** {@return kinds of the pods' own rules, each at most once; absent in the YAML is all four, {@code []} none} */
    List<PodRule> podRules();

    /** {@return further rules, names unique} */
    List<PolicyRule> rules();

    /** {@return seconds a violation must last, or {@code null} for the operator's default} */
    @Nullable
    Integer forgivenessSeconds();

    /** {@return how much the policy may evict, or {@code null} for what the operator's limits allow} */
    @Nullable
    PolicyLimits limits();

    /** {@return when the policy may evict; none is always} */
    List<PolicyWindow> windows();

    /** {@return pods that stay where they are for a while} */
    List<PolicyException> exceptions();

    /** {@return reasons to hold that the policy lifts} */
    List<Allowance> allow();

    /** {@return namespaces whose pods may cause evictions; {@code null} is none, empty is all} */
    @Nullable
    LabelSelector trustedNamespaceSelector();

    /**
     * {@return fields of the spec this version does not know, by name} A newer version may have written them to narrow
     * what is evicted, so a policy that has any must not be enforced.
     */
    Map<String, Object> unknownFields();
}
