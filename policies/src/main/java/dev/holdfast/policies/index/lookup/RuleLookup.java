package dev.holdfast.policies.index.lookup;

import dev.holdfast.policies.model.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the rules that pods with some labels may match, without looking through all rules: each is filed under labels
 * of which a partner has one, within the namespaces it can reach.
 *
 * <p>Example: {@code app In [a b]} in namespace {@code shop} is filed under {@code shop app=a} and {@code shop app=b};
 * pods labelled {@code app=c} never meet it. Whoever takes a rule from here asks it whether it reaches and matches. A
 * rule has at most {@link #MOST_NAMESPACES} times as many places as {@code LabelAnchor} names values, however long its
 * lists.
 */
public final class RuleLookup<T extends Indexed> {
    /** Beyond so many namespaces, a rule is filed for all of them. */
    static final int MOST_NAMESPACES = 16;

    private static final String ANY_NAMESPACE = "";

    private final Map<String, LookupTable<T>> shelves = new HashMap<>();

    public void add(T rule) {
        for (String namespace : namespaces(rule)) {
            shelves.computeIfAbsent(namespace, _ -> new LookupTable<>()).add(rule);
        }
    }

    public void remove(T rule) {
        for (String namespace : namespaces(rule)) {
            shelves.computeIfPresent(namespace, (_, shelf) -> {
                shelf.remove(rule);
                return shelf.isEmpty() ? null : shelf;
            });
        }
    }

    private static Set<String> namespaces(Indexed rule) {
        return rule.onlyNamespaces()
                .filter(only -> only.size() <= MOST_NAMESPACES)
                .orElse(Set.of(ANY_NAMESPACE));
    }

    /** Shows every rule that a pod with these labels may match, each once. */
    public void forEach(String namespace, Labels labels, Consumer<T> action) {
        show(namespace, labels, action);
        show(ANY_NAMESPACE, labels, action);
    }

    private void show(String namespace, Labels labels, Consumer<T> action) {
        LookupTable<T> shelf = shelves.get(namespace);
        if (shelf != null) {
            shelf.forEach(labels, action);
        }
    }

    /** {@return how many places have rules} */
    int places() {
        return shelves.values().stream().mapToInt(LookupTable::places).sum();
    }

    public boolean isEmpty() {
        return shelves.isEmpty();
    }
}
