package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Labels;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Pods of one namespace whose labels are equal but for those that the API server copies from their nodes. Which rules
 * they match is worked out once for all of them.
 */
final class LabelClass {
    /** What the API server copies from a node onto the pods bound to it, since Kubernetes 1.35. */
    static final List<String> NODE_KEYS = List.of("topology.kubernetes.io/region", "topology.kubernetes.io/zone");

    final NamespaceEntry namespace;
    final Labels labels;
    final List<Variant> variants = new ArrayList<>(1);

    /** The rules whose partners these pods are, whatever their nodes. */
    private LiveRule[] matched = Variant.NO_RULES;

    LabelClass(NamespaceEntry namespace, Labels labels) {
        this.namespace = namespace;
        this.labels = labels;
    }

    /** {@return the labels without those copied from nodes} */
    static Labels ownOf(Labels labels) {
        if (NODE_KEYS.stream().noneMatch(labels::has)) {
            return labels;
        }
        Map<String, String> own = new TreeMap<>(labels.toMap());
        NODE_KEYS.forEach(own::remove);
        return Labels.of(own);
    }

    LiveRule[] matched() {
        return matched;
    }

    void match(LiveRule rule) {
        matched = Variant.with(matched, rule);
        variants.forEach(Variant::recombine);
    }

    void unmatch(LiveRule rule) {
        matched = Variant.without(matched, rule);
        variants.forEach(Variant::recombine);
    }
}
