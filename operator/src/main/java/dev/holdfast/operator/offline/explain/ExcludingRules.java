package dev.holdfast.operator.offline.explain;

import dev.holdfast.policies.evaluate.NodeFilter;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two rules in the spec of a Pending pod of which no node satisfies both. At least one of the two was injected.
 *
 * <p>Example: policy {@code a} injects {@code disk In [ssd]} and policy {@code b} injects {@code disk In [hdd]}.
 *
 * @param one the first rule, and where it comes from: {@code ssd of policy shop/a (disk In [ssd])}
 * @param why why no node satisfies both: they exclude each other, or the number of nodes that satisfy each alone
 */
public record ExcludingRules(String one, String other, String why) {
    /**
     * A rule in the pod's spec.
     *
     * @param origin the rule, and where it comes from
     * @param injected whether a policy injected it
     * @param filter tests nodes by the rule
     */
    record InSpec(String origin, Rule rule, boolean injected, NodeFilter filter) {}

    /** {@return each such pair, in the order of the rules} */
    static List<ExcludingRules> among(List<InSpec> rules, Collection<Node> nodes) {
        List<BitSet> satisfying =
                rules.stream().map(rule -> satisfying(rule, nodes)).toList();
        List<ExcludingRules> found = new ArrayList<>();
        for (int i = 0; i < rules.size(); i++) {
            for (int j = i + 1; j < rules.size(); j++) {
                InSpec one = rules.get(i);
                InSpec other = rules.get(j);
                if (one.injected() || other.injected()) {
                    why(one, satisfying.get(i), other, satisfying.get(j))
                            .ifPresent(why -> found.add(new ExcludingRules(one.origin(), other.origin(), why)));
                }
            }
        }
        return found;
    }

    private static BitSet satisfying(InSpec rule, Collection<Node> nodes) {
        BitSet satisfying = new BitSet(nodes.size());
        int next = 0;
        for (Node node : nodes) {
            satisfying.set(next++, rule.filter().accepts(node));
        }
        return satisfying;
    }

    /** {@return why no node satisfies both; empty if one alone excludes all nodes, and so keeps the pod Pending} */
    private static Optional<String> why(InSpec one, BitSet ofOne, InSpec other, BitSet ofOther) {
        if (excludesAlways(one.rule(), other.rule())) {
            return Optional.of("no node can satisfy both");
        }
        return ofOne.isEmpty() || ofOther.isEmpty() || ofOne.intersects(ofOther)
                ? Optional.empty()
                : Optional.of("no node satisfies both: " + ofOne.cardinality() + " satisfy the one and "
                        + ofOther.cardinality() + " the other");
    }

    private static boolean excludesAlways(Rule one, Rule other) {
        List<NodeSelectorTerm> first = terms(one);
        List<NodeSelectorTerm> second = terms(other);
        return !first.isEmpty()
                && !second.isEmpty()
                && first.stream().allMatch(term -> second.stream().allMatch(it -> excludes(term, it)));
    }

    /** {@return the alternatives of a rule about node labels; empty for any other rule} */
    private static List<NodeSelectorTerm> terms(Rule rule) {
        return rule instanceof Rule.NodeAffinity node
                ? node.required().map(it -> it.terms()).orElse(List.of())
                : List.of();
    }

    private static boolean excludes(NodeSelectorTerm one, NodeSelectorTerm other) {
        return Stream.concat(
                        pairs(one.matchExpressions(), other.matchExpressions()),
                        pairs(one.matchFields(), other.matchFields()))
                .anyMatch(pair -> excludes(pair.one(), pair.other()) || excludes(pair.other(), pair.one()));
    }

    private record Pair(Requirement one, Requirement other) {}

    private static Stream<Pair> pairs(List<Requirement> first, List<Requirement> second) {
        return first.stream()
                .flatMap(one -> second.stream()
                        .filter(other -> other.key().equals(one.key()))
                        .map(other -> new Pair(one, other)));
    }

    private static boolean excludes(Requirement one, Requirement other) {
        return switch (one.operator()) {
            case "In" ->
                switch (other.operator()) {
                    case "In" -> one.values().stream().noneMatch(other.values()::contains);
                    case "NotIn" -> other.values().containsAll(one.values());
                    case "DoesNotExist" -> true;
                    default -> false;
                };
            case "Exists" -> other.operator().equals("DoesNotExist");
            default -> false;
        };
    }
}
