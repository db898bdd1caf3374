package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.selector.LabelAnchor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A namespace by name, known or only spoken of by pods, and the label classes of its pods. */
final class NamespaceEntry {
    private static final Set<LabelClass> NONE = Set.of();

    final String name;
    private final Map<Labels, Variant> variants = new LinkedHashMap<>();
    private final Map<Labels, LabelClass> classes = new LinkedHashMap<>();

    /** The classes that have a label, by key and by key and value. */
    private final Map<LabelAnchor, Set<LabelClass>> byAnchor = new HashMap<>();

    private Optional<Namespace> namespace = Optional.empty();

    NamespaceEntry(String name) {
        this.name = name;
    }

    /** {@return the namespace; absent while no such object exists} */
    Optional<Namespace> namespace() {
        return namespace;
    }

    Optional<Labels> labels() {
        return namespace.map(Namespace::labels);
    }

    void is(Optional<Namespace> now) {
        namespace = now;
    }

    Collection<Variant> variants() {
        return Collections.unmodifiableCollection(variants.values());
    }

    Collection<LabelClass> classes() {
        return Collections.unmodifiableCollection(classes.values());
    }

    Optional<Variant> variant(Labels labels) {
        return Optional.ofNullable(variants.get(labels));
    }

    Optional<LabelClass> kind(Labels own) {
        return Optional.ofNullable(classes.get(own));
    }

    /** {@return the classes that have one of these labels; all of them when no labels are given} */
    Collection<LabelClass> withOneOf(List<LabelAnchor> anchors) {
        if (anchors.isEmpty()) {
            return classes();
        }
        if (anchors.size() == 1) {
            return Collections.unmodifiableCollection(byAnchor.getOrDefault(anchors.getFirst(), NONE));
        }
        List<LabelClass> found = new ArrayList<>();
        anchors.forEach(anchor -> found.addAll(byAnchor.getOrDefault(anchor, NONE)));
        return found;
    }

    void add(LabelClass kind) {
        classes.put(kind.labels, kind);
        for (int i = 0; i < kind.labels.size(); i++) {
            for (LabelAnchor anchor : anchors(kind.labels, i)) {
                byAnchor.computeIfAbsent(anchor, _ -> new LinkedHashSet<>()).add(kind);
            }
        }
    }

    void add(Variant variant) {
        variants.put(variant.labels, variant);
        variant.kind.add(variant);
    }

    void remove(Variant variant) {
        variants.remove(variant.labels);
        variant.kind.remove(variant);
    }

    void remove(LabelClass kind) {
        classes.remove(kind.labels);
        for (int i = 0; i < kind.labels.size(); i++) {
            for (LabelAnchor anchor : anchors(kind.labels, i)) {
                byAnchor.computeIfPresent(
                        anchor, (_, having) -> having.remove(kind) && having.isEmpty() ? null : having);
            }
        }
    }

    private static List<LabelAnchor> anchors(Labels labels, int i) {
        return List.of(
                new LabelAnchor(labels.key(i), Optional.of(labels.value(i))),
                new LabelAnchor(labels.key(i), Optional.empty()));
    }

    boolean isUnused() {
        return namespace.isEmpty() && variants.isEmpty();
    }
}
