package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One required placement rule. A rule is content only: names, policies and places in a list are labels of it, so that
 * equal rules are one rule wherever they come from.
 */
public sealed interface Rule {
    /** {@return which of the four kinds it is} */
    RuleKind kind();

    /** {@return what it demands, short enough for one message: {@code disk In [ssd]}} */
    String describe();

    /**
     * {@return the rule as it applies to a pod with these labels, its matchLabelKeys merged in}
     *
     * <p>Spread constraints are returned as they are: their evaluator reads the keys from the pod itself (TS-12).
     */
    Rule mergedFor(Labels labels);

    /** {@return whether it applies otherwise to pods with other labels: it has matchLabelKeys or mismatchLabelKeys} */
    boolean readsLabels();

    /** {@return the identity of the rule's content} */
    default RuleIdentity identity() {
        return RuleIdentity.of(this);
    }

    /**
     * A pod's nodeSelector and required node affinity, both of which must hold (NS-3), or the node affinity of a policy.
     */
    record NodeAffinity(Labels nodeSelector, Optional<NodeSelector> required) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.NODE_AFFINITY;
        }

        @Override
        public String describe() {
            String affinity = required.map(NodeSelector::toString).orElse("");
            if (nodeSelector.isEmpty()) {
                return affinity;
            }
            return affinity.isEmpty() ? nodeSelector.toString() : nodeSelector + " and " + affinity;
        }

        @Override
        public boolean readsLabels() {
            return false;
        }

        @Override
        public Rule mergedFor(Labels labels) {
            return this;
        }
    }

    /**
     * Required pod affinity: one or more terms of which a partner must match all to count (AF-1). A policy's rule has
     * exactly one.
     */
    record PodAffinity(List<PodAffinityTerm> terms) implements Rule {
        public PodAffinity {
            terms = List.copyOf(terms);
        }

        @Override
        public RuleKind kind() {
            return RuleKind.POD_AFFINITY;
        }

        @Override
        public String describe() {
            return "near " + terms.stream().map(PodAffinityTerm::toString).collect(Collectors.joining(" and "));
        }

        @Override
        public boolean readsLabels() {
            return terms.stream().anyMatch(PodAffinityTerm::readsLabels);
        }

        @Override
        public Rule mergedFor(Labels labels) {
            return readsLabels()
                    ? new PodAffinity(
                            terms.stream().map(term -> term.mergedFor(labels)).toList())
                    : this;
        }
    }

    /** One required term of pod anti-affinity. */
    record PodAntiAffinity(PodAffinityTerm term) implements Rule {
        @Override
        public RuleKind kind() {
            return RuleKind.POD_ANTI_AFFINITY;
        }

        @Override
        public String describe() {
            return "apart from " + term;
        }

        @Override
        public boolean readsLabels() {
            return term.readsLabels();
        }

        @Override
        public Rule mergedFor(Labels labels) {
            return readsLabels() ? new PodAntiAffinity(term.mergedFor(labels)) : this;
        }
    }

    /**
     * One hard topology spread constraint.
     *
     * @param requiredKeys the topology keys a node must carry to count, in natural order: those of all hard constraints
     *     that stand together in one pod spec (TS-4); for a policy's rule just its own
     */
    record TopologySpread(TopologySpreadConstraint constraint, List<String> requiredKeys) implements Rule {
        public TopologySpread {
            TreeSet<String> keys = new TreeSet<>(requiredKeys);
            keys.add(constraint.topologyKey());
            requiredKeys = List.copyOf(keys);
        }

        @Override
        public RuleKind kind() {
            return RuleKind.TOPOLOGY_SPREAD;
        }

        @Override
        public String describe() {
            return "spread " + constraint;
        }

        @Override
        public boolean readsLabels() {
            return !constraint.matchLabelKeys().isEmpty();
        }

        @Override
        public Rule mergedFor(Labels labels) {
            return this;
        }
    }
}
