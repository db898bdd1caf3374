package dev.holdfast.policies.index.pods;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.index.count.DirtyGroups;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.LiveRules;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class NamespaceLabelRulesTest {
    private static final Optional<Labels> BLUE = Optional.of(Labels.of("team", "blue"));
    private static final Optional<Labels> RED = Optional.of(Labels.of("team", "red"));

    private final LiveRule ofBlue = apartFrom("team", "blue");
    private final LiveRule ofTested = apartFrom("stage", "test");
    private final NamespaceLabelRules namespaceLabelRules = new NamespaceLabelRules();

    NamespaceLabelRulesTest() {
        namespaceLabelRules.add(ofBlue);
        namespaceLabelRules.add(ofTested);
    }

    private static LiveRule apartFrom(String key, String value) {
        Rule rule = antiAffinityRule(term(app("web"), HOSTNAME, namespaceSelector(matchLabels(key, value))));
        LiveRules rules = new LiveRules(Set.of(), new DirtyGroups(), List.of());
        return Objects.requireNonNull(rules.acquire(rule, Scheduling.anywhere(), "shop", Labels.none()));
    }

    @Test
    void aChangeOfALabelMeetsOnlyTheRulesThatReadIt() {
        assertThat(namespaceLabelRules.between(BLUE, RED)).containsExactly(ofBlue);
        assertThat(namespaceLabelRules.between(BLUE, Optional.of(Labels.of("team", "blue", "stamp", "7"))))
                .isEmpty();
    }

    @Test
    void aNamespaceThatComesOrGoesMeetsAllOfThem() {
        assertThat(namespaceLabelRules.between(Optional.empty(), RED)).containsExactly(ofBlue, ofTested);
        assertThat(namespaceLabelRules.between(RED, Optional.empty())).containsExactly(ofBlue, ofTested);
    }

    @Test
    void nothingIsKeptOfRulesThatHaveGone() {
        namespaceLabelRules.remove(ofBlue);
        assertThat(namespaceLabelRules.between(BLUE, RED)).isEmpty();
        assertThat(namespaceLabelRules.isEmpty()).isFalse();
        namespaceLabelRules.remove(ofTested);
        assertThat(namespaceLabelRules.isEmpty()).isTrue();
    }
}
