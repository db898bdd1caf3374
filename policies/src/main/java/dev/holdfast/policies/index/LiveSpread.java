package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.NavigableMap;
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
final class LiveSpread extends LiveRule {
    private final TopologySpreadConstraint constraint;
    private final DomainSet domains;
    private final Docket docket;
    private final Map<String, Cell> cells = new HashMap<>();
    private final Group keyless = new Group.Broken();

    /** The cells that count somebody, by how many. */
    private final NavigableMap<Integer, Set<Cell>> byCount = new TreeMap<>();

    /** How many cells count somebody. */
    private int occupied;

    /** The groups of those who add themselves, few as a rule. */
    private final Set<Sharing> ofAdding = new LinkedHashSet<>();

    /** The fewest pods in any domain, as last settled. */
    private int least;

    /** Whether the least domain is to be looked at again when the event has been taken in. */
    boolean doubtful;

    /**
     * @param counted the pods that count; absent where the selector is <code>{}</code>, for which the scheduler counts
     *     nobody (TS-11)
     */
    LiveSpread(TopologySpreadConstraint constraint, Optional<TermMatcher> counted, DomainSet domains, Docket docket) {
        super(counted.stream().toList());
        this.constraint = constraint;
        this.domains = domains;
        this.docket = docket;
        domains.rules.add(this);
    }

    DomainSet domains() {
        return domains;
    }

    @Override
    void came(PodEntry partner, Node node) {
        count(partner, node, 1);
    }

    @Override
    void left(PodEntry partner, Node node) {
        count(partner, node, -1);
    }

    private void count(PodEntry partner, Node node, int more) {
        Optional<String> domain = node.labels().get(constraint.topologyKey());
        if (domain.isEmpty() || partner.pod.terminating() || !domains.includes(node)) {
            return;
        }
        Cell cell = cell(domain.get());
        leaveCount(cell);
        cell.count += more;
        enterCount(cell);
        cell.doubt();
        cell.dropIfEmpty();
        docket.doubt(this);
    }

    private void leaveCount(Cell cell) {
        Set<Cell> alike = byCount.get(cell.count);
        if (alike != null && alike.remove(cell)) {
            occupied--;
            if (alike.isEmpty()) {
                byCount.remove(cell.count);
            }
        }
    }

    private void enterCount(Cell cell) {
        if (cell.count > 0) {
            byCount.computeIfAbsent(cell.count, _ -> new LinkedHashSet<>(2)).add(cell);
            occupied++;
        }
    }

    /** Called when a domain came or left. */
    void domainsChanged() {
        docket.doubt(this);
    }

    /** Works out the least domain, and has those groups looked at again to whom it can make a difference. */
    void recount() {
        int now = fewest();
        if (now != least) {
            byCount.subMap(mostWith(Math.min(now, least)), false, mostWith(Math.max(now, least)), true)
                    .values()
                    .forEach(cells -> cells.forEach(Cell::doubt));
            ofAdding.forEach(docket::doubt);
            least = now;
        }
    }

    /** {@return how many a domain may count beside that least one} */
    private int mostWith(int least) {
        return (int) Math.min(Integer.MAX_VALUE, (long) least + constraint.maxSkew());
    }

    private int fewest() {
        boolean anyEmpty = domains.size() < constraint.minDomains() || domains.size() > occupied;
        return anyEmpty || occupied == 0 ? 0 : byCount.firstKey();
    }

    @Override
    @Nullable
    Group seat(PodEntry holder, Node node) {
        Optional<String> domain = node.labels().get(constraint.topologyKey());
        if (domain.isEmpty()) {
            return keyless;
        }
        if (!hasPartners()) {
            return null;
        }
        boolean adds = holder.variant.isMatchedBy(this) && !domains.includes(node);
        return cell(domain.get()).group(adds ? 1 : 0);
    }

    @Override
    Breach breach(PodEntry holder, Node node, Rule rule, Partners partners) {
        String key = constraint.topologyKey();
        Optional<String> domain = node.labels().get(key);
        if (domain.isEmpty()) {
            return new Breach.NoTopologyKey(node.name(), key);
        }
        int self = holder.variant.isMatchedBy(this) ? 1 : 0;
        int counted = self == 1 && domains.includes(node) ? 1 : 0;
        int others = cell(domain.get()).count - counted;
        return new Breach.Skew(key, domain.get(), others, self, least, constraint.maxSkew());
    }

    @Override
    void retired() {
        domains.rules.remove(this);
    }

    private Cell cell(String domain) {
        return cells.computeIfAbsent(domain, Cell::new);
    }

    /** The counted pods in one domain, and the holders there by whether they are counted or add themselves. */
    private final class Cell {
        private final String domain;
        private int count;
        private @Nullable Sharing counted;
        private @Nullable Sharing adding;

        Cell(String domain) {
            this.domain = domain;
        }

        Group group(int added) {
            Sharing known = added == 0 ? counted : adding;
            if (known == null) {
                known = new Sharing(this, added);
                known.broken = known.isBroken();
                if (added == 0) {
                    counted = known;
                } else {
                    adding = known;
                    ofAdding.add(known);
                }
            }
            return known;
        }

        void doubt() {
            if (counted != null) {
                docket.doubt(counted);
            }
            if (adding != null) {
                docket.doubt(adding);
            }
        }

        void dropIfEmpty() {
            if (count == 0 && counted == null && adding == null) {
                cells.remove(domain);
            }
        }
    }

    private final class Sharing extends Group {
        private final Cell cell;
        private final int added;

        Sharing(Cell cell, int added) {
            this.cell = cell;
            this.added = added;
        }

        @Override
        boolean isBroken() {
            return cell.count + added - least > constraint.maxSkew();
        }

        @Override
        void emptied() {
            if (added == 0) {
                cell.counted = null;
            } else {
                cell.adding = null;
                ofAdding.remove(this);
            }
            cell.dropIfEmpty();
        }
    }
}
