package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Labels;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * The rules that select namespaces by label, indexed by the keys of the namespace labels that they read. A change of
 * any other label affects none of these rules.
 */
final class NamespaceLabelRules {
    private final Set<LiveRule> all = new LinkedHashSet<>();
    private final Map<String, Set<LiveRule>> byKey = new HashMap<>();

    void add(LiveRule rule) {
        all.add(rule);
        for (String key : rule.namespaceKeys()) {
            byKey.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(rule);
        }
    }

    void remove(LiveRule rule) {
        all.remove(rule);
        for (String key : rule.namespaceKeys()) {
            byKey.computeIfPresent(key, (_, rules) -> rules.remove(rule) && rules.isEmpty() ? null : rules);
        }
    }

    /**
     * {@return the rules that may begin or cease to match pods of a namespace when its labels change} These rules read
     * a changed label. If the Namespace object appeared or disappeared, all rules are returned.
     *
     * @param before the labels before the change; absent if there was no Namespace object
     * @param after the labels after the change; absent if there is no Namespace object
     */
    Collection<LiveRule> between(Optional<Labels> before, Optional<Labels> after) {
        if (before.isEmpty() || after.isEmpty()) {
            return Collections.unmodifiableCollection(all);
        }
        Set<String> keys = new TreeSet<>(before.get().toMap().keySet());
        keys.addAll(after.get().toMap().keySet());
        Set<LiveRule> found = new LinkedHashSet<>();
        for (String key : keys) {
            if (!before.get().get(key).equals(after.get().get(key))) {
                found.addAll(byKey.getOrDefault(key, Set.of()));
            }
        }
        return found;
    }

    boolean isEmpty() {
        return all.isEmpty() && byKey.isEmpty();
    }
}
