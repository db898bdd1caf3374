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
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * One anti-affinity term: a cell for every domain with a partner or a holder. Broken for a holder where its cell counts
 * anybody but itself, which it does if the holder is a partner too.
 */
final class LiveAntiAffinity extends CellRule {
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
        Optional<String> domain = domain(node);
        if (domain.isPresent()) {
            Cell cell = cell(domain.get());
            cell.count += more;
            cell.doubt(docket);
            cell.dropIfEmpty();
        }
    }

    @Override
    boolean isBroken(int count, boolean isPartner) {
        return count > (isPartner ? 1 : 0);
    }

    @Override
    @Nullable
    Group seat(PodEntry holder, Node node) {
        Optional<String> domain = domain(node);
        if (domain.isEmpty() || exemptNamespaces.contains(holder.pod.namespace())) {
            return null;
        }
        return cell(domain.get()).group(holder.variant.isMatchedBy(this));
    }

    @Override
    Breach breach(PodEntry holder, Node node, Rule rule, Partners partners) {
        String domain = domain(node).orElse("");
        int others = partnersIn(domain) - (holder.variant.isMatchedBy(this) ? 1 : 0);
        List<Pod> some = partners.some(this, holder, node, Math.min(others, Breach.NAMED_PARTNERS));
        return new Breach.Conflict(topologyKey, domain, some, others);
    }

    @Override
    ToIntFunction<Node> moreBroken(Passage passage) {
        Map<String, Integer> promised = new HashMap<>();
        passage.forEachGone(
                this,
                pod -> pod.countsOn()
                        .flatMap(this::domain)
                        .ifPresent(domain -> promised.merge(domain, -1, Integer::sum)));
        passage.forEachArriving(
                this, node -> domain(node).ifPresent(domain -> promised.merge(domain, 1, Integer::sum)));
        Optional<String> from = passage.from().flatMap(this::domain);
        int fewer =
                from.map(domain -> moreBroken(domain, promised, -1, passage)).orElse(0);
        return node -> {
            Optional<String> to = domain(node);
            return to.equals(from)
                    ? 0
                    : fewer
                            + to.map(domain -> moreBroken(domain, promised, 1, passage))
                                    .orElse(0);
        };
    }

    private int moreBroken(String domain, Map<String, Integer> promised, int more, Passage passage) {
        Cell cell = cellIfUsed(domain);
        if (cell == null) {
            return 0;
        }
        int count = cell.count + promised.getOrDefault(domain, 0);
        return cell.broken(passage, own -> isBroken(count + more, own))
                - cell.broken(passage, own -> isBroken(count, own));
    }

    /** {@return the domain that a node is in; absent where it can conflict with nothing} */
    Optional<String> domain(Node node) {
        return node.labels().get(topologyKey);
    }

    /** {@return how many partners a domain holds} */
    int partnersIn(String domain) {
        Cell cell = cellIfUsed(domain);
        return cell == null ? 0 : cell.count;
    }

    /** Shows the holders in a domain for whom it is broken. */
    void forEachBroken(String domain, Consumer<PodEntry> action) {
        Cell cell = cellIfUsed(domain);
        if (cell != null) {
            cell.forEachGroup(group -> {
                if (group.broken) {
                    group.forEachEntry(action);
                }
            });
        }
    }
}
