package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.lookup.Matches;
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
    private final List<Variant> variants = new ArrayList<>(1);

    /** Among those of its namespace that are not listed by their labels yet, or {@link #LISTED}. */
    int placeUnlisted = LISTED;

    /** The rules whose partners these pods are, whatever their nodes. */
    final Matches<LiveRule> matches = new Matches<>();

    LabelClass(NamespaceEntry namespace, Labels labels) {
        this.namespace = namespace;
        this.labels = labels;
    }

    void add(Variant variant) {
        variant.placeInClass = variants.size();
        variants.add(variant);
    }

    /** Takes out a variant; the last one takes its place. */
    void remove(Variant variant) {
        Variant last = variants.removeLast();
        if (last != variant) {
            last.placeInClass = variant.placeInClass;
            variants.set(last.placeInClass, last);
        }
    }

    /** {@return the variants, in no particular order} */
    List<Variant> variants() {
        return Collections.unmodifiableList(variants);
    }
}
