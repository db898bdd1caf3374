package dev.holdfast.policies.forgive;

import dev.holdfast.policies.compact.CompactMap;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * One instant for each violation, usually when the violation is due. The instants are sorted, so that the next ones are
 * found fast.
 */
public final class Deadlines {
    private final Map<ViolationKey, Instant> byKey = new CompactMap<>();
    private final KeysByTime inOrder = new KeysByTime();

    /** Sets the deadline of a violation, and replaces the deadline that it had. */
    public void put(ViolationKey key, Instant at) {
        Instant known = byKey.put(key, inOrder.shared(at));
        if (!at.equals(known)) {
            if (known != null) {
                inOrder.remove(known, key);
            }
            inOrder.add(at, key);
        }
    }

    /** Removes the deadline of a violation, if it has one. */
    public void remove(ViolationKey key) {
        Instant known = byKey.remove(key);
        if (known != null) {
            inOrder.remove(known, key);
        }
    }

    /** {@return the deadline of a violation; fails if the violation has none} */
    public Instant of(ViolationKey key) {
        return Objects.requireNonNull(byKey.get(key), "no deadline");
    }

    /** {@return the violations with a deadline at or before {@code now}, ordered by deadline, then key} */
    public List<ViolationKey> dueAt(Instant now) {
        return inOrder.until(now);
    }

    /** {@return the earliest deadline after {@code now}; empty if there is none} */
    public Optional<Instant> nextAfter(Instant now) {
        return inOrder.nextAfter(now);
    }

    /**
     * {@return the violations with a deadline after {@code after} and at or before {@code now}, ordered by deadline,
     * then key}
     */
    public List<ViolationKey> dueBetween(Instant after, Instant now) {
        return inOrder.between(after, now);
    }

    /** {@return the earliest deadline; empty if no violation has one} */
    public Optional<Instant> first() {
        return inOrder.first();
    }

    /** {@return the number of violations with a deadline} */
    public int size() {
        return byKey.size();
    }
}
