package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.forgive.ViolationKey;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * For how long no node would have taken candidates, as far as anybody has looked. One look that finds a place ends it, and
 * so does a time in which nobody looks: there may have been a place.
 */
public final class InfeasibleSince {
    /** Far longer than between two looks, even where very much is due. */
    private static final Duration UNSEEN = Duration.ofMinutes(5);

    private final Map<ViolationKey, Stretch> known = new HashMap<>();

    /**
     * A time without a place.
     *
     * @param since the first look that found none
     * @param last the last one so far
     */
    public record Stretch(Instant since, Instant last) {}

    /** Notes a look that has found no place. */
    public void foundNone(ViolationKey key, Instant now) {
        Instant since = of(key).filter(it -> !it.last().plus(UNSEEN).isBefore(now))
                .map(Stretch::since)
                .orElse(now);
        known.put(key, new Stretch(since, now));
    }

    /** {@return since when there has been no place; absent where one was found last, or nobody has looked} */
    public Optional<Stretch> of(ViolationKey key) {
        return Optional.ofNullable(known.get(key));
    }

    /** Forgets it: there was a place, or time begins anew for the violation. */
    public void forget(ViolationKey key) {
        known.remove(key);
    }

    public int size() {
        return known.size();
    }
}
