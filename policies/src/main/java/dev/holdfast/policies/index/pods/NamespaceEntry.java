package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.index.change.LeftOutRule;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.table.InvertedIndex;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.selector.LabelAnchor;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A namespace with the label classes of its pods (pods with equal labels, apart from labels copied from nodes). The
 * Namespace object may be missing.
 */
final class NamespaceEntry {
    /** The order of rules to leave out: rules that a cluster policy has itself come last. */
    private static final Comparator<LeftOutRule> LARGEST_FIRST = Comparator.comparing(LeftOutRule::isOfClusterPolicy)
            .thenComparing(Comparator.comparingLong(LeftOutRule::bytes).reversed())
            .thenComparing(LeftOutRule::identity);

    final String name;
    private final Map<Labels, LabelVariant> labelVariants = new LinkedHashMap<>();
    private final Map<Labels, LabelClass> classes = new LinkedHashMap<>();

    /** The label variants whose own labels were not read, so that no search tests all. */
    private final Set<LabelVariant> unread = new LinkedHashSet<>();

    /**
     * The label classes by label key, then value: {@code app}, then {@code web}. Only keys by which classes were
     * searched are indexed, because most labels of most pods are in no selector.
     */
    private final Map<String, InvertedIndex<LabelClass>> byLabel = new HashMap<>();

    /**
     * The label classes that were added after the last search, and are not in {@link #byLabel} yet. Only the next
     * search adds these classes, because most classes are removed before a search.
     */
    private final List<LabelClass> unlisted = new ArrayList<>();

    private final Set<NamespaceEntry> allWithUnread;

    /** The number of pods in this namespace. */
    int pods;

    /** The rules that are left out because rules of this namespace take too much of the heap. */
    private Set<RuleIdentity> leftOut = Set.of();

    private Optional<Namespace> namespace = Optional.empty();

    /**
     * Creates an entry without pods and without a Namespace object.
     *
     * @param allWithUnread where this entry adds itself while labels of its own or of its pods were not read
     */
    NamespaceEntry(String name, Set<NamespaceEntry> allWithUnread) {
        this.name = name;
        this.allWithUnread = allWithUnread;
    }

    /** {@return the Namespace object; empty while it does not exist} */
    Optional<Namespace> namespace() {
        return namespace;
    }

    /** {@return the identities of rules that pods of this namespace are not held to} */
    Set<RuleIdentity> leftOut() {
        return Collections.unmodifiableSet(leftOut);
    }

    /**
     * {@return the largest rules that count for this namespace, as few as take this many bytes}
     *
     * @param bytes a size in bytes
     */
    List<LeftOutRule> largestRules(long bytes) {
        Map<RuleIdentity, LeftOutRule> found = new HashMap<>();
        Set<LiveRule> seen = new HashSet<>();
        for (LabelVariant labelVariant : labelVariants.values()) {
            for (PodEntry pod : labelVariant.pods) {
                ResolvedRules rules = pod.resolvedRules;
                for (int slot = 0; slot < rules.size(); slot++) {
                    LiveRule live = rules.live(slot);
                    if (live != null && live.bytes() > 0 && live.countsFor(name) && seen.add(live)) {
                        LeftOutRule one = new LeftOutRule(rules.rule(slot), pod.pod, live.bytes());
                        found.merge(one.identity(), one, NamespaceEntry::together);
                    }
                }
            }
        }
        List<LeftOutRule> largest = new ArrayList<>();
        long left = bytes;
        for (LeftOutRule one : found.values().stream().sorted(LARGEST_FIRST).toList()) {
            if (left <= 0) {
                break;
            }
            largest.add(one);
            left -= one.bytes();
        }
        return largest;
    }

    private static LeftOutRule together(LeftOutRule one, LeftOutRule other) {
        return new LeftOutRule(one.applied(), one.pod(), one.bytes() + other.bytes());
    }

    /** Leaves out more rules, and forgets those that no pod has any more. */
    void leaveOut(Collection<RuleIdentity> rules) {
        Set<RuleIdentity> all = new HashSet<>(rules);
        for (LabelVariant labelVariant : labelVariants.values()) {
            for (ResolvedRules resolved : labelVariant.resolvedRules()) {
                all.addAll(resolved.ruleSet().key().leftOut());
            }
        }
        leftOut = all;
    }

    Optional<Labels> labels() {
        return namespace.map(Namespace::labels);
    }

    void is(Optional<Namespace> now) {
        namespace = now;
        updateAllWithUnread();
    }

    /** {@return whether the labels of the Namespace object were not read} */
    boolean hasUnreadLabels() {
        return labels().filter(Labels::areUnread).isPresent();
    }

    private void updateAllWithUnread() {
        if (hasUnreadLabels() || !unread.isEmpty()) {
            allWithUnread.add(this);
        } else {
            allWithUnread.remove(this);
        }
    }

    Collection<LabelVariant> labelVariants() {
        return Collections.unmodifiableCollection(labelVariants.values());
    }

    /** {@return the label variants whose own labels were not read} */
    Collection<LabelVariant> unreadVariants() {
        return Collections.unmodifiableCollection(unread);
    }

    Collection<LabelClass> classes() {
        return Collections.unmodifiableCollection(classes.values());
    }

    Optional<LabelVariant> variant(Labels labels) {
        return Optional.ofNullable(labelVariants.get(labels));
    }

    Optional<LabelClass> labelClass(Labels own) {
        return Optional.ofNullable(classes.get(own));
    }

    /**
     * {@return the label classes (sets of pods with equal labels) that have at least one of these labels; all label
     * classes if no labels are given}
     */
    Collection<LabelClass> withOneOf(List<LabelAnchor> anchors) {
        if (anchors.isEmpty()) {
            return classes();
        }
        listAll();
        List<LabelClass> found = new ArrayList<>();
        for (LabelAnchor anchor : anchors) {
            InvertedIndex<LabelClass> byValue = byLabel.computeIfAbsent(anchor.key(), this::listed);
            if (anchor.value().isPresent()) {
                found.addAll(byValue.under(anchor.value().get()));
            } else {
                byValue.all().forEach(found::addAll);
            }
        }
        return found;
    }

    private void listAll() {
        for (LabelClass kind : unlisted) {
            kind.placeUnlisted = LabelClass.LISTED;
            forEachListed(kind, (byValue, value) -> byValue.add(value, kind));
        }
        unlisted.clear();
    }

    private InvertedIndex<LabelClass> listed(String key) {
        InvertedIndex<LabelClass> byValue = new InvertedIndex<>();
        for (LabelClass kind : classes.values()) {
            kind.labels.get(key).ifPresent(value -> byValue.add(value, kind));
        }
        return byValue;
    }

    /** Drops the index for a label key; called when no rule searches by this key any more. */
    void forget(String key) {
        byLabel.remove(key);
    }

    /** {@return the label keys by which label classes are indexed} */
    Set<String> listedKeys() {
        return Collections.unmodifiableSet(byLabel.keySet());
    }

    void add(LabelClass kind) {
        classes.put(kind.labels, kind);
        kind.placeUnlisted = unlisted.size();
        unlisted.add(kind);
    }

    void remove(LabelClass kind) {
        classes.remove(kind.labels);
        if (kind.placeUnlisted == LabelClass.LISTED) {
            forEachListed(kind, (byValue, value) -> byValue.remove(value, kind));
            return;
        }
        LabelClass last = unlisted.removeLast();
        if (last != kind) {
            last.placeUnlisted = kind.placeUnlisted;
            unlisted.set(last.placeUnlisted, last);
        }
    }

    private void forEachListed(LabelClass kind, BiConsumer<InvertedIndex<LabelClass>, String> action) {
        for (int i = 0; i < kind.labels.size() && !byLabel.isEmpty(); i++) {
            InvertedIndex<LabelClass> byValue = byLabel.get(kind.labels.key(i));
            if (byValue != null) {
                action.accept(byValue, kind.labels.value(i));
            }
        }
    }

    void add(LabelVariant labelVariant) {
        labelVariants.put(labelVariant.labels, labelVariant);
        if (labelVariant.labels.areUnread()) {
            unread.add(labelVariant);
            updateAllWithUnread();
        }
        labelVariant.labelClass.add(labelVariant);
    }

    void remove(LabelVariant labelVariant) {
        labelVariants.remove(labelVariant.labels);
        if (unread.remove(labelVariant)) {
            updateAllWithUnread();
        }
        labelVariant.labelClass.remove(labelVariant);
    }

    boolean isUnused() {
        return namespace.isEmpty() && labelVariants.isEmpty();
    }
}
