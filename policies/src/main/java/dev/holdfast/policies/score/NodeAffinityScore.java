package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Preferences.Weighted;
import dev.holdfast.policies.selector.NodeMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.ArrayList;
import java.util.List;

/**
 * The preferred terms of node affinity: a node gets the sum of the weights of the terms that match it, as a share of
 * the greatest sum.
 *
 * <p>A term that cannot be parsed matches no node in required node affinity. Here it fails the whole pod, which then
 * stays Pending as long as several nodes are feasible.
 *
 * <p>Example: terms of weight 29 and 11. A node that matches both has 40 and the score 100, a node that matches the
 * first 29 and 72, since 100 * 29 / 40 is truncated.
 */
final class NodeAffinityScore {
    private NodeAffinityScore() {}

    static PluginResult of(Choice choice) {
        List<Weighted<NodeSelectorTerm>> written =
                choice.pod().scheduling().preferences().nodeAffinity();
        if (written.isEmpty()) {
            return new PluginResult.Skipped();
        }
        List<Weighted<NodeMatcher>> terms = new ArrayList<>();
        for (Weighted<NodeSelectorTerm> term : written) {
            if (term.weight() == 0 || term.term().isEmpty()) {
                continue;
            }
            switch (NodeMatcher.ofTerm(term.term())) {
                case ParseResult.Usable<NodeMatcher>(NodeMatcher usable) ->
                    terms.add(new Weighted<>(term.weight(), usable));
                case ParseResult.Unusable<NodeMatcher>(String why) -> {
                    return new PluginResult.Failed(term.term().toString(), why);
                }
            }
        }
        List<Long> raw =
                choice.feasible().stream().map(node -> matched(terms, node)).toList();
        return new PluginResult.Scored(raw, Normalisation.shares(raw));
    }

    private static long matched(List<Weighted<NodeMatcher>> terms, Node node) {
        long sum = 0;
        for (Weighted<NodeMatcher> term : terms) {
            if (term.term().matches(node)) {
                sum += term.weight();
            }
        }
        return sum;
    }
}
