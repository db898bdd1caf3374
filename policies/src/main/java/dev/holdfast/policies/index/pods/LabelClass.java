package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.lookup.MatchedRules;
import dev.holdfast.policies.model.Labels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The pods of one namespace with equal labels, apart from labels that the API server copies from nodes, such as the
 * zone. The rules that have these pods as partners are determined once for the class.
 */
final class LabelClass {
    /**
     * The value of {@link #placeUnlisted} for a class that can be found by its labels, because its namespace has
     * indexed it.
     */
    static final int LISTED = -1;

    final NamespaceEntry namespace;
    final Labels labels;
    /**
     * The label variants of this class. Pods of the class have equal labels apart from those that come from their node;
     * pods of one variant are equal in those too. Each variant knows its position in this list, so that removal needs
     * no search.
     */
    private final List<LabelVariant> labelVariants = new ArrayList<>(1);

    /**
     * The position of this class in the namespace's list of classes that are not indexed by label yet, or {@link
     * #LISTED} if it is indexed.
     */
    int placeUnlisted = LISTED;

    /**
     * The rules that have these pods as partners. Rules that read labels copied from nodes are in the label variants
     * instead.
     */
    final MatchedRules<LiveRule> matchedRules = new MatchedRules<>();

    LabelClass(NamespaceEntry namespace, Labels labels) {
        this.namespace = namespace;
        this.labels = labels;
    }

    void add(LabelVariant labelVariant) {
        labelVariant.placeInClass = labelVariants.size();
        labelVariants.add(labelVariant);
    }

    /** Removes a label variant; the last variant moves to its position in the list. */
    void remove(LabelVariant labelVariant) {
        LabelVariant last = labelVariants.removeLast();
        if (last != labelVariant) {
            last.placeInClass = labelVariant.placeInClass;
            labelVariants.set(last.placeInClass, last);
        }
    }

    /** {@return the variants, in no particular order} */
    List<LabelVariant> labelVariants() {
        return Collections.unmodifiableList(labelVariants);
    }
}
