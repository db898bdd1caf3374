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
 * A hard spread constraint: a cell for every domain with a counted pod or a holder, and the cells by their count, so that
 * the least domain is known without looking through them, and so are those for whom another least one matters.
 *
 * <p>A holder on a node that counts is in its cell's count if it matches its own selector; one on a node that does not
 * count is not, and adds itself (TS-6, X-5).
 */
public final class LiveSpread extends DomainCountRule {
    private final TopologySpreadConstraint constraint;
    private final String topologyKey;
    private final DomainSet domains;
    private final DirtyGroups dirtyGroups;
    private final VerdictGroup keyless = new VerdictGroup.Broken();

    /** The cells that count somebody, by how many. */
    private final NavigableMap<Integer, List<DomainCount>> byCount = new TreeMap<>();

    /** How many cells count somebody. */
    private int occupied;

    /** The groups of those who add themselves, few as a rule. */
    private final Set<VerdictGroup> ofAdding = new LinkedHashSet<>();

    /** The fewest pods in any domain, as last settled. */
    private int least;

    /** Whether the least domain is to be looked at again when the event has been taken in. */
    boolean doubtful;

    /**
     * @param counted the pods that count; absent where the selector is <code>{}</code>, for which the scheduler counts
     *     nobody (TS-11)
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

    /** Called when a domain came or left. */
    void domainsChanged() {
        dirtyGroups.doubt(this);
    }

    /** Works out the least domain, and has those groups looked at again to whom it can make a difference. */
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

    /** {@return how many a domain may count beside that least one} */
    private int mostWith(int least) {
        return (int) Math.min(Integer.MAX_VALUE, (long) least + constraint.maxSkew());
    }

    @Override
    boolean isBroken(int count, boolean adds) {
        return isBroken(count, adds, least);
    }

    /** {@return whether it is broken for holders in a domain that counts so many, were the least one this} */
    public boolean isBroken(int count, boolean adds, int fewest) {
        return count + (adds ? 1 : 0) - fewest > constraint.maxSkew();
    }

    /** {@return the domain that a pod counts in on the node; absent where it counts nowhere} */
    public Optional<String> domain(Node node) {
        return domains.includes(node) ? node.labels().get(topologyKey) : Optional.empty();
    }

    /** {@return the fewest pods in any domain, were there so many more in some} */
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

    /** @param fewest in those domains that are used */
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

    /** {@return the cells that count somebody and to whose holders it can make a difference which of two is the least} */
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
    public VerdictGroup seat(Holder holder, Node node) {
        Optional<String> domain = node.labels().get(topologyKey);
        if (domain.isEmpty()) {
            return keyless;
        }
        if (!hasPartners()) {
            return null;
        }
        boolean adds = holder.isMatchedBy(this) && !domains.includes(node);
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

    /** {@return the fewest pods in any domain, as last settled} */
    public int least() {
        return least;
    }

    /**
     * {@return those of some domains for which alone it is broken, in the same order; none where it is broken without all
     * of them too}
     *
     * @param skew how it is broken: fewer than {@code others + self - maxSkew} in a domain break it
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

    /** {@return how many pods a domain counts} */
    public int counted(String domain) {
        DomainCount domainCount = cellIfUsed(domain);
        return domainCount == null ? 0 : domainCount.count;
    }

    @Override
    void retired() {
        domains.rules.remove(this);
    }
}
