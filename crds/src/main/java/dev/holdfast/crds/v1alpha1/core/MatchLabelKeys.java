package dev.holdfast.crds.v1alpha1.core;

/** The CEL validation that {@code matchLabelKeys} names no key that {@code labelSelector} names as well. */
final class MatchLabelKeys {
    static final String NOT_IN_SELECTOR = "!has(self.matchLabelKeys) || !has(self.labelSelector)"
            + " || self.matchLabelKeys.all(k,"
            + " !(has(self.labelSelector.matchLabels) && k in self.labelSelector.matchLabels)"
            + " && !(has(self.labelSelector.matchExpressions)"
            + " && self.labelSelector.matchExpressions.exists(e, e.key == k)))";

    static final String NOT_IN_SELECTOR_MESSAGE = "must not name a key that `labelSelector` names as well";

    private MatchLabelKeys() {}
}
