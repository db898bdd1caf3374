package dev.holdfast.policies.index.count;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One anti-affinity term: a cell for every domain with a partner or a holder. Broken for a holder where its cell counts
 * anybody but itself, which it does if the holder is a partner too.
 */
public final class LiveAntiAffinity extends CellRule {
    private final String topologyKey;
    private final Set<String> exemptNamespaces;
    private final Docket docket;

    LiveAntiAffinity(TermMatcher term, Set<String> exemptNamespaces, Docket docket) {
        super(List.of(term));
        this.topologyKey = term.topologyKey().intern();
        this.exemptNamespaces = exemptNamespaces;
        this.docket = docket;
    }

    @Override
    public boolean reaches(String namespace, Optional<Labels> labels) {
        return !exemptNamespaces.contains(namespace) && super.reaches(namespace, labels);
    }

    @Override
    public void came(Pod partner, Node node) {
        count(node, 1);
    }

    @Override
    public void left(Pod partner, Node node) {
        count(node, -1);
    }

    private void count(Node node, int more) {
        Optional<String> domain = domain(node);
        if (domain.isPresent()) {
            Cell cell = cell(domain.get());
            cell.count += more;
            cell.doubt(docket);
            cell.dropIfEmpty();
        }
    }

    @Override
    public boolean isBroken(int count, boolean isPartner) {
        return count > (isPartner ? 1 : 0);
    }

    @Override
    @Nullable
    public Group seat(Holder holder, Node node) {
        Optional<String> domain = domain(node);
        if (domain.isEmpty() || exemptNamespaces.contains(holder.pod().namespace())) {
            return null;
        }
        return cell(domain.get()).group(holder.isMatchedBy(this));
    }

    public String topologyKey() {
        return topologyKey;
    }

    /** {@return the domain that a node is in; absent where it can conflict with nothing} */
    public Optional<String> domain(Node node) {
        return node.labels().get(topologyKey);
    }

    /** {@return how many partners a domain holds} */
    public int partnersIn(String domain) {
        Cell cell = cellIfUsed(domain);
        return cell == null ? 0 : cell.count;
    }

    /** Shows the holders in a domain for whom it is broken. */
    public void forEachBroken(String domain, Consumer<Holder> action) {
        Cell cell = cellIfUsed(domain);
        if (cell != null) {
            cell.forEachGroup(group -> {
                if (group.broken) {
                    group.forEachHolder(action);
                }
            });
        }
    }
}
