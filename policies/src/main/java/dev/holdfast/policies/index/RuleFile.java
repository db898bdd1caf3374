package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.selector.LabelAnchor;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Finds the rules that pods with some labels may match, without looking through all rules: each is filed under labels
 * of which a partner has one, within the namespaces it can reach.
 *
 * <p>Example: {@code app In [a b]} in namespace {@code shop} is filed under {@code shop app=a} and {@code shop app=b};
 * pods labelled {@code app=c} never meet it. Whoever takes a rule from here asks it whether it reaches and matches.
 */
final class RuleFile {
    /** Beyond so many namespaces, a rule is filed for all of them. */
    static final int MOST_NAMESPACES = 16;

    private static final String ANY_NAMESPACE = "";
    private static final LabelAnchor ANY_LABELS = new LabelAnchor("", Optional.empty());
    private static final Set<LiveRule> NONE = Set.of();

    private final Map<Place, Set<LiveRule>> files = new HashMap<>();

    private record Place(String namespace, LabelAnchor anchor) {}

    void add(LiveRule rule) {
        places(
                rule,
                place ->
                        files.computeIfAbsent(place, _ -> new LinkedHashSet<>()).add(rule));
    }

    void remove(LiveRule rule) {
        places(
                rule,
                place -> files.computeIfPresent(
                        place, (_, filed) -> filed.remove(rule) && filed.isEmpty() ? null : filed));
    }

    /** At most as many as {@link #MOST_NAMESPACES} times the values that {@link LabelAnchor} names, however long the lists. */
    private static void places(LiveRule rule, Consumer<Place> action) {
        List<LabelAnchor> anchors = rule.anchors();
        List<LabelAnchor> under = anchors.isEmpty() ? List.of(ANY_LABELS) : anchors;
        Set<String> namespaces = rule.onlyNamespaces()
                .filter(only -> only.size() <= MOST_NAMESPACES)
                .orElse(Set.of(ANY_NAMESPACE));
        for (String namespace : namespaces) {
            under.forEach(anchor -> action.accept(new Place(namespace, anchor)));
        }
    }

    /** {@return how many places have rules} */
    int places() {
        return files.size();
    }

    /** Shows every rule that a pod with these labels may match, each once. */
    void forEach(String namespace, Labels labels, Consumer<LiveRule> action) {
        if (!files.isEmpty()) {
            within(namespace, labels, action);
            within(ANY_NAMESPACE, labels, action);
        }
    }

    private void within(String namespace, Labels labels, Consumer<LiveRule> action) {
        files.getOrDefault(new Place(namespace, ANY_LABELS), NONE).forEach(action);
        for (int i = 0; i < labels.size(); i++) {
            String key = labels.key(i);
            files.getOrDefault(new Place(namespace, new LabelAnchor(key, Optional.of(labels.value(i)))), NONE)
                    .forEach(action);
            files.getOrDefault(new Place(namespace, new LabelAnchor(key, Optional.empty())), NONE)
                    .forEach(action);
        }
    }

    boolean isEmpty() {
        return files.isEmpty();
    }
}
