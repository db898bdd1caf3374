package dev.holdfast.policies.index.lookup;

import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.selector.LabelAnchor;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RuleLookupTest {
    private final RuleLookup<Term> ruleLookup = new RuleLookup<>();

    private record Term(TermMatcher matcher) implements FindableRule {
        @Override
        public List<LabelAnchor> anchors() {
            return matcher.pods().anchors(List.of());
        }

        @Override
        public Optional<Set<String>> onlyNamespaces() {
            return matcher.onlyNamespaces();
        }
    }

    private static Term apartFrom(PodAffinityTerm term) {
        return switch (TermMatcher.of(term, "shop")) {
            case ParseResult.Usable<TermMatcher>(TermMatcher matcher) -> new Term(matcher);
            case ParseResult.Unusable<TermMatcher>(String why) -> throw new AssertionError(why);
        };
    }

    private static String[] numbered(String name, int count) {
        return IntStream.range(0, count).mapToObj(i -> name + i).toArray(String[]::new);
    }

    private List<Term> metBy(String namespace, Labels labels) {
        List<Term> met = new ArrayList<>();
        ruleLookup.forEach(namespace, labels, met::add);
        return met;
    }

    @Test
    void aRuleWithAThousandValuesInAThousandNamespacesTakesOnePlace() {
        Term rule = apartFrom(term(
                selector(expression("app", "In", numbered("app-", 1000))),
                HOSTNAME,
                namespaces(numbered("namespace-", 1000))));
        ruleLookup.add(rule);
        assertThat(ruleLookup.isEmpty()).isFalse();
        assertThat(ruleLookup.entryCount()).isEqualTo(1);
        assertThat(metBy("namespace-7", Labels.of("app", "app-7"))).containsExactly(rule);
        assertThat(metBy("namespace-7", Labels.of("tier", "front"))).isEmpty();
        ruleLookup.remove(rule);
        assertThat(ruleLookup.isEmpty()).isTrue();
    }

    @Test
    void aRuleWithFewValuesTakesAPlaceForEachInEachOfItsNamespaces() {
        Term rule = apartFrom(term(selector(expression("app", "In", "a", "b")), HOSTNAME, namespaces("shop", "bank")));
        ruleLookup.add(rule);
        assertThat(ruleLookup.entryCount()).isEqualTo(4);
        assertThat(metBy("bank", Labels.of("app", "b"))).containsExactly(rule);
        assertThat(metBy("bank", Labels.of("app", "c"))).isEmpty();
        assertThat(metBy("void", Labels.of("app", "b"))).isEmpty();
    }

    @Test
    void aRuleThatNeedsMoreThanFourPlacesTakesThoseForAllNamespaces() {
        ruleLookup.add(
                apartFrom(term(selector(expression("app", "In", "a")), HOSTNAME, namespaces(numbered("n-", 4)))));
        assertThat(ruleLookup.entryCount()).isEqualTo(4);
        ruleLookup.add(
                apartFrom(term(selector(expression("app", "In", "b")), HOSTNAME, namespaces(numbered("n-", 5)))));
        assertThat(ruleLookup.entryCount()).isEqualTo(5);
        ruleLookup.add(
                apartFrom(term(selector(expression("app", "In", "c", "d")), HOSTNAME, namespaces(numbered("n-", 3)))));
        assertThat(ruleLookup.entryCount()).isEqualTo(7);
    }
}
