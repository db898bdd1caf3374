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

/** Running violations by an instant, mostly that at which they are due: what is due is found without looking at the rest. */
public final class Deadlines {
    private final Map<ViolationKey, Instant> byKey = new HashMap<>();
    private final NavigableSet<Deadline> inOrder = new TreeSet<>();

    private record Deadline(Instant at, ViolationKey key) implements Comparable<Deadline> {
        private static final Comparator<Deadline> ORDER =
                Comparator.comparing(Deadline::at).thenComparing(Deadline::key);

        @Override
        public int compareTo(Deadline other) {
            return ORDER.compare(this, other);
        }
    }

    /** Sets when a violation is due. */
    public void put(ViolationKey key, Instant at) {
        remove(key);
        byKey.put(key, at);
        inOrder.add(new Deadline(at, key));
    }

    /** Forgets a violation; nothing happens if there is no deadline for it. */
    public void remove(ViolationKey key) {
        Instant known = byKey.remove(key);
        if (known != null) {
            inOrder.remove(new Deadline(known, key));
        }
    }

    /** {@return when a violation is due; it must have a deadline} */
    public Instant of(ViolationKey key) {
        return Objects.requireNonNull(byKey.get(key), "no deadline");
    }

    /** {@return the violations whose deadline is not after an instant, first due first} */
    public List<ViolationKey> dueAt(Instant now) {
        return inOrder.stream()
                .takeWhile(deadline -> !deadline.at().isAfter(now))
                .map(Deadline::key)
                .toList();
    }

    /** {@return the first deadline after an instant} */
    public Optional<Instant> nextAfter(Instant now) {
        Deadline bound = new Deadline(now.plusNanos(1), ViolationKey.LEAST);
        return Optional.ofNullable(inOrder.ceiling(bound)).map(Deadline::at);
    }

    /** {@return the violations that came due after one instant and not after another} */
    public List<ViolationKey> dueBetween(Instant after, Instant now) {
        return inOrder.tailSet(new Deadline(after.plusNanos(1), ViolationKey.LEAST), true).stream()
                .takeWhile(deadline -> !deadline.at().isAfter(now))
                .map(Deadline::key)
                .toList();
    }

    /** {@return the first deadline of all} */
    public Optional<Instant> first() {
        return inOrder.isEmpty()
                ? Optional.empty()
                : Optional.of(inOrder.getFirst().at());
    }

    /** {@return the violations due first, at most so many} */
    public List<ViolationKey> first(int most) {
        return inOrder.stream().limit(most).map(Deadline::key).toList();
    }

    /** {@return how many there are} */
    public int size() {
        return byKey.size();
    }
}
