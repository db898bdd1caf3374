package dev.holdfast.policies.plan;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.rule.Rule;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * A spread that was fine until an emptier domain came is left as it is: domains that could not have taken pods ever since
 * the pod was bound, those that cannot now among them, break no spread.
 *
 * <p>Example: [2,2] by zone, maxSkew 1, and an empty third zone comes: every pod is violated, 2 - 0 > 1, and held. Of [4,1]
 * and an empty third zone the pods of the first go on being moved: 4 - 1 > 1 without it too.
 */
final class DomainAddedCheck implements Check {
    private static final int NAMED_DOMAINS = 3;

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        if (!(candidate.rule() instanceof Rule.TopologySpread rule)) {
            return Optional.empty();
        }
        Instant bound = candidate.pod().life().boundTime();
        String key = rule.constraint().topologyKey();
        List<Newcomer> newcomers = situation.domains().history().newerThan(key, bound);
        if (newcomers.isEmpty()) {
            return Optional.empty();
        }
        List<String> breaking = situation
                .domains()
                .spreads()
                .brokenOnlyBy(newcomers.stream().map(Newcomer::domain).toList(), candidate, rule);
        return breaking.isEmpty() ? Optional.empty() : Optional.of(hold(key, newcomers, breaking));
    }

    private static Hold hold(String key, List<Newcomer> newcomers, List<String> breaking) {
        String named = newcomers.stream()
                .filter(newcomer -> breaking.contains(newcomer.domain()))
                .limit(NAMED_DOMAINS)
                .map(newcomer -> key + "=" + newcomer.domain() + describe(newcomer))
                .collect(Collectors.joining(", "));
        int more = breaking.size() - NAMED_DOMAINS;
        return Hold.untilChange(
                Reason.DOMAIN_ADDED,
                "it holds without domains that could not have taken pods ever since the pod was bound: " + named
                        + (more > 0 ? " and " + more + " more" : ""));
    }

    private static String describe(Newcomer newcomer) {
        return newcomer.usableSince()
                .map(since -> ", which could since " + since)
                .orElse(", which has no node that is Ready, schedulable and there to stay");
    }
}
