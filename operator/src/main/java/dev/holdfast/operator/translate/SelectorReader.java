package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.core.LabelSelectorRequirement;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads label selectors. */
final class SelectorReader {
    private SelectorReader() {}

    /** {@return the selector of a rule's term, where absent and empty differ} */
    static Optional<LabelSelector> ofTerm(
            dev.holdfast.crds.v1alpha1.core.@Nullable LabelSelector written, Place place) {
        return Optional.ofNullable(written).map(it -> read(it, place));
    }

    /** {@return the selector of what a policy speaks of: empty where it speaks of all, by being absent or empty} */
    static Optional<LabelMatcher> ofPolicy(
            dev.holdfast.crds.v1alpha1.core.@Nullable LabelSelector written, Place place) {
        return ofTerm(written, place).filter(it -> !it.isEmpty()).map(SelectorReader::parse);
    }

    /** {@return the matcher of a selector, or of nothing when it does not parse, which reading it has noted} */
    static LabelMatcher parse(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case Parsed.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case Parsed.Unusable<LabelMatcher> _ -> LabelMatcher.nothing();
        };
    }

    private static LabelSelector read(dev.holdfast.crds.v1alpha1.core.LabelSelector written, Place place) {
        Labels labels = Labels.of(written.matchLabels());
        for (int i = 0; i < labels.size(); i++) {
            Labels one = Labels.of(labels.key(i), labels.value(i));
            check(new LabelSelector(one, List.of()), place.field("matchLabels"));
        }
        List<Requirement> expressions = new ArrayList<>();
        for (LabelSelectorRequirement expression : written.matchExpressions()) {
            Place at = place.field("matchExpressions").item(expressions.size());
            expressions.add(checked(expression.key(), expression.operator().label(), expression.values(), at));
        }
        return new LabelSelector(labels, expressions);
    }

    /** {@return the expression of a label selector, its faults noted} */
    static Requirement checked(String key, String operator, List<String> values, Place place) {
        Requirement requirement = new Requirement(key, operator, values);
        check(new LabelSelector(Labels.none(), List.of(requirement)), place);
        return requirement;
    }

    private static void check(LabelSelector part, Place place) {
        if (LabelMatcher.of(Optional.of(part)) instanceof Parsed.Unusable<LabelMatcher>(String why)) {
            place.refuse(why);
        }
    }

    /** {@return the keys, those that are none noted} */
    static List<String> keys(List<String> keys, Place place) {
        for (int i = 0; i < keys.size(); i++) {
            checkKey(keys.get(i), place.item(i));
        }
        return keys;
    }

    /** {@return the key, noted if it is none} */
    static String key(String key, Place place) {
        checkKey(key, place);
        return key;
    }

    private static void checkKey(String key, Place place) {
        Requirement present = new Requirement(key, "Exists", List.of());
        LabelSelector selector = new LabelSelector(Labels.none(), List.of(present));
        if (LabelMatcher.of(Optional.of(selector)) instanceof Parsed.Unusable<LabelMatcher>) {
            place.refuse("must be a label key such as 'app' or 'example.com/tier', got '" + key + "'");
        }
    }
}
