package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.NewDomain;
import dev.holdfast.policies.plan.situation.NewDomains;
import dev.holdfast.policies.plan.situation.Situation;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A spread that was fine until an emptier domain came is left as it is: domains that could not have taken pods ever since
 * the pod was bound, those that cannot now among them, break no spread.
 *
 * <p>Where the policy says {@code Rebalance}, such a domain breaks a spread once it could have taken pods for an hour.
 *
 * <p>Example: [2,2] by zone, maxSkew 1, and an empty third zone comes: every pod is violated, 2 - 0 > 1, and held. Of [4,1]
 * and an empty third zone the pods of the first go on being moved: 4 - 1 > 1 without it too.
 */
final class DomainAddedCheck implements Check {
    private static final int NAMED_DOMAINS = 3;

    /** For so long a domain must have been able to take pods until some are moved there. */
    private static final Duration TO_LAST = Duration.ofHours(1);

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        if (!(candidate.rule() instanceof Rule.TopologySpread rule)) {
            return Optional.empty();
        }
        Instant bound = candidate.pod().life().boundTime();
        return switch (candidate.whenDomainAdded()) {
            case HOLD ->
                Optional.of(NewDomains.breaking(bound, candidate, rule, situation))
                        .filter(breaking -> !breaking.isEmpty())
                        .map(breaking -> hold(rule, breaking));
            case REBALANCE -> {
                Instant lasting = situation.now().minus(TO_LAST);
                Instant latest = bound.isAfter(lasting) ? bound : lasting;
                yield Optional.of(NewDomains.breaking(latest, candidate, rule, situation))
                        .filter(breaking -> !breaking.isEmpty())
                        .map(breaking -> holdForNow(rule, breaking));
            }
        };
    }

    private static Hold hold(Rule.TopologySpread rule, List<NewDomain> breaking) {
        return Hold.untilChange(
                Reason.DOMAIN_ADDED,
                "it holds without domains that could not have taken pods ever since the pod was bound: "
                        + named(rule, breaking) + "; `whenDomainAdded: Rebalance` would move pods there");
    }

    private static Hold holdForNow(Rule.TopologySpread rule, List<NewDomain> breaking) {
        return new Hold(
                Reason.DOMAIN_ADDED,
                "it holds without domains that could not have taken pods for " + TO_LAST.toSeconds() + " s: "
                        + named(rule, breaking),
                breaking.stream()
                        .flatMap(newDomain -> newDomain.usableSince().stream())
                        .map(since -> since.plus(TO_LAST))
                        .min(Comparator.naturalOrder()));
    }

    private static String named(Rule.TopologySpread rule, List<NewDomain> breaking) {
        String named = breaking.stream()
                .limit(NAMED_DOMAINS)
                .map(newDomain -> rule.constraint().topologyKey() + "=" + newDomain.domain() + describe(newDomain))
                .collect(Collectors.joining(", "));
        int more = breaking.size() - NAMED_DOMAINS;
        return named + (more > 0 ? " and " + more + " more" : "");
    }

    private static String describe(NewDomain newDomain) {
        return newDomain
                .usableSince()
                .map(since -> ", which could since " + Hold.second(since))
                .orElse(", which has no node that is Ready, schedulable and there to stay");
    }
}
