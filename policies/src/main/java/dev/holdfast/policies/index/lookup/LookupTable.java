package dev.holdfast.policies.index.lookup;

import dev.holdfast.policies.index.table.InvertedIndex;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.selector.LabelAnchor;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The entries of a {@link RuleLookup} for one namespace, or for the rules that are indexed for all namespaces. */
final class LookupTable<T extends FindableRule> {
    /** The key under which rules that require no label are indexed; no label has an empty key. */
    private static final String ANY_KEY = "";

    private final InvertedIndex<T> byKey = new InvertedIndex<>();
    private final Map<String, InvertedIndex<T>> byValue = new HashMap<>();

    void add(T rule) {
        if (rule.anchors().isEmpty()) {
            byKey.add(ANY_KEY, rule);
        }
        for (LabelAnchor anchor : rule.anchors()) {
            if (anchor.value().isEmpty()) {
                byKey.add(anchor.key(), rule);
            } else {
                byValue.computeIfAbsent(anchor.key(), _ -> new InvertedIndex<>())
                        .add(anchor.value().get(), rule);
            }
        }
    }

    void remove(T rule) {
        if (rule.anchors().isEmpty()) {
            byKey.remove(ANY_KEY, rule);
        }
        for (LabelAnchor anchor : rule.anchors()) {
            if (anchor.value().isEmpty()) {
                byKey.remove(anchor.key(), rule);
            } else {
                byValue.computeIfPresent(anchor.key(), (_, values) -> {
                    values.remove(anchor.value().get(), rule);
                    return values.isEmpty() ? null : values;
                });
            }
        }
    }

    /** Calls the action for every rule that may match a pod with these labels, once for each rule. */
    void forEach(Labels labels, Consumer<T> action) {
        byKey.under(ANY_KEY).forEach(action);
        for (int i = 0; i < labels.size(); i++) {
            byKey.under(labels.key(i)).forEach(action);
            InvertedIndex<T> values = byValue.get(labels.key(i));
            if (values != null) {
                values.under(labels.value(i)).forEach(action);
            }
        }
    }

    /** {@return the number of labels and label keys under which rules are indexed} */
    int entryCount() {
        return byKey.keyCount()
                + byValue.values().stream().mapToInt(InvertedIndex::keyCount).sum();
    }

    boolean isEmpty() {
        return byKey.isEmpty() && byValue.isEmpty();
    }
}
