package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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
