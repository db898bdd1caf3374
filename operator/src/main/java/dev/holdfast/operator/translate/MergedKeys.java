package dev.holdfast.operator.translate;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Requirement;
import java.util.List;
import java.util.Optional;

/**
 * Validates the {@code matchLabelKeys} of a term. These keys need a {@code labelSelector} in the same term, and the
 * selector must not contain any of the keys.
 */
final class MergedKeys {
    private MergedKeys() {}

    static void check(List<String> keys, Optional<LabelSelector> selector, FieldPath fieldPath) {
        if (keys.isEmpty()) {
            return;
        }
        needSelector(selector, fieldPath);
        SelectorReader.keys(keys, fieldPath);
        if (selector.isPresent() && keys.stream().anyMatch(key -> names(selector.get(), key))) {
            fieldPath.refuse("must not name a key that `labelSelector` names as well");
        }
    }

    static void needSelector(Optional<LabelSelector> selector, FieldPath fieldPath) {
        if (selector.isEmpty()) {
            fieldPath.refuse("needs `labelSelector`, if only as {}");
        }
    }

    private static boolean names(LabelSelector selector, String key) {
        return selector.matchLabels().has(key)
                || selector.matchExpressions().stream().map(Requirement::key).anyMatch(key::equals);
    }
}
