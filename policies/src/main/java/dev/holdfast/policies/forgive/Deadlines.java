package dev.holdfast.policies.forgive;

import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/**
 * One instant for each violation, usually when it is due. The instants are sorted, so that the next ones are found
 * fast.
 */
public final class Deadlines {
    private final Map<ViolationKey, Deadline> byKey = new HashMap<>();
    private final NavigableSet<Deadline> inOrder = new TreeSet<>();

    /** The last instant that was set: violations that begin together share it, which saves memory. */
    private Instant last = Instant.MIN;

    private record Deadline(Instant at, ViolationKey key) implements Comparable<Deadline> {
        private static final Comparator<Deadline> ORDER =
                Comparator.comparing(Deadline::at).thenComparing(Deadline::key);

        @Override
        public int compareTo(Deadline other) {
            return ORDER.compare(this, other);
        }
    }

    /** Sets the deadline of a violation, and replaces the deadline that it had. */
    public void put(ViolationKey key, Instant at) {
        remove(key);
        last = at.equals(last) ? last : at;
        Deadline deadline = new Deadline(last, key);
        byKey.put(key, deadline);
        inOrder.add(deadline);
    }

    /** Removes the deadline of a violation, if it has one. */
    public void remove(ViolationKey key) {
        Deadline known = byKey.remove(key);
        if (known != null) {
            inOrder.remove(known);
        }
    }

    /** {@return the deadline of a violation; fails if the violation has none} */
    public Instant of(ViolationKey key) {
        return Objects.requireNonNull(byKey.get(key), "no deadline").at();
    }

    /** {@return the violations with a deadline at or before {@code now}, ordered by deadline, then key} */
    public List<ViolationKey> dueAt(Instant now) {
        return inOrder.stream()
                .takeWhile(deadline -> !deadline.at().isAfter(now))
                .map(Deadline::key)
                .toList();
    }

    /** {@return the earliest deadline after {@code now}; empty if there is none} */
    public Optional<Instant> nextAfter(Instant now) {
        Deadline bound = new Deadline(now.plusNanos(1), ViolationKey.LEAST);
        return Optional.ofNullable(inOrder.ceiling(bound)).map(Deadline::at);
    }

    /**
     * {@return the violations with a deadline after {@code after} and at or before {@code now}, ordered by deadline,
     * then key}
     */
    public List<ViolationKey> dueBetween(Instant after, Instant now) {
        return inOrder.tailSet(new Deadline(after.plusNanos(1), ViolationKey.LEAST), true).stream()
                .takeWhile(deadline -> !deadline.at().isAfter(now))
                .map(Deadline::key)
                .toList();
    }

    /** {@return the earliest deadline; empty if no violation has one} */
    public Optional<Instant> first() {
        return inOrder.isEmpty()
                ? Optional.empty()
                : Optional.of(inOrder.getFirst().at());
    }

    /** {@return the {@code most} violations with the earliest deadlines, or all if there are fewer} */
    public List<ViolationKey> first(int most) {
        return inOrder.stream().limit(most).map(Deadline::key).toList();
    }

    /** {@return the number of violations with a deadline} */
    public int size() {
        return byKey.size();
    }
}
