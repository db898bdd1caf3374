package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.index.change.LeftOutRule;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * The rules of one namespace cannot fill the heap. In a cluster of 2,000 nodes with a pod each, a rule that matches all
 * pods takes 2,000 x 72 + 16 bytes, so a namespace may have 58 such rules.
 */
class RuleLimitsTest {
    private static final int NODES = 2_000;
    private static final int RULES = 12;
    private static final int RULE_BYTES = 144_000;
    private static final int MOST = 58;

    private final Index index = new Index(Set.of(), new Told());

    private static Policy auditAll() {
        Enforcement audit = new Enforcement(Mode.AUDIT, Duration.ofMinutes(1), WhenInfeasible.WAIT);
        return PolicyDraft.of(PolicyId.cluster("audit"), Mode.AUDIT)
                .podRules(Map.of(RuleKind.POD_ANTI_AFFINITY, audit, RuleKind.POD_AFFINITY, audit))
                .policy();
    }

    private void cluster() {
        index.put(auditAll());
        for (int i = 0; i < NODES; i++) {
            index.apply(nodeChanged("n" + i, labels(HOSTNAME, "n" + i)));
            index.apply(podChanged("other-" + i, in("others"), on("n" + i), labels("app", "other")));
        }
    }

    /** {@return a term that matches all pods of all namespaces, and is equal to no other} */
    private static PodAffinityTerm wide(String key) {
        return term(selector(expression(key, "DoesNotExist")), HOSTNAME, namespaceSelector(LabelSelector.everything()));
    }

    private static PodTrait wideRules(String pod, int rules) {
        return apartFrom(IntStream.range(0, rules)
                .mapToObj(i -> wide("not/" + pod + "-" + i))
                .toArray(PodAffinityTerm[]::new));
    }

    private void hostile(String namespace, int pods) {
        for (int i = 0; i < pods; i++) {
            String name = namespace + "-" + i;
            index.apply(podChanged(name, in(namespace), on("n0"), labels("app", name), wideRules(name, RULES)));
        }
    }

    private int rulesOf(String namespace, int pods) {
        return IntStream.range(0, pods)
                .map(i -> index.rulesOf(namespace + "-" + i).size())
                .sum();
    }

    @Test
    void aNamespaceMayHaveAsManyWideRulesAsFitIntoItsPart() {
        cluster();

        hostile("shop", 4);

        assertThat(rulesOf("shop", 4)).isEqualTo(48);
        assertThat(index.takeLeftOut()).isEmpty();
    }

    @Test
    void moreOfThemAreLeftOutAndNamed() {
        cluster();

        hostile("shop", 100);

        assertThat(rulesOf("shop", 100)).isBetween(MOST / 2 - 2, MOST + 2);
        List<LeftOutRule> leftOut = index.takeLeftOut();
        assertThat(leftOut).hasSize(100 * RULES - rulesOf("shop", 100)).allSatisfy(rule -> {
            assertThat(rule.pod().namespace()).isEqualTo("shop");
            assertThat(rule.bytes()).isBetween((long) RULE_BYTES, RULE_BYTES + 20_000L);
        });
        assertThat(index.takeLeftOut()).isEmpty();
    }

    @Test
    void rulesOfOtherNamespacesStay() {
        cluster();
        index.apply(podChanged("calm-1", in("calm"), on("n1"), labels("app", "calm"), wideRules("calm", 1)));

        hostile("shop", 100);

        assertThat(index.rulesOf("calm-1")).hasSize(1);
        assertThat(index.isBroken("calm-1", index.rulesOf("calm-1").getFirst().identity()))
                .isTrue();
    }

    @Test
    void aLeftOutRuleIsViolatedByNoPod() {
        cluster();
        hostile("shop", 100);

        for (LeftOutRule rule : index.takeLeftOut()) {
            assertThat(index.isBroken(rule.pod().uid(), rule.identity())).isFalse();
            assertThat(index.rule(rule.pod().uid(), rule.identity())).isEmpty();
        }
        for (int i = 0; i < 100; i++) {
            for (AppliedRule rule : index.rulesOf("shop-" + i)) {
                assertThat(index.isBroken("shop-" + i, rule.identity())).isTrue();
            }
        }
    }

    @Test
    void rulesThatGrowWithTheClusterAreLeftOutToo() {
        index.put(auditAll());
        index.apply(nodeChanged("n0", labels(HOSTNAME, "n0")));
        hostile("shop", 100);
        assertThat(rulesOf("shop", 100)).isEqualTo(100 * RULES);

        cluster();

        assertThat(rulesOf("shop", 100)).isLessThanOrEqualTo(MOST + 2);
    }

    @Test
    void thousandsOfRulesAreLeftOutAtOnceIfTheyGrowTogether() {
        index.put(auditAll());
        index.apply(nodeChanged("n0", labels(HOSTNAME, "n0")));
        // With equal labels, each rule is in few lists of those that match pods.
        for (int i = 0; i < 1_000; i++) {
            String name = "shop-" + i;
            index.apply(podChanged(name, in("shop"), on("n0"), labels("app", "shop"), wideRules(name, RULES)));
        }
        assertThat(rulesOf("shop", 1_000)).isEqualTo(1_000 * RULES);

        cluster();

        assertThat(rulesOf("shop", 1_000)).isLessThanOrEqualTo(MOST + 5);
    }

    @Test
    void rulesThatNoPodHasAnyMoreAreForgotten() {
        cluster();
        hostile("shop", 20);
        for (int i = 0; i < 20; i++) {
            index.apply(podGone("shop-" + i));
        }
        hostile("shop", 5);
        int first = rulesOf("shop", 5);

        // The names of the rules are the same, so some were left out before.
        assertThat(first).isGreaterThan(MOST / 2 - 2);
    }

    @Test
    void aTenantCannotGetRidOfARuleThatAClusterPolicyHasItself() {
        cluster();
        Enforcement audit = new Enforcement(Mode.AUDIT, Duration.ofMinutes(1), WhenInfeasible.WAIT);
        Rule ofPlatform = new Rule.PodAntiAffinity(wide("not/platform"));
        index.put(PolicyDraft.of(PolicyId.cluster("platform"), Mode.AUDIT)
                .pods(matcher(app("shop-0")))
                .rule("apart", ofPlatform, audit)
                .policy());

        hostile("shop", 100);

        assertThat(index.takeLeftOut()).isNotEmpty();
        assertThat(index.rule("shop-0", ofPlatform.identity())).isPresent();
    }

    @Test
    void affinityCountsToo() {
        cluster();

        for (int i = 0; i < 100; i++) {
            index.apply(
                    podChanged("shop-" + i, in("shop"), on("n0"), labels("app", "shop-" + i), near(wide("not/" + i))));
        }

        // A domain of affinity takes 200 bytes.
        assertThat(rulesOf("shop", 100)).isLessThanOrEqualTo(MOST * 72 / 200 + 2);
    }

    @Test
    void namespacesThatTakeTooMuchTogetherAreCutFromTheLargestOn() {
        cluster();

        for (int i = 1; i <= 10; i++) {
            hostile("tenant" + i, 4);
        }

        int all =
                IntStream.rangeClosed(1, 10).map(i -> rulesOf("tenant" + i, 4)).sum();
        assertThat(all).isBetween(3 * MOST / 2 - 2, 3 * MOST + 2);
    }

    @Test
    void rulesAboutAsManyPodsAsTheNamespaceHasAreFree() {
        index.put(auditAll());
        for (int i = 0; i < 6 * NODES; i++) {
            index.apply(nodeChanged("n" + i, labels(HOSTNAME, "n" + i)));
            index.apply(podChanged(
                    "web-" + i, in("large"), on("n" + i), labels("app", "web"), apartFrom(term(app("web"), HOSTNAME))));
        }

        assertThat(index.takeLeftOut()).isEmpty();
        assertThat(index.rulesOf("web-1")).hasSize(1);
    }

    @Test
    void aRuleThatAnotherNamespaceHasTooCountsForItOnceTheFirstHasItNoMore() {
        cluster();
        for (int i = 0; i < 40; i++) {
            PodTrait shared = apartFrom(wide("not/shared-" + i));
            index.apply(podChanged("first-" + i, in("first"), on("n0"), labels("app", "first-" + i), shared));
            index.apply(podChanged("second-" + i, in("second"), on("n1"), labels("app", "second-" + i), shared));
        }
        for (int i = 0; i < 40; i++) {
            index.apply(podGone("first-" + i));
        }

        // The second namespace has 40 now, and 24 more are too many.
        for (int i = 40; i < 64; i++) {
            index.apply(podChanged(
                    "second-" + i,
                    in("second"),
                    on("n1"),
                    labels("app", "second-" + i),
                    apartFrom(wide("not/more-" + i))));
        }

        assertThat(rulesOf("second", 64)).isLessThanOrEqualTo(MOST + 2);
    }

    @Test
    void nothingIsLeftOfThemWhenAllIsDeleted() {
        cluster();
        hostile("shop", 100);

        for (int i = 0; i < 100; i++) {
            index.apply(podGone("shop-" + i));
        }
        for (int i = 0; i < NODES; i++) {
            index.apply(podGone("other-" + i));
            index.apply(nodeGone("n" + i));
        }
        index.remove(PolicyId.cluster("audit"));
        assertThat(index.takeLeftOut()).isNotEmpty();

        assertThat(index.isEmpty()).isTrue();
    }
}
