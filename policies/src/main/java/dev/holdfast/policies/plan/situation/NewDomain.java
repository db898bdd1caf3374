package dev.holdfast.policies.plan.situation;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A domain that was not usable for all of some period.
 *
 * @param usableSince since when it has been usable without interruption; absent if it is not usable now
 */
public record NewDomain(String domain, Optional<Instant> usableSince) {
    /** First the domains that are not usable now, then the youngest first. */
    static final Comparator<NewDomain> YOUNGEST_FIRST = Comparator.comparing(
                    (NewDomain it) -> it.usableSince().orElse(Instant.MAX), Comparator.reverseOrder())
            .thenComparing(NewDomain::domain);

    boolean isNewerThan(Instant instant) {
        return usableSince.filter(since -> !since.isAfter(instant)).isEmpty();
    }
}
