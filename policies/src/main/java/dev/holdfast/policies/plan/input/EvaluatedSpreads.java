package dev.holdfast.policies.plan.input;

import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.view.ForwardingView;
import dev.holdfast.policies.rule.Rule;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Finds the domains that break a spread constraint, by evaluating the constraint on views that hide the nodes of some
 * domains. The package {@code index} answers the same query from its counts, and must give the same result.
 */
record EvaluatedSpreads(ClusterView view) implements SpreadFinder {
    /**
     * The maximum number of domains that are checked one by one: does this domain alone, with all other given domains
     * hidden, break the spread? If none does, all given domains are returned.
     */
    private static final int ASKED = 100;

    /**
     * A cluster view that hides some nodes, to see how verdicts would change without them. Pods bound to a hidden node
     * do not count for any rule.
     *
     * @param hidden accepts the nodes to hide
     */
    private record HidingNodesView(ClusterView view, Predicate<Node> hidden) implements ForwardingView {
        @Override
        public Optional<Node> node(String name) {
            return view.node(name).filter(hidden.negate());
        }

        @Override
        public Collection<Node> nodes() {
            return view.nodes().stream().filter(hidden.negate()).toList();
        }
    }

    @Override
    public List<String> domainsCausing(List<String> domains, Candidate candidate, Rule.TopologySpread rule) {
        Set<String> without = new HashSet<>(domains);
        domain(candidate, rule).ifPresent(without::remove);
        if (isBroken(without, candidate, rule)) {
            return List.of();
        }
        List<String> alone = domains.stream()
                .filter(without::contains)
                .limit(ASKED)
                .filter(domain -> isBroken(allBut(domain, without), candidate, rule))
                .toList();
        return alone.isEmpty() ? domains : alone;
    }

    private Optional<String> domain(Candidate candidate, Rule.TopologySpread rule) {
        return view.node(candidate.node()).flatMap(node -> domain(node, rule));
    }

    private static Optional<String> domain(Node node, Rule.TopologySpread rule) {
        return node.labels().get(rule.constraint().topologyKey());
    }

    private boolean isBroken(Set<String> without, Candidate candidate, Rule.TopologySpread rule) {
        ClusterView rest = new HidingNodesView(
                view, node -> domain(node, rule).filter(without::contains).isPresent());
        return Evaluator.judge(rule, candidate.pod(), rest) instanceof Verdict.Violated;
    }

    private static Set<String> allBut(String one, Set<String> domains) {
        Set<String> others = new HashSet<>(domains);
        others.remove(one);
        return others;
    }
}
