package dev.holdfast.policies.index.count;

import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * A live hard spread constraint, with a count for every domain that has a counted pod or a holder. The domains are also
 * sorted by count. So the global minimum is known without a search, and so are the groups for which a change of the
 * minimum matters.
 *
 * <p>A holder that matches its own selector is in the count of its domain if its node takes part. If the node takes no
 * part, the holder is not in the count, and is added as {@code self} (TS-6, X-5).
 */
public final class LiveSpread extends DomainCountRule {
    private final TopologySpreadConstraint constraint;
    private final String topologyKey;
    private final DomainSet domains;
    private final DirtyGroups dirtyGroups;
    private final VerdictGroup keyless = new VerdictGroup.Broken();

    /** The domains with a count above 0, by count; {@link DomainCount#placeByCount} is the position in the list. */
    private final NavigableMap<Integer, List<DomainCount>> byCount = new TreeMap<>();

    /** The number of domains with a count above 0. */
    private int occupied;

    /** The groups of holders that add themselves to the count; usually few. */
    private final Set<VerdictGroup> ofAdding = new LinkedHashSet<>();

    /**
     * The global minimum after the last recount: the lowest count of any domain, or 0 with fewer domains than
     * minDomains.
     */
    private int least;

    /** Whether the global minimum must be computed again after the event has been counted. */
    boolean doubtful;

    /**
     * @param counted matches the pods that are counted; absent for the selector <code>{}</code>, for which the
     *     scheduler counts no pods (TS-11)
     */
    LiveSpread(
            TopologySpreadConstraint constraint,
            Optional<TermMatcher> counted,
            DomainSet domains,
            DirtyGroups dirtyGroups) {
        super(counted.stream().toList());
        this.constraint = constraint;
        this.topologyKey = constraint.topologyKey().intern();
        this.domains = domains;
        this.dirtyGroups = dirtyGroups;
        domains.rules.add(this);
    }

    public DomainSet domains() {
        return domains;
    }

    @Override
    public void came(Pod partner, Node node) {
        count(partner, node, 1);
    }

    @Override
    public void left(Pod partner, Node node) {
        count(partner, node, -1);
    }

    private void count(Pod partner, Node node, int more) {
        Optional<String> domain = node.labels().get(topologyKey);
        if (domain.isEmpty() || partner.terminating() || !domains.includes(node)) {
            return;
        }
        DomainCount domainCount = cell(domain.get());
        leaveCount(domainCount);
        domainCount.count += more;
        enterCount(domainCount);
        domainCount.doubt(dirtyGroups);
        domainCount.dropIfEmpty();
        dirtyGroups.doubt(this);
    }

    private void leaveCount(DomainCount domainCount) {
        if (domainCount.count == 0) {
            return;
        }
        List<DomainCount> alike = Objects.requireNonNull(byCount.get(domainCount.count));
        DomainCount last = alike.removeLast();
        if (last != domainCount) {
            last.placeByCount = domainCount.placeByCount;
            alike.set(last.placeByCount, last);
        }
        occupied--;
        if (alike.isEmpty()) {
            byCount.remove(domainCount.count);
        }
    }

    private void enterCount(DomainCount domainCount) {
        if (domainCount.count > 0) {
            List<DomainCount> alike = byCount.computeIfAbsent(domainCount.count, _ -> new ArrayList<>(2));
            domainCount.placeByCount = alike.size();
            alike.add(domainCount);
            occupied++;
        }
    }

    /** Called when a domain appeared or disappeared. */
    void domainsChanged() {
        dirtyGroups.doubt(this);
    }

    /** Computes the global minimum, and marks the groups as dirty whose verdict the new minimum can change. */
    void recount() {
        int now = leastOf(occupied, occupied == 0 ? 0 : byCount.firstKey());
        if (now != least) {
            byCount.subMap(mostWith(Math.min(now, least)), false, mostWith(Math.max(now, least)), true)
                    .values()
                    .forEach(domainCounts -> domainCounts.forEach(domainCount -> domainCount.doubt(dirtyGroups)));
            ofAdding.forEach(dirtyGroups::doubt);
            least = now;
        }
    }

    /** {@return the highest count that does not violate maxSkew with this minimum} */
    private int mostWith(int least) {
        return (int) Math.min(Integer.MAX_VALUE, (long) least + constraint.maxSkew());
    }

    @Override
    boolean isBroken(int count, boolean adds) {
        return isBroken(count, adds, least);
    }

    /**
     * {@return whether holders violate the constraint in a domain with this count and this global minimum} Example:
     * count 3, minimum 1 and maxSkew 1 is a violation, since 3 - 1 > 1.
     */
    public boolean isBroken(int count, boolean adds, int fewest) {
        return count + (adds ? 1 : 0) - fewest > constraint.maxSkew();
    }

    /** {@return the domain in which pods on the node are counted; empty if the node takes no part} */
    public Optional<String> domain(Node node) {
        return domains.includes(node) ? node.labels().get(topologyKey) : Optional.empty();
    }

    /** {@return the global minimum if the counts of some domains changed by these amounts} */
    public int least(Map<String, Integer> more) {
        int fewest = Integer.MAX_VALUE;
        int used = occupied;
        for (Map.Entry<String, Integer> changed : more.entrySet()) {
            DomainCount domainCount = cellIfUsed(changed.getKey());
            int before = domainCount == null ? 0 : domainCount.count;
            int after = before + changed.getValue();
            used += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
            fewest = after > 0 ? Math.min(fewest, after) : fewest;
        }
        return leastOf(used, Math.min(fewest, fewestBut(more.keySet())));
    }

    /** @param fewest the lowest count of the domains with a count above 0 */
    private int leastOf(int used, int fewest) {
        boolean anyEmpty = domains.size() < constraint.minDomains() || domains.size() > used;
        return anyEmpty || used == 0 ? 0 : fewest;
    }

    private int fewestBut(Set<String> some) {
        for (Map.Entry<Integer, List<DomainCount>> alike : byCount.entrySet()) {
            for (DomainCount domainCount : alike.getValue()) {
                if (!some.contains(domainCount.domain)) {
                    return alike.getKey();
                }
            }
        }
        return Integer.MAX_VALUE;
    }

    /** {@return the domains with a count above 0 whose verdicts can differ between two global minimums} */
    public Collection<List<DomainCount>> between(int one, int other) {
        return byCount.subMap(mostWith(Math.min(one, other)), true, mostWith(Math.max(one, other)), true)
                .values();
    }

    @Override
    void emptied(VerdictGroup verdictGroup) {
        ofAdding.remove(verdictGroup);
    }

    @Override
    @Nullable
    public VerdictGroup join(RuleOwner ruleOwner, Node node) {
        Optional<String> domain = node.labels().get(topologyKey);
        if (domain.isEmpty()) {
            return keyless;
        }
        if (!hasPartners()) {
            return null;
        }
        boolean adds = ruleOwner.isMatchedBy(this) && !domains.includes(node);
        VerdictGroup verdictGroup = cell(domain.get()).group(adds);
        if (adds) {
            ofAdding.add(verdictGroup);
        }
        return verdictGroup;
    }

    public String topologyKey() {
        return topologyKey;
    }

    public int maxSkew() {
        return constraint.maxSkew();
    }

    /** {@return the global minimum after the last recount} */
    public int least() {
        return least;
    }

    /**
     * {@return those of the given domains that alone cause a violation, in the same order; empty if the violation
     * remains without all of them}
     *
     * @param skew the violation: a domain causes it if it counts fewer than {@code others + self - maxSkew}
     */
    public List<String> brokenOnlyBy(List<String> some, ViolationDetail.Skew skew) {
        int enough = skew.others() + skew.self() - constraint.maxSkew();
        int tooFew = domains.size() - occupied;
        for (List<DomainCount> domainCounts : byCount.headMap(enough, false).values()) {
            tooFew += domainCounts.size();
        }
        if (tooFew > some.size()) {
            return List.of();
        }
        List<String> counting = some.stream()
                .filter(domain -> !domain.equals(skew.domain()) && domains.has(domain))
                .toList();
        List<String> breaking =
                counting.stream().filter(domain -> counted(domain) < enough).toList();
        boolean enoughDomains = domains.size() - counting.size() >= constraint.minDomains();
        return enoughDomains && breaking.size() == tooFew ? breaking : List.of();
    }

    /** {@return the count of a domain} */
    public int counted(String domain) {
        DomainCount domainCount = cellIfUsed(domain);
        return domainCount == null ? 0 : domainCount.count;
    }

    @Override
    void retired() {
        domains.rules.remove(this);
    }
}
