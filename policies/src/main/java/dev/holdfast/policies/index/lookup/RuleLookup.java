package dev.holdfast.policies.index.lookup;

import dev.holdfast.policies.model.Labels;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/**
 * An index that finds the rules that may match a pod, without a search through all rules. Each rule is indexed by the
 * labels that {@link FindableRule#anchors} returns, in the namespaces whose pods the rule can match.
 *
 * <p>Example: {@code app In [a b]} in namespace {@code shop} is indexed under {@code shop app=a} and {@code shop
 * app=b}; a lookup for pods with {@code app=c} does not return it. The caller must still check whether a returned rule
 * matches the namespace and the labels. A rule that would need more than {@link #MOST_ENTRIES} entries is indexed for
 * all namespaces instead.
 */
public final class RuleLookup<T extends FindableRule> {
    /** The most entries for a rule, one for each label in each namespace: a tenant can write many of both. */
    static final int MOST_ENTRIES = 4;

    private static final String ANY_NAMESPACE = "";

    private final Map<String, LookupTable<T>> tables = new HashMap<>();

    public void add(T rule) {
        for (String namespace : namespaces(rule)) {
            tables.computeIfAbsent(namespace, _ -> new LookupTable<>()).add(rule);
        }
    }

    public void remove(T rule) {
        for (String namespace : namespaces(rule)) {
            tables.computeIfPresent(namespace, (_, table) -> {
                table.remove(rule);
                return table.isEmpty() ? null : table;
            });
        }
    }

    private static Set<String> namespaces(FindableRule rule) {
        return rule.onlyNamespaces()
                .filter(only -> only.size() * Math.max(1, rule.anchors().size()) <= MOST_ENTRIES)
                .orElse(Set.of(ANY_NAMESPACE));
    }

    /** Calls the action for every rule that may match a pod with these labels, once for each rule. */
    public void forEach(String namespace, Labels labels, Consumer<T> action) {
        show(namespace, labels, action);
        show(ANY_NAMESPACE, labels, action);
    }

    private void show(String namespace, Labels labels, Consumer<T> action) {
        LookupTable<T> table = tables.get(namespace);
        if (table != null) {
            table.forEach(labels, action);
        }
    }

    /** {@return the number of index entries that have rules} */
    int entryCount() {
        return tables.values().stream().mapToInt(LookupTable::entryCount).sum();
    }

    public boolean isEmpty() {
        return tables.isEmpty();
    }
}
