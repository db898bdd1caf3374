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
 * One required placement rule. It holds content only, without a name, policy or list index: rules with equal content
 * are one rule, whether they come from a pod or a policy.
 */
public sealed interface Rule {
    /** {@return its kind} */
    RuleKind kind();

    /** {@return what it requires, as a short text for messages: {@code disk In [ssd]}} */
    String describe();

    /**
     * {@return the rule for a pod with these labels: matchLabelKeys and mismatchLabelKeys are merged into selectors}
     *
     * <p>Spread constraints are returned unchanged: their evaluator reads the keys from the pod itself (TS-12).
     */
    Rule mergedFor(Labels labels);

    /** {@return whether it has matchLabelKeys or mismatchLabelKeys, so that it depends on the rule owner's labels} */
    boolean readsLabels();

    /** {@return the identity of the rule's content} */
    default RuleIdentity identity() {
        return RuleIdentity.of(this);
    }

    /**
     * A pod's nodeSelector and required node affinity, both of which must hold (NS-3), or the node affinity of a
     * policy.
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
     * Required pod affinity: one or more terms. A pod is a partner only if it matches all terms (AF-1). A rule of a
     * policy has exactly one term.
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
     * @param requiredKeys the topology keys that a node must have to count, in natural order: those of all hard
     *     constraints in the same pod spec (TS-4); for a rule of a policy only its own key
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
