package dev.holdfast.policies.engine.breaker;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The violations that the volume breaker counts, and the number of their pods in each namespace. */
final class RecentViolations {
    private static final int NAMED_CAUSES = 3;

    /** The counted violations, in the order in which they began. */
    private final SequencedMap<ViolationKey, Began> began = new LinkedHashMap<>();

    private final Map<String, ViolatingPodCount> byNamespace = new TreeMap<>();
    private int pods;

    /** The violations that do not count now. */
    private final Set<ViolationKey> muted = new HashSet<>();

    /** @param pod the pod that the violation counts for, as in {@link #add} */
    private record Began(Instant at, String namespace, String cause, String pod) {}

    /** A namespace and the number of its pods that are counted. */
    record NamespaceCount(String namespace, int pods) {}

    /**
     * Adds a violation that begins.
     *
     * @param pod the UID of the pod, or one text for several pods of the namespace that shall count as one
     */
    void add(Violation violation, String namespace, String pod) {
        add(violation, namespace, pod, violation.since());
    }

    /** Adds a violation as if it began at an instant. */
    void add(Violation violation, String namespace, String pod, Instant at) {
        add(violation.key(), new Began(at, namespace, violation.cause().label(), pod));
    }

    private void add(ViolationKey key, Began one) {
        began.put(key, one);
        muted.remove(key);
        count(key, one);
    }

    private void count(ViolationKey key, Began one) {
        ViolatingPodCount count = byNamespace.computeIfAbsent(one.namespace(), _ -> new ViolatingPodCount());
        pods -= count.pods();
        count.add(key, one.pod());
        pods += count.pods();
    }

    /** Removes a violation; does nothing if it is not counted. */
    void remove(ViolationKey key) {
        Began one = began.remove(key);
        if (one != null && !muted.remove(key)) {
            uncount(key, one);
        }
    }

    private void uncount(ViolationKey key, Began one) {
        byNamespace.computeIfPresent(one.namespace(), (_, count) -> {
            pods -= count.pods();
            count.remove(key);
            pods += count.pods();
            return count.pods() == 0 ? null : count;
        });
    }

    /**
     * Mutes the violations that pass a test, until the next call: they do not count. All others count.
     */
    void mute(Predicate<ViolationKey> which) {
        began.forEach((key, one) -> {
            if (!which.test(key)) {
                if (muted.remove(key)) {
                    count(key, one);
                }
            } else if (muted.add(key)) {
                uncount(key, one);
            }
        });
    }

    /** {@return the number of violations that do not count now} */
    int muted() {
        return muted.size();
    }

    void removeAll(Predicate<ViolationKey> which) {
        List.copyOf(began.keySet()).stream().filter(which).forEach(this::remove);
    }

    /** Removes all violations of pods of a namespace. */
    void removeNamespace(String namespace) {
        removeAll(key -> inNamespace(key, namespace));
    }

    private boolean inNamespace(ViolationKey key, String namespace) {
        return Optional.ofNullable(began.get(key))
                .filter(one -> one.namespace().equals(namespace))
                .isPresent();
    }

    /**
     * Removes the violations that began before an instant.
     *
     * @param kept the namespaces whose violations are added to {@code archive} instead of being forgotten
     */
    void removeBefore(Instant instant, Set<String> kept, RecentViolations archive) {
        while (!began.isEmpty() && began.firstEntry().getValue().at().isBefore(instant)) {
            ViolationKey key = began.firstEntry().getKey();
            Began one = began.firstEntry().getValue();
            if (kept.contains(one.namespace()) && !muted.contains(key)) {
                archive.add(key, one);
            }
            remove(key);
        }
    }

    void clear() {
        began.clear();
        muted.clear();
        byNamespace.clear();
        pods = 0;
    }

    /** {@return the number of pods of all namespaces} */
    int pods() {
        return pods;
    }

    /** {@return the number of pods of one namespace} */
    int pods(String namespace) {
        return Optional.ofNullable(byNamespace.get(namespace))
                .map(ViolatingPodCount::pods)
                .orElse(0);
    }

    /**
     * {@return the namespaces by number of pods, largest first; equal ones by name}
     */
    List<NamespaceCount> largestFirst() {
        return byNamespace.entrySet().stream()
                .map(one -> new NamespaceCount(one.getKey(), one.getValue().pods()))
                .sorted(Comparator.comparingInt(NamespaceCount::pods)
                        .reversed()
                        .thenComparing(NamespaceCount::namespace))
                .toList();
    }

    /** {@return the most frequent causes of all violations: {@code NodeLabelChanged 190, NodeLeft 11}} */
    String causes() {
        return causes(_ -> true);
    }

    /** {@return the most frequent causes of the violations of a namespace} */
    String causes(String namespace) {
        return causes(one -> one.namespace().equals(namespace));
    }

    private String causes(Predicate<Began> which) {
        Map<String, Integer> counts = new TreeMap<>();
        began.entrySet().stream()
                .filter(one -> !muted.contains(one.getKey()))
                .map(Map.Entry::getValue)
                .filter(which)
                .forEach(one -> counts.merge(one.cause(), 1, Integer::sum));
        return counts.entrySet().stream()
                .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
                .limit(NAMED_CAUSES)
                .map(one -> one.getKey() + " " + one.getValue())
                .collect(Collectors.joining(", "));
    }

    /** {@return the number of violations} */
    int size() {
        return began.size();
    }
}
