package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.domain.NewDomain;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.NewDomains;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Holds a candidate if only new domains break its topology spread. A domain is new for a pod if it was unusable at some
 * time since the pod was bound. Usable means that at least one of the nodes that the spread counts there for this pod
 * is Ready, schedulable and not about to be removed. Nodes that the pod's nodeSelector, node affinity or tolerations
 * exclude from the spread make no domain old.
 *
 * <p>With {@code whenDomainAdded: Rebalance}, the candidate is held only until the new domain has been usable for an
 * hour.
 *
 * <p>Example: two zones have two pods each ([2,2]), maxSkew is 1, and an empty third zone is added. Then each pod
 * violates the constraint, because 2 - 0 > 1, and is held. With [4,1] and an empty third zone, pods of the first zone
 * still move, because 4 - 1 > 1 even without the third zone.
 */
final class DomainAddedCheck implements Check {
    private static final int NAMED_DOMAINS = 3;

    /** How long a new domain must have been usable before pods move to it. */
    private static final Duration TO_LAST = Duration.ofHours(1);

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        if (!(candidate.rule() instanceof Rule.TopologySpread rule)) {
            return Optional.empty();
        }
        Instant bound = NewDomains.justBeforeBound(candidate);
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
                "the rule is broken only by domains that were unusable at some time since the pod was bound: "
                        + named(rule, breaking) + "; `whenDomainAdded: Rebalance` would move pods there");
    }

    private static Hold holdForNow(Rule.TopologySpread rule, List<NewDomain> breaking) {
        return new Hold(
                Reason.DOMAIN_ADDED,
                "the rule is broken only by domains that were unusable at some time in the last " + TO_LAST.toMinutes()
                        + " minutes: " + named(rule, breaking),
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
        String counted = newDomain.usable() + " of " + newDomain.eligible() + " nodes that this rule counts";
        return newDomain
                .usableSince()
                .map(since -> ", usable since " + Hold.second(since) + " with " + counted)
                .orElse(", unusable now: " + counted + " are Ready, schedulable and not about to be removed");
    }
}
