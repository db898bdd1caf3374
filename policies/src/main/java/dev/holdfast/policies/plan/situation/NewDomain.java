package dev.holdfast.policies.plan.situation;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A domain of some topologyKey that could not have taken pods for as long as somebody asks for.
 *
 * @param usableSince since when it could have taken pods without interruption; absent where it cannot now
 */
public record NewDomain(String domain, Optional<Instant> usableSince) {
    /** Those that cannot take pods now, and then the youngest first. */
    static final Comparator<NewDomain> YOUNGEST_FIRST = Comparator.comparing(
                    (NewDomain it) -> it.usableSince().orElse(Instant.MAX), Comparator.reverseOrder())
            .thenComparing(NewDomain::domain);

    boolean isNewerThan(Instant instant) {
        return usableSince.filter(since -> !since.isAfter(instant)).isEmpty();
    }
}
