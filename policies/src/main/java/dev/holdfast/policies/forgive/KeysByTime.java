package dev.holdfast.policies.forgive;

import dev.holdfast.policies.compact.CompactSortedSet;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Violations at instants, sorted. Violations at the same instant share it, because one change may break the rules of
 * very many pods.
 */
public final class KeysByTime {
    private final NavigableMap<Instant, CompactSortedSet<ViolationKey>> keys = new TreeMap<>();

    /** Adds a violation at an instant. */
    public void add(Instant at, ViolationKey key) {
        keys.computeIfAbsent(at, _ -> new CompactSortedSet<>()).add(key);
    }

    /** Removes a violation that was added at this instant. */
    public void remove(Instant at, ViolationKey key) {
        keys.computeIfPresent(at, (_, together) -> {
            together.remove(key);
            return together.isEmpty() ? null : together;
        });
    }

    /** {@return the instant with which violations at this instant are stored, so that others can share the object} */
    Instant shared(Instant at) {
        Instant known = keys.floorKey(at);
        return at.equals(known) ? known : at;
    }

    /** {@return the violations at or before {@code now}, ordered by instant, then key} */
    List<ViolationKey> until(Instant now) {
        return together(keys.headMap(now, true).values());
    }

    /** {@return the violations after {@code after} and at or before {@code now}, ordered by instant, then key} */
    List<ViolationKey> between(Instant after, Instant now) {
        return after.isBefore(now)
                ? together(keys.subMap(after, false, now, true).values())
                : List.of();
    }

    private static List<ViolationKey> together(Collection<CompactSortedSet<ViolationKey>> sets) {
        List<ViolationKey> all = new ArrayList<>();
        sets.forEach(all::addAll);
        return all;
    }

    /** {@return the earliest instant after {@code now} with a violation; empty if there is none} */
    Optional<Instant> nextAfter(Instant now) {
        return Optional.ofNullable(keys.higherKey(now));
    }

    /** {@return the earliest instant; empty if there is no violation} */
    public Optional<Instant> first() {
        return keys.isEmpty() ? Optional.empty() : Optional.of(keys.firstKey());
    }

    /** {@return the {@code most} violations with the earliest instants, or all if there are fewer} */
    public List<ViolationKey> first(int most) {
        return keys.values().stream().flatMap(Collection::stream).limit(most).toList();
    }
}
