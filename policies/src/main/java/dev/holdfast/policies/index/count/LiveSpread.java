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
 * A topology spread constraint with {@code DoNotSchedule}, with the number of pods that it counts in each domain.
 * Domains with neither a counted pod nor a rule owner are left out. The domains are also sorted by count. So a new
 * global minimum, and the verdict groups that it affects, are found without a search.
 *
 * <p>A rule owner that matches its own selector is in the count of its domain if its node is eligible. If its node is
 * not eligible, 1 is added to the count for the rule owner (TS-6, X-5).
 */
public final class LiveSpread extends DomainCountRule {
    private final TopologySpreadConstraint constraint;
    private final String topologyKey;
    private final DomainSet domains;
    private final DirtyGroups dirtyGroups;
    private final VerdictGroup keyless = new VerdictGroup.Broken();

    /**
     * The domains with a count above 0: count -> the domains with this count. {@link DomainCount#placeByCount} is the
     * position of a domain in its list.
     */
    private final NavigableMap<Integer, List<DomainCount>> byCount = new TreeMap<>();

    /** The number of domains with a count above 0. */
    private int occupied;

    /**
     * The verdict groups for which 1 is added to the count: their rule owners match the selector, but are on nodes
     * whose pods are not counted. Usually few.
     */
    private final Set<VerdictGroup> ofAdding = new LinkedHashSet<>();

    /**
     * The global minimum after the last recount: the lowest count of any domain, or 0 with fewer domains than
     * minDomains.
     */
    private int least;

    /** Whether this constraint is dirty: its global minimum must be computed again after the event has been counted. */
    boolean dirty;

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
        domains.add(this);
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
        DomainCount domainCount = domainCount(domain.get());
        leaveCount(domainCount);
        domainCount.count += more;
        enterCount(domainCount);
        domainCount.markDirty(dirtyGroups);
        domainCount.dropIfEmpty();
        dirtyGroups.markDirty(this);
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

    /** Called when a domain appeared or disappeared; marks this constraint as dirty. */
    void domainsChanged() {
        dirtyGroups.markDirty(this);
    }

    /**
     * Computes the global minimum. Marks those verdict groups as dirty whose verdict may differ with the new minimum.
     */
    void recount() {
        int now = leastOf(occupied, occupied == 0 ? 0 : byCount.firstKey());
        if (now != least) {
            byCount.subMap(mostWith(Math.min(now, least)), false, mostWith(Math.max(now, least)), true)
                    .values()
                    .forEach(domainCounts -> domainCounts.forEach(domainCount -> domainCount.markDirty(dirtyGroups)));
            ofAdding.forEach(dirtyGroups::markDirty);
            least = now;
        }
    }

    /** {@return the highest count of a domain that maxSkew allows with this global minimum} */
    private int mostWith(int least) {
        return (int) Math.min(Integer.MAX_VALUE, (long) least + constraint.maxSkew());
    }

    @Override
    boolean isBroken(int count, boolean adds) {
        return isBroken(count, adds, least);
    }

    /**
     * {@return whether rule owners violate the constraint in a domain with this count} Example: count 3, minimum 1 and
     * maxSkew 1 is a violation, since 3 - 1 > 1.
     *
     * @param adds whether 1 is added to the count, because the rule owners are on nodes that are not eligible
     * @param fewest the global minimum
     */
    public boolean isBroken(int count, boolean adds, int fewest) {
        return count + (adds ? 1 : 0) - fewest > constraint.maxSkew();
    }

    /** {@return the domain in which pods on the node are counted; empty if the node is not eligible} */
    public Optional<String> domain(Node node) {
        return domains.includes(node) ? node.labels().get(topologyKey) : Optional.empty();
    }

    /**
     * {@return the global minimum that would result if the counts of some domains changed}
     *
     * @param more the change of the count by domain; negative if pods leave
     */
    public int least(Map<String, Integer> more) {
        int fewest = Integer.MAX_VALUE;
        int used = occupied;
        for (Map.Entry<String, Integer> changed : more.entrySet()) {
            DomainCount domainCount = domainCountIfUsed(changed.getKey());
            int before = domainCount == null ? 0 : domainCount.count;
            int after = before + changed.getValue();
            used += (after > 0 ? 1 : 0) - (before > 0 ? 1 : 0);
            fewest = after > 0 ? Math.min(fewest, after) : fewest;
        }
        return leastOf(used, Math.min(fewest, fewestBut(more.keySet())));
    }

    /**
     * {@return the global minimum}
     *
     * @param used the number of domains with a count above 0
     * @param fewest the lowest count of these domains
     */
    private int leastOf(int used, int fewest) {
        boolean anyEmpty = domains.names().size() < constraint.minDomains()
                || domains.names().size() > used;
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

    /**
     * {@return the domains where a verdict may change if the global minimum changes from {@code one} to {@code other}}
     * There is one list for each count; domains with count 0 are left out.
     */
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
        VerdictGroup verdictGroup = domainCount(domain.get()).group(adds);
        if (adds) {
            ofAdding.add(verdictGroup);
        }
        return verdictGroup;
    }

    public String topologyKey() {
        return topologyKey;
    }

    public TopologySpreadConstraint constraint() {
        return constraint;
    }

    /** {@return the global minimum after the last recount} */
    public int least() {
        return least;
    }

    /**
     * {@return those of the given domains, in the given order, that cause a violation because they have too few pods}
     * Empty if the pod would also violate the constraint without these domains. Example: with maxSkew 1 and counts z1:
     * 4, z2: 3, z3: 0, only z3 causes the violation in z1.
     *
     * @param skew the violation: a domain has too few pods if it counts fewer than {@code others + self - maxSkew}
     */
    public List<String> domainsCausing(List<String> some, ViolationDetail.Skew skew) {
        int enough = skew.others() + skew.self() - constraint.maxSkew();
        int tooFew = domains.names().size() - occupied;
        for (List<DomainCount> domainCounts : byCount.headMap(enough, false).values()) {
            tooFew += domainCounts.size();
        }
        if (tooFew > some.size()) {
            return List.of();
        }
        List<String> counting = some.stream()
                .filter(domain ->
                        !domain.equals(skew.domain()) && domains.names().contains(domain))
                .toList();
        List<String> breaking =
                counting.stream().filter(domain -> counted(domain) < enough).toList();
        boolean enoughDomains = domains.names().size() - counting.size() >= constraint.minDomains();
        return enoughDomains && breaking.size() == tooFew ? breaking : List.of();
    }

    /** {@return the number of pods that the constraint counts in a domain} */
    public int counted(String domain) {
        DomainCount domainCount = domainCountIfUsed(domain);
        return domainCount == null ? 0 : domainCount.count;
    }

    @Override
    void retired() {
        domains.remove(this);
    }
}
