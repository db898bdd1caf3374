package dev.holdfast.policies.index.query;

import dev.holdfast.policies.evaluate.LeastCount;
import dev.holdfast.policies.index.count.LiveSpread;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.rule.NodeEligibility;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.rule.UnusableDomains;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The numbers that skews are measured from, for the details of violations. They are cached until the next event: one
 * event may break a constraint for all its owners, and each search reads all domains or all nodes.
 */
final class LeastCounts {
    /** The most searches between two events; later, smallest domains are named without what keeps pods off them. */
    private static final int MOST_SEARCHES = 200;

    private final ClusterView view;
    private final Map<LiveSpread, Fewest> fewest = new HashMap<>();
    private final Map<Seen, UnusableDomains.Usability> named = new HashMap<>();
    private final Map<SpreadDomains, String> leftOut = new HashMap<>();

    /**
     * A rule owner that violates a spread constraint.
     *
     * @param domain its domain
     * @param others the number of other matching pods there
     * @param self 1 if it matches its own selector, else 0
     * @param usable the nodes that it can use
     */
    record Owner(String domain, int others, int self, NodeEligibility usable) {}

    /** A constraint, and the nodes that its owner can use. */
    private record Seen(LiveSpread spread, NodeEligibility usable) {}

    /** The first domain, in natural order, of those with the fewest pods; the rule owner is counted. */
    private record Fewest(String domain, int pods) {}

    LeastCounts(ClusterView view) {
        this.view = view;
    }

    void forget() {
        fewest.clear();
        named.clear();
        leftOut.clear();
    }

    /** {@return the number that the skew of a violation is measured from} */
    LeastCount of(LiveSpread spread, Owner owner) {
        int domains = spread.domains().names().size();
        int minDomains = spread.constraint().minDomains();
        Fewest found = fewest.computeIfAbsent(spread, LeastCounts::search);
        // The domain of the owner counts one more than its others, so it is never one of the smallest.
        if (domains < minDomains) {
            return new LeastCount.OfTooFewDomains(
                    domains,
                    minDomains,
                    leftOut.computeIfAbsent(
                            spread.domains().spreadDomains(), it -> UnusableDomains.leftOut(it, view.nodes())),
                    Math.min(found.pods(), owner.others()) + owner.self()
                            > spread.constraint().maxSkew());
        }
        Seen question = new Seen(spread, owner.usable());
        if (named.size() == MOST_SEARCHES && !named.containsKey(question)) {
            return new LeastCount.OfDomain(found.domain(), spread.least(), "");
        }
        UnusableDomains.Usability smallest = named.computeIfAbsent(
                question,
                seen -> UnusableDomains.firstUsable(
                        found.domain(),
                        () -> smallest(spread, found.pods()),
                        spread.domains().spreadDomains(),
                        seen.usable(),
                        view.nodes()));
        return new LeastCount.OfDomain(smallest.domain(), spread.least(), smallest.keptOff());
    }

    private static List<String> smallest(LiveSpread spread, int pods) {
        return spread.domains().names().stream()
                .filter(domain -> spread.counted(domain) == pods)
                .sorted()
                .toList();
    }

    private static Fewest search(LiveSpread spread) {
        Fewest found = new Fewest("", Integer.MAX_VALUE);
        for (String domain : spread.domains().names()) {
            int pods = spread.counted(domain);
            if (pods < found.pods() || (pods == found.pods() && domain.compareTo(found.domain()) < 0)) {
                found = new Fewest(domain, pods);
            }
        }
        return found;
    }
}
