package dev.holdfast.policies.index.lookup;

import dev.holdfast.policies.selector.LabelAnchor;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What a {@link RuleLookup} can find by the labels and the namespace of pods. */
public interface Indexed {
    /** {@return labels of which every pod that it matches has one; empty if there are none such} */
    List<LabelAnchor> anchors();

    /** {@return the only namespaces it can reach; empty when any may come to be reached} */
    Optional<Set<String>> onlyNamespaces();
}
