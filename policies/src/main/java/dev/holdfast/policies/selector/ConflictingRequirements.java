package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.QuotedText;
import dev.holdfast.policies.model.Requirement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Expressions over labels that must hold together, to find those that no object can satisfy. */
public final class ConflictingRequirements {
    private final Map<String, List<Expression>> byKey = new LinkedHashMap<>();

    private record Expression(String text, LabelRequirement parsed) {}

    ConflictingRequirements() {}

    /**
     * {@return why no pod can match all of the selectors, as text; empty if one may, or if a selector cannot be parsed}
     */
    public static Optional<String> among(List<LabelSelector> selectors) {
        ConflictingRequirements all = new ConflictingRequirements();
        for (LabelSelector selector : selectors) {
            Labels pairs = selector.matchLabels();
            for (int i = 0; i < pairs.size(); i++) {
                all.add(pairs.key(i), pairs.value(i));
            }
            for (Requirement expression : selector.matchExpressions()) {
                switch (LabelRequirement.ofLabelSelector(expression)) {
                    case ParseResult.Usable<LabelRequirement>(LabelRequirement usable) -> all.add(expression, usable);
                    case ParseResult.Unusable<LabelRequirement> _ -> {
                        return Optional.empty();
                    }
                }
            }
        }
        return all.why();
    }

    void add(Requirement written, LabelRequirement parsed) {
        add(written.toString(), parsed);
    }

    /** Adds a label that must be there. */
    void add(String key, String value) {
        add(key + "=" + QuotedText.value(value), new LabelRequirement.In(key, StringSet.of(List.of(value))));
    }

    private void add(String text, LabelRequirement parsed) {
        byKey.computeIfAbsent(parsed.key(), _ -> new ArrayList<>()).add(new Expression(text, parsed));
    }

    /** {@return why no labels satisfy all expressions, as text; empty if some labels may} */
    Optional<String> why() {
        return byKey.values().stream()
                .filter(ofKey -> !canHold(ofKey.stream().map(Expression::parsed).toList()))
                .findFirst()
                .map(ConflictingRequirements::describe);
    }

    private static String describe(List<Expression> ofKey) {
        List<String> texts = ofKey.stream()
                .map(expression -> QuotedText.of(expression.text()))
                .distinct()
                .toList();
        return texts.size() == 1
                ? "no label value satisfies " + texts.getFirst()
                : "no label value satisfies all of " + texts.stream().collect(Collectors.joining(" and "));
    }

    private static boolean canHold(List<LabelRequirement> ofKey) {
        if (ofKey.stream().allMatch(one -> one.matches(Labels.none()))) {
            return true;
        }
        for (LabelRequirement one : ofKey) {
            if (one instanceof LabelRequirement.In(String key, var values)) {
                return values.stream()
                        .map(value -> Labels.of(key, value))
                        .anyMatch(labels -> ofKey.stream().allMatch(other -> other.matches(labels)));
            }
        }
        return ofKey.stream().noneMatch(LabelRequirement.DoesNotExist.class::isInstance) && leavesAnInteger(ofKey);
    }

    /** {@return whether an integer lies between the bounds of Gt and Lt} A label value has no sign. */
    private static boolean leavesAnInteger(List<LabelRequirement> ofKey) {
        long above = -1;
        long most = Long.MAX_VALUE;
        for (LabelRequirement one : ofKey) {
            switch (one) {
                case LabelRequirement.Gt(String _, long bound) -> above = Math.max(above, bound);
                case LabelRequirement.Lt(String _, long bound) -> most = Math.min(most, bound - 1);
                case LabelRequirement.In _,
                        LabelRequirement.NotIn _,
                        LabelRequirement.Exists _,
                        LabelRequirement.DoesNotExist _ -> {}
            }
        }
        return above < most;
    }
}
