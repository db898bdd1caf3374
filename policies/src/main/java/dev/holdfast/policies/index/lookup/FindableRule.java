package dev.holdfast.policies.index.lookup;

import dev.holdfast.policies.selector.LabelAnchor;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A rule that a {@link RuleLookup} can find by the labels and namespaces of the pods that it matches. */
public interface FindableRule {
    /**
     * {@return labels such that every matching pod has at least one of them, for example {@code app=a} and {@code
     * app=b} for {@code app In [a b]}; empty if the rule requires no label}
     */
    List<LabelAnchor> anchors();

    /** {@return the only namespaces whose pods the rule can match; empty if namespace labels decide} */
    Optional<Set<String>> onlyNamespaces();
}
