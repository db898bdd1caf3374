package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * A required pod affinity with all its terms and its partner counts. A partner matches all terms (AF-1). The partner is
 * counted once for every topology key that its node has (AF-2). A rule owner that matches its own terms is also
 * satisfied while no other partner exists in any domain (AF-5).
 *
 * <p>Rule owners share a verdict if their nodes are in the same domain for every key, and all or none of them are
 * partners.
 */
public final class LiveAffinity extends LiveRule {
    /**
     * With 2 partners every rule owner has a partner, even one that is itself one of the 2. So more partners change no
     * verdict.
     */
    private static final int FEW = 2;

    private final List<String> keys;
    private final DirtyGroups dirtyGroups;
    private final Map<Domain, Cell> cells = new HashMap<>();
    private final Map<GroupKey, AffinityGroup> groups = new HashMap<>();
    private final Set<AffinityGroup> ofPartners = new LinkedHashSet<>();
    private final VerdictGroup keyless = new VerdictGroup.Broken();

    /** The number of partners on nodes that have at least one of the topology keys. */
    private int total;

    LiveAffinity(List<TermMatcher> terms, DirtyGroups dirtyGroups) {
        super(terms);
        this.keys = terms.stream()
                .map(term -> term.topologyKey().intern())
                .distinct()
                .toList();
        this.dirtyGroups = dirtyGroups;
    }

    /** One domain: a topology key and its value, for example zone z1. */
    public record Domain(String key, String value) {}

    /**
     * The key of a verdict group.
     *
     * @param domains the domain of the rule owners for each topology key, in the order of {@link #keys}
     * @param partner whether the rule owners are partners themselves
     */
    private record GroupKey(List<String> domains, boolean partner) {}

    @Override
    public void came(Pod partner, Node node) {
        count(node, 1);
    }

    @Override
    public void left(Pod partner, Node node) {
        count(node, -1);
    }

    private void count(Node node, int more) {
        boolean anywhere = false;
        for (String key : keys) {
            Optional<String> value = node.labels().get(key);
            if (value.isPresent()) {
                anywhere = true;
                Cell cell = cell(new Domain(key, value.get()));
                cell.count += more;
                if (matters(cell.count, more)) {
                    cell.listeners.forEach(dirtyGroups::markDirty);
                }
                dropIfEmpty(cell);
            }
        }
        if (anywhere) {
            total += more;
            if (matters(total, more)) {
                ofPartners.forEach(dirtyGroups::markDirty);
            }
        }
    }

    /**
     * {@return whether a change of a count can change a verdict} Example: 1 -> 2 can, because a rule owner that is the
     * first partner itself gets another one; 2 -> 3 cannot.
     *
     * @param count the count after the change
     * @param more the change: 1 or -1
     */
    private static boolean matters(int count, int more) {
        return Math.min(count, count - more) < FEW;
    }

    @Override
    @Nullable
    public VerdictGroup join(RuleOwner ruleOwner, Node node) {
        List<String> domains = new ArrayList<>(keys.size());
        for (String key : keys) {
            Optional<String> value = node.labels().get(key);
            if (value.isEmpty()) {
                return keyless;
            }
            domains.add(value.get());
        }
        GroupKey groupKey = new GroupKey(domains, ruleOwner.isMatchedBy(this));
        AffinityGroup known = groups.get(groupKey);
        if (known == null) {
            known = new AffinityGroup(groupKey);
            known.broken = known.isBroken();
            groups.put(groupKey, known);
            takes(RuleLimits.GROUP);
            if (groupKey.partner()) {
                ofPartners.add(known);
            }
        }
        return known;
    }

    private Cell cell(Domain domain) {
        Cell known = cells.get(domain);
        if (known == null) {
            known = new Cell(domain);
            cells.put(domain, known);
            takes(RuleLimits.CELL);
        }
        return known;
    }

    private void dropIfEmpty(Cell cell) {
        if (cell.isEmpty()) {
            cells.remove(cell.domain);
            takes(-RuleLimits.CELL);
        }
    }

    /** {@return the topology keys of the terms, each once} */
    public List<String> keys() {
        return keys;
    }

    /** {@return the number of partners in a domain} */
    public int partnersIn(Domain domain) {
        Cell cell = cells.get(domain);
        return cell == null ? 0 : cell.count;
    }

    /** {@return the verdict groups whose verdict depends on the number of partners in a domain} */
    public Set<AffinityGroup> groupsReading(Domain domain) {
        Cell cell = cells.get(domain);
        return cell == null ? Set.of() : Collections.unmodifiableSet(cell.listeners);
    }

    /** {@return the verdict group of a rule owner on a node; empty if the node lacks a topology key} */
    public Optional<AffinityGroup> groupOf(RuleOwner ruleOwner, Node node) {
        return keys.stream()
                .findFirst()
                .flatMap(key -> node.labels().get(key).map(value -> new Domain(key, value)))
                .flatMap(domain ->
                        groupsReading(domain).stream().filter(ruleOwner::isIn).findFirst());
    }

    /**
     * {@return the verdict groups whose rule owners are partners themselves: their verdict also depends on the total
     * number of partners}
     */
    public Set<AffinityGroup> groupsOfPartners() {
        return Collections.unmodifiableSet(ofPartners);
    }

    /** {@return the number of domains that have a partner or a rule owner} */
    int domains() {
        return cells.size();
    }

    /** The number of partners in one domain, and the verdict groups whose verdict depends on it. */
    private static final class Cell {
        private final Domain domain;
        private final Set<AffinityGroup> listeners = new LinkedHashSet<>();
        private int count;

        Cell(Domain domain) {
            this.domain = domain;
        }

        boolean isEmpty() {
            return count == 0 && listeners.isEmpty();
        }
    }

    /**
     * The rule owners that share a verdict: their nodes are in the same domain for each topology key, and all or none
     * of them are partners.
     */
    public final class AffinityGroup extends VerdictGroup {
        private final GroupKey group;
        private final List<Cell> read = new ArrayList<>();

        private AffinityGroup(GroupKey groupKey) {
            this.group = groupKey;
            for (int i = 0; i < keys.size(); i++) {
                Cell cell = cell(new Domain(keys.get(i), groupKey.domains().get(i)));
                cell.listeners.add(this);
                read.add(cell);
            }
        }

        @Override
        boolean isBroken() {
            return isBroken(total, cell -> cell.count);
        }

        /**
         * {@return whether the rule owners of this group would violate the affinity if the counts changed}
         *
         * @param moreInAll the change of the total number of partners; negative if partners leave
         * @param more the change of the number of partners in each domain; a domain that is missing does not change
         */
        public boolean isBrokenWith(int moreInAll, Map<Domain, Integer> more) {
            return isBroken(total + moreInAll, cell -> cell.count + more.getOrDefault(cell.domain, 0));
        }

        private boolean isBroken(int all, ToIntFunction<Cell> counts) {
            int self = group.partner() ? 1 : 0;
            boolean first = group.partner() && all == self;
            if (first) {
                return false;
            }
            for (Cell cell : read) {
                if (counts.applyAsInt(cell) == self) {
                    return true;
                }
            }
            return false;
        }

        @Override
        void emptied() {
            groups.remove(group);
            takes(-RuleLimits.GROUP);
            ofPartners.remove(this);
            for (Cell cell : read) {
                cell.listeners.remove(this);
                dropIfEmpty(cell);
            }
        }
    }
}
