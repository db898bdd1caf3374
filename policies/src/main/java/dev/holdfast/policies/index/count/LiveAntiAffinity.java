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
public final class LiveAntiAffinity extends DomainCountRule {
    private final String topologyKey;
    private final Set<String> exemptNamespaces;
    private final DirtyGroups dirtyGroups;

    LiveAntiAffinity(TermMatcher term, Set<String> exemptNamespaces, DirtyGroups dirtyGroups) {
        super(List.of(term));
        this.topologyKey = term.topologyKey().intern();
        this.exemptNamespaces = exemptNamespaces;
        this.dirtyGroups = dirtyGroups;
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
            DomainCount domainCount = cell(domain.get());
            domainCount.count += more;
            domainCount.doubt(dirtyGroups);
            domainCount.dropIfEmpty();
        }
    }

    @Override
    public boolean isBroken(int count, boolean isPartner) {
        return count > (isPartner ? 1 : 0);
    }

    @Override
    @Nullable
    public VerdictGroup seat(Holder holder, Node node) {
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
        DomainCount domainCount = cellIfUsed(domain);
        return domainCount == null ? 0 : domainCount.count;
    }

    /** Shows the holders in a domain for whom it is broken. */
    public void forEachBroken(String domain, Consumer<Holder> action) {
        DomainCount domainCount = cellIfUsed(domain);
        if (domainCount != null) {
            domainCount.forEachGroup(verdictGroup -> {
                if (verdictGroup.broken) {
                    verdictGroup.forEachHolder(action);
                }
            });
        }
    }
}
