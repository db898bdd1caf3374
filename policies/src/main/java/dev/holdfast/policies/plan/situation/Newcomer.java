package dev.holdfast.policies.plan.situation;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A domain of some topologyKey that could not have taken pods for as long as somebody asks for.
 *
 * @param usableSince since when it could have taken pods without interruption; absent where it cannot now
 */
public record Newcomer(String domain, Optional<Instant> usableSince) {
    /** Those that cannot take pods now, and then the youngest first. */
    static final Comparator<Newcomer> YOUNGEST_FIRST = Comparator.comparing(
                    (Newcomer it) -> it.usableSince().orElse(Instant.MAX), Comparator.reverseOrder())
            .thenComparing(Newcomer::domain);

    boolean isNewerThan(Instant instant) {
        return usableSince.filter(since -> !since.isAfter(instant)).isEmpty();
    }
}
