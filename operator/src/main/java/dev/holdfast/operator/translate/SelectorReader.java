package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.core.LabelSelectorRequirement;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Reads label selectors and label keys, and records their errors. */
final class SelectorReader {
    private SelectorReader() {}

    /**
     * Reads a selector like that of a pod affinity term: if absent, it matches nothing; {@code {}} matches everything.
     * Returns empty for an absent selector.
     */
    static Optional<LabelSelector> absentMatchesNothing(
            dev.holdfast.crds.v1alpha1.core.@Nullable LabelSelector written, FieldPath fieldPath) {
        return Optional.ofNullable(written).map(it -> read(it, fieldPath));
    }

    /**
     * Reads a selector of a policy or pause, for which absent and {@code {}} both select everything; returns empty for
     * both.
     */
    static Optional<LabelMatcher> absentMatchesAll(
            dev.holdfast.crds.v1alpha1.core.@Nullable LabelSelector written, FieldPath fieldPath) {
        return absentMatchesNothing(written, fieldPath)
                .filter(it -> !it.isEmpty())
                .map(SelectorReader::parse);
    }

    /**
     * {@return a matcher for the selector; a matcher of nothing if the selector is invalid} Records no error, because
     * {@link #absentMatchesNothing} records it when it reads the selector.
     */
    static LabelMatcher parse(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case ParseResult.Unusable<LabelMatcher> _ -> LabelMatcher.nothing();
        };
    }

    private static LabelSelector read(dev.holdfast.crds.v1alpha1.core.LabelSelector written, FieldPath fieldPath) {
        Map<String, String> pairs = new TreeMap<>(written.matchLabels());
        pairs.values().removeIf(value -> isNull(value, fieldPath.field("matchLabels")));
        Labels labels = Labels.of(pairs);
        for (int i = 0; i < labels.size(); i++) {
            Labels one = Labels.of(labels.key(i), labels.value(i));
            check(new LabelSelector(one, List.of()), fieldPath.field("matchLabels"));
        }
        List<Requirement> expressions = new ArrayList<>();
        for (LabelSelectorRequirement expression : written.matchExpressions()) {
            FieldPath at = fieldPath.field("matchExpressions").item(expressions.size());
            expressions.add(checked(expression.key(), expression.operator().label(), expression.values(), at));
        }
        return new LabelSelector(labels, expressions);
    }

    /** {@return whether a value is null, which the API server refuses, but a file may have} */
    private static boolean isNull(@Nullable String value, FieldPath matchLabels) {
        if (value == null) {
            matchLabels.refuse("must not have null as the value of a label");
        }
        return value == null;
    }

    /** Creates one expression of a selector and returns it; records an error if the expression is invalid. */
    static Requirement checked(String key, String operator, List<String> values, FieldPath fieldPath) {
        Requirement requirement = new Requirement(key, operator, values);
        check(new LabelSelector(Labels.none(), List.of(requirement)), fieldPath);
        return requirement;
    }

    private static void check(LabelSelector part, FieldPath fieldPath) {
        if (LabelMatcher.of(Optional.of(part)) instanceof ParseResult.Unusable<LabelMatcher>(String why)) {
            fieldPath.refuse(why);
        }
    }

    /** Records an error for each invalid label key and each that comes twice, and returns all keys. */
    static List<String> keys(List<String> keys, FieldPath fieldPath) {
        for (int i = 0; i < keys.size(); i++) {
            checkKey(keys.get(i), fieldPath.item(i));
            if (keys.indexOf(keys.get(i)) < i) {
                // The API server refuses pods with such a list, also if it was injected.
                fieldPath
                        .item(i)
                        .refuse("must not be a key that comes before, got '" + QuotedText.of(keys.get(i)) + "'");
            }
        }
        return keys;
    }

    /** Records an error if the label key is invalid, and returns the key. */
    static String key(String key, FieldPath fieldPath) {
        checkKey(key, fieldPath);
        return key;
    }

    private static void checkKey(String key, FieldPath fieldPath) {
        Requirement present = new Requirement(key, "Exists", List.of());
        LabelSelector selector = new LabelSelector(Labels.none(), List.of(present));
        if (LabelMatcher.of(Optional.of(selector)) instanceof ParseResult.Unusable<LabelMatcher>) {
            fieldPath.refuse(
                    "must be a label key such as 'app' or 'example.com/tier', got '" + QuotedText.of(key) + "'");
        }
    }
}
