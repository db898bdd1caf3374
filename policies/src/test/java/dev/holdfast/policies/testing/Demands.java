package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import java.util.List;
import java.util.Optional;

/** Builders for the parts of rules: label selectors, node selectors and pod affinity terms. */
public final class Demands {
    private Demands() {}

    /** {@return one expression of a selector, as written} */
    public static Requirement expression(String key, String operator, String... values) {
        return new Requirement(key, operator, List.of(values));
    }

    /** {@return the selector of objects with the label {@code app} and this value} */
    public static LabelSelector app(String app) {
        return matchLabels("app", app);
    }

    /** {@return a selector with only matchLabels, given as alternating keys and values} */
    public static LabelSelector matchLabels(String... keysAndValues) {
        return new LabelSelector(Labels.of(keysAndValues), List.of());
    }

    /** {@return a selector with only matchExpressions; without any it is <code>{}</code> and matches everything} */
    public static LabelSelector selector(Requirement... expressions) {
        return new LabelSelector(Labels.none(), List.of(expressions));
    }

    /** {@return the parsed selector, which must be valid} */
    public static LabelMatcher matcher(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher usable) -> usable;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw new AssertionError(why);
        };
    }

    /** {@return required node affinity that matches nodes of any of these terms; without a term, no node} */
    public static NodeSelector oneOf(NodeSelectorTerm... terms) {
        return new NodeSelector(List.of(terms));
    }

    /**
     * {@return a node selector term with only matchExpressions; without any it is <code>{}</code> and matches no node}
     */
    public static NodeSelectorTerm nodeTerm(Requirement... expressions) {
        return new NodeSelectorTerm(List.of(expressions), List.of());
    }

    /** {@return a node selector term with only matchFields} */
    public static NodeSelectorTerm fieldTerm(Requirement... fields) {
        return new NodeSelectorTerm(List.of(), List.of(fields));
    }

    /** {@return a term of pod affinity or anti-affinity; without traits it applies to the rule owner's namespace} */
    public static PodAffinityTerm term(LabelSelector labelSelector, String topologyKey, TermTrait... traits) {
        return with(PodAffinityTerm.of(labelSelector, topologyKey), traits);
    }

    /** {@return a term without labelSelector, which matches no pod} */
    public static PodAffinityTerm termOfNoPod(String topologyKey, TermTrait... traits) {
        return with(
                new PodAffinityTerm(Optional.empty(), List.of(), Optional.empty(), topologyKey, List.of(), List.of()),
                traits);
    }

    private static PodAffinityTerm with(PodAffinityTerm plain, TermTrait... traits) {
        PodAffinityTerm term = plain;
        for (TermTrait trait : traits) {
            term = trait.of(term);
        }
        return term;
    }

    /** {@return the trait of {@code namespaces} with these names} */
    public static TermTrait namespaces(String... names) {
        return term -> new PodAffinityTerm(
                term.labelSelector(),
                List.of(names),
                term.namespaceSelector(),
                term.topologyKey(),
                term.matchLabelKeys(),
                term.mismatchLabelKeys());
    }

    /** {@return the trait of this {@code namespaceSelector}} */
    public static TermTrait namespaceSelector(LabelSelector selector) {
        return term -> new PodAffinityTerm(
                term.labelSelector(),
                term.namespaces(),
                Optional.of(selector),
                term.topologyKey(),
                term.matchLabelKeys(),
                term.mismatchLabelKeys());
    }

    /** {@return the trait of matchLabelKeys: partners must have the same values for these keys as the rule owner} */
    public static TermTrait matchLabelKeys(String... keys) {
        return term -> new PodAffinityTerm(
                term.labelSelector(),
                term.namespaces(),
                term.namespaceSelector(),
                term.topologyKey(),
                List.of(keys),
                term.mismatchLabelKeys());
    }

    /** {@return the trait of mismatchLabelKeys: partners must not have the rule owner's values for these keys} */
    public static TermTrait mismatchLabelKeys(String... keys) {
        return term -> new PodAffinityTerm(
                term.labelSelector(),
                term.namespaces(),
                term.namespaceSelector(),
                term.topologyKey(),
                term.matchLabelKeys(),
                List.of(keys));
    }
}
