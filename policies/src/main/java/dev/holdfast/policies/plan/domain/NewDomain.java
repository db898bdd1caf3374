package dev.holdfast.policies.plan.domain;

import java.time.Instant;
import java.util.Comparator;
import java.util.Optional;

/**
 * A domain that is new for a pod: at some time since the pod was bound, it was not usable for the pod's spread. Usable
 * means that one of its eligible nodes is Ready, schedulable and not about to be removed.
 *
 * @param domain the value of the topologyKey
 * @param usableSince since when the domain has been usable without interruption; absent if it is not usable now
 * @param usable the number of its eligible nodes that are usable now
 * @param eligible the number of its nodes that are eligible for the spread, at least 1
 */
public record NewDomain(String domain, Optional<Instant> usableSince, int usable, int eligible) {
    /** Orders the domains that are not usable now before all others, then the youngest first, then by name. */
    static final Comparator<NewDomain> YOUNGEST_FIRST = Comparator.comparing(
                    (NewDomain it) -> it.usableSince().orElse(Instant.MAX), Comparator.reverseOrder())
            .thenComparing(NewDomain::domain);

    boolean isNewerThan(Instant instant) {
        return usableSince.filter(since -> !since.isAfter(instant)).isEmpty();
    }
}
