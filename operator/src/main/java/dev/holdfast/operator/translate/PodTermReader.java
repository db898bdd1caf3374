package dev.holdfast.operator.translate;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.PodAffinityTerm;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Reads the terms of pod affinity and pod anti-affinity rules. */
final class PodTermReader {
    private PodTermReader() {}

    static PodAffinityTerm affinity(dev.holdfast.crds.v1alpha1.core.PodAffinityTerm written, FieldPath fieldPath) {
        PodAffinityTerm term = read(written, fieldPath);
        if (term.labelSelector().isEmpty()) {
            fieldPath
                    .field("labelSelector")
                    .refuse("must be given: without it the rule is about no pod and would be broken everywhere; write"
                            + " {} to mean every pod of the namespaces");
        }
        return term;
    }

    static PodAffinityTerm antiAffinity(dev.holdfast.crds.v1alpha1.core.PodAffinityTerm written, FieldPath fieldPath) {
        PodAffinityTerm term = read(written, fieldPath);
        if (term.isClusterWide()) {
            fieldPath
                    .field("topologyKey")
                    .refuse("must be '" + PodAffinityTerm.HOSTNAME
                            + "' when `namespaceSelector` is {}: one pod must not bar a whole"
                            + " domain to all namespaces; or name the namespaces");
        }
        return term;
    }

    private static PodAffinityTerm read(dev.holdfast.crds.v1alpha1.core.PodAffinityTerm written, FieldPath fieldPath) {
        fieldPath.unknownFields(written.unknownFields().keySet());
        Optional<LabelSelector> labelSelector =
                SelectorReader.absentMatchesNothing(written.labelSelector(), fieldPath.field("labelSelector"));
        namespaces(written.namespaces(), fieldPath.field("namespaces"));
        Optional<LabelSelector> namespaceSelector =
                SelectorReader.absentMatchesNothing(written.namespaceSelector(), fieldPath.field("namespaceSelector"));
        SelectorReader.key(written.topologyKey(), fieldPath.field("topologyKey"));
        MergedKeys.check(written.matchLabelKeys(), labelSelector, fieldPath.field("matchLabelKeys"));
        if (!written.mismatchLabelKeys().isEmpty()) {
            MergedKeys.needSelector(labelSelector, fieldPath.field("mismatchLabelKeys"));
            SelectorReader.keys(written.mismatchLabelKeys(), fieldPath.field("mismatchLabelKeys"));
        }
        if (written.matchLabelKeys().stream().anyMatch(Set.copyOf(written.mismatchLabelKeys())::contains)) {
            fieldPath.field("matchLabelKeys").refuse("must not name a key that `mismatchLabelKeys` names as well");
        }
        return new PodAffinityTerm(
                labelSelector,
                written.namespaces(),
                namespaceSelector,
                written.topologyKey(),
                written.matchLabelKeys(),
                written.mismatchLabelKeys());
    }

    private static void namespaces(List<String> names, FieldPath fieldPath) {
        for (int i = 0; i < names.size(); i++) {
            if (!Names.isDnsLabel(names.get(i))) {
                fieldPath.item(i).refuse("must be the name of a namespace: " + Names.ALLOWED);
            }
        }
    }
}
