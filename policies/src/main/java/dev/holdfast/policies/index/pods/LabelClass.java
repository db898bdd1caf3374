package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.lookup.MatchedRules;
import dev.holdfast.policies.model.Labels;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Pods of one namespace whose labels are equal but for node pairs. Which rules they match is worked out once for all of
 * them.
 */
final class LabelClass {
    /** The place of one that is listed by its labels. */
    static final int LISTED = -1;

    final NamespaceEntry namespace;
    final Labels labels;
    /** Each knows its place here, so that leaving takes no search. */
    private final List<LabelVariant> labelVariants = new ArrayList<>(1);

    /** Among those of its namespace that are not listed by their labels yet, or {@link #LISTED}. */
    int placeUnlisted = LISTED;

    /** The rules whose partners these pods are, whatever their nodes. */
    final MatchedRules<LiveRule> matchedRules = new MatchedRules<>();

    LabelClass(NamespaceEntry namespace, Labels labels) {
        this.namespace = namespace;
        this.labels = labels;
    }

    void add(LabelVariant labelVariant) {
        labelVariant.placeInClass = labelVariants.size();
        labelVariants.add(labelVariant);
    }

    /** Takes out a variant; the last one takes its place. */
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
