package dev.holdfast.policies.index;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One anti-affinity term: a cell for every domain with a partner or a holder. Broken for a holder where its cell counts
 * anybody but itself.
 */
final class LiveAntiAffinity extends LiveRule {
    private final String topologyKey;
    private final Set<String> exemptNamespaces;
    private final Docket docket;
    private final Map<String, Cell> cells = new HashMap<>();

    LiveAntiAffinity(TermMatcher term, Set<String> exemptNamespaces, Docket docket) {
        super(List.of(term));
        this.topologyKey = term.topologyKey();
        this.exemptNamespaces = exemptNamespaces;
        this.docket = docket;
    }

    @Override
    boolean reaches(String namespace, Optional<Labels> labels) {
        return !exemptNamespaces.contains(namespace) && super.reaches(namespace, labels);
    }

    @Override
    void came(PodEntry partner, Node node) {
        count(node, 1);
    }

    @Override
    void left(PodEntry partner, Node node) {
        count(node, -1);
    }

    private void count(Node node, int more) {
        Optional<String> domain = node.labels().get(topologyKey);
        if (domain.isPresent()) {
            Cell cell = cell(domain.get());
            cell.count += more;
            cell.doubt();
            cell.dropIfEmpty();
        }
    }

    @Override
    @Nullable
    Group seat(PodEntry holder, Node node) {
        Optional<String> domain = node.labels().get(topologyKey);
        if (domain.isEmpty() || exemptNamespaces.contains(holder.pod.namespace())) {
            return null;
        }
        return cell(domain.get()).group(holder.variant.isMatchedBy(this) ? 1 : 0);
    }

    @Override
    Breach breach(PodEntry holder, Node node, Rule rule, Partners partners) {
        String domain = node.labels().get(topologyKey).orElse("");
        int others = partnersIn(domain) - (holder.variant.isMatchedBy(this) ? 1 : 0);
        List<Pod> some = partners.some(this, holder, node, Math.min(others, Breach.NAMED_PARTNERS));
        return new Breach.Conflict(topologyKey, domain, some, others);
    }

    /** {@return the domain that a node is in; absent where it can conflict with nothing} */
    Optional<String> domain(Node node) {
        return node.labels().get(topologyKey);
    }

    /** {@return how many partners a domain holds} */
    int partnersIn(String domain) {
        Cell cell = cells.get(domain);
        return cell == null ? 0 : cell.count;
    }

    /** Shows the holders in a domain for whom it is broken. */
    void forEachBroken(String domain, Consumer<PodEntry> action) {
        Cell cell = cells.get(domain);
        if (cell != null) {
            cell.groups().filter(group -> group.broken).forEach(group -> group.forEachEntry(action));
        }
    }

    private Cell cell(String domain) {
        Cell known = cells.get(domain);
        if (known == null) {
            known = new Cell(domain);
            cells.put(domain, known);
        }
        return known;
    }

    /** The partners in one domain, and the holders there by whether they are partners themselves. */
    private final class Cell {
        private final String domain;
        private int count;
        private @Nullable Sharing strangers;
        private @Nullable Sharing partners;

        Cell(String domain) {
            this.domain = domain;
        }

        Group group(int self) {
            Sharing known = self == 0 ? strangers : partners;
            if (known == null) {
                known = new Sharing(this, self);
                known.broken = known.isBroken();
                if (self == 0) {
                    strangers = known;
                } else {
                    partners = known;
                }
            }
            return known;
        }

        Stream<Group> groups() {
            return Stream.concat(Stream.ofNullable(strangers), Stream.ofNullable(partners));
        }

        void doubt() {
            if (strangers != null) {
                docket.doubt(strangers);
            }
            if (partners != null) {
                docket.doubt(partners);
            }
        }

        void dropIfEmpty() {
            if (count == 0 && strangers == null && partners == null) {
                cells.remove(domain);
            }
        }
    }

    private static final class Sharing extends Group {
        private final Cell cell;
        private final int self;

        Sharing(Cell cell, int self) {
            this.cell = cell;
            this.self = self;
        }

        @Override
        boolean isBroken() {
            return cell.count > self;
        }

        @Override
        void emptied() {
            if (self == 0) {
                cell.strangers = null;
            } else {
                cell.partners = null;
            }
            cell.dropIfEmpty();
        }
    }
}
