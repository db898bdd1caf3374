package dev.holdfast.policies.rule;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * One required placement rule: content without a name, policy or list index. Therefore rules with equal content have
 * one {@linkplain RuleIdentity identity}, whether they come from pods or policies.
 */
public sealed interface Rule {
    /** {@return the kind of the rule} */
    RuleKind kind();

    /** {@return what the rule requires, as text for messages: {@code disk In [ssd]}} */
    String describe();

    /**
     * {@return the rule for a pod with these labels: matchLabelKeys and mismatchLabelKeys are merged into selectors}
     *
     * <p>A spread constraint is returned unchanged: its evaluator merges the keys itself (TS-12).
     */
    Rule mergedFor(Labels labels);

    /** {@return whether the rule has matchLabelKeys or mismatchLabelKeys, so that it reads the rule owner's labels} */
    boolean readsLabels();

    /**
     * {@return a text that is equal for rules with equal content}
     *
     * <p>The hash of this text is the {@link RuleIdentity}. So a new format of the text would restart the clocks of all
     * violations.
     */
    String canonicalText();

    /** {@return whether taints of nodes and tolerations of the pod can change the verdict} */
    default boolean readsTaints() {
        return false;
    }

    /** {@return the hash of the rule's content} */
    default RuleIdentity identity() {
        return RuleIdentity.of(this);
    }

    /** A rule whose verdict depends only on the node of the pod, and not on other pods. */
    sealed interface OfNode extends Rule {
        /** {@return the keys of the node labels that the rule reads} */
        Set<String> labelKeys();

        @Override
        default boolean readsLabels() {
            return false;
        }

        @Override
        default Rule mergedFor(Labels labels) {
            return this;
        }
    }

    /**
     * A pod's nodeSelector and required node affinity, both of which must hold (NS-3), or the node affinity of a
     * policy.
     */
    record NodeAffinity(Labels nodeSelector, Optional<NodeSelector> required) implements OfNode {
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
        public Set<String> labelKeys() {
            Set<String> keys = new TreeSet<>(nodeSelector.toMap().keySet());
            required.stream()
                    .flatMap(selector -> selector.terms().stream())
                    .flatMap(term -> term.matchExpressions().stream())
                    .map(Requirement::key)
                    .forEach(keys::add);
            return keys;
        }

        @Override
        public String canonicalText() {
            return "node" + CanonicalText.labels(nodeSelector)
                    + CanonicalText.optional(required, it -> CanonicalText.set(it.terms(), CanonicalText::nodeTerm));
        }
    }

    /**
     * Required pod affinity: one or more terms. A pod is a partner only if it matches all terms (AF-1). A rule that a
     * policy defines has exactly one term.
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
        public String canonicalText() {
            return "affinity" + CanonicalText.set(terms, CanonicalText::podTerm);
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
        public String canonicalText() {
            return "anti" + CanonicalText.podTerm(term);
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
     * @param requiredKeys the topology keys that a node must have to count for the constraint, in natural order. If the
     *     constraint is from a pod's spec, these are the keys of all hard constraints there (TS-4). If the constraint
     *     is from a policy, this is only its own key
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
        public String canonicalText() {
            return "spread" + CanonicalText.spread(constraint) + CanonicalText.strings(requiredKeys);
        }

        @Override
        public boolean readsTaints() {
            return constraint.nodeTaintsPolicy() == NodeInclusionPolicy.HONOR;
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
