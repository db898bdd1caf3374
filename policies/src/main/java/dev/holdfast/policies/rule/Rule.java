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

    /**
     * {@return a text that is equal for rules of equal content} {@link RuleIdentity} hashes it, so a change of this text
     * restarts every forgiveness.
     */
    String canonicalText();

    /** {@return whether a taint of a node or a toleration of the pod can change the verdict} */
    default boolean readsTaints() {
        return false;
    }

    /** {@return the identity of the rule's content} */
    default RuleIdentity identity() {
        return RuleIdentity.of(this);
    }

    /** A rule whose verdict depends only on the node of the pod. Other pods do not matter. */
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
