package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.auditing;
import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Changes.acknowledged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests the label breaker for labels that come to nodes, or whose value changes. In each scenario, nodes n1 to n9 have
 * one pod each, and the tenth node {@code spare} takes all of them.
 */
class AddedLabelTest {
    private static final int NODES = 9;

    private static ClusterBuilder facts(Requirement required, NodeTrait... traits) {
        ClusterBuilder facts = cluster().node("spare", traits);
        for (int i = 1; i <= NODES; i++) {
            facts.node("n" + i, traits)
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeAffinity(nodeTerm(required)));
        }
        return facts;
    }

    private static EngineScenario begin(Requirement required, NodeTrait... traits) {
        return EngineScenario.begin(facts(required, traits), everywhere(enforcing()))
                .replacingOn("spare");
    }

    private static EngineScenario each(
            Duration pause, EngineScenario engineScenario, int from, int to, NodeTrait... traits) {
        for (int i = from; i <= to; i++) {
            engineScenario.happens(nodeChanged("n" + i, traits)).after(pause);
        }
        return engineScenario;
    }

    private static List<String> turns(EngineScenario engineScenario) {
        return engineScenario.turns.stream()
                .map(report -> report.change() + " " + report.id().replaceAll("@.*", ""))
                .toList();
    }

    private static Requirement noDrain() {
        return expression("drain", "DoesNotExist");
    }

    static Stream<Arguments> mistakes() {
        return Stream.of(
                argumentSet("a label that must not exist", noDrain(), List.of(), labels("drain", "true")),
                argumentSet(
                        "a value that is forbidden, without another before",
                        expression("spot", "NotIn", "true"),
                        List.of(),
                        labels("spot", "true")),
                argumentSet(
                        "a value that is forbidden, instead of another one of each node",
                        expression("revision", "NotIn", "bad"),
                        List.of("revision"),
                        labels("revision", "bad")),
                argumentSet(
                        "a number that is too high",
                        expression("load", "Lt", "90"),
                        List.of("load"),
                        labels("load", "99")));
    }

    /** Each node has another value before, so that no value leaves several nodes. */
    private static EngineScenario distinct(Requirement required, List<String> keys) {
        ClusterBuilder facts = cluster().node("spare", values(keys, 0));
        for (int i = 1; i <= NODES; i++) {
            facts.node("n" + i, values(keys, i))
                    .replicaSet("web-" + i, 1)
                    .pod("web-" + i, on("n" + i), replicaOf("web-" + i), nodeAffinity(nodeTerm(required)));
        }
        return EngineScenario.begin(facts, everywhere(enforcing())).replacingOn("spare");
    }

    private static NodeTrait values(List<String> keys, int node) {
        return keys.isEmpty() ? labels("cpu", "new") : labels(keys.getFirst(), Integer.toString(node));
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void ifItComesToSixOfTenNodesAtOnceNoPodIsMoved(Requirement required, List<String> keys, NodeTrait mistake) {
        EngineScenario engineScenario = each(Duration.ZERO, distinct(required, keys), 1, 6, mistake);

        assertThat(engineScenario.after(Duration.ofDays(2)).reads).isEmpty();
        assertThat(Set.copyOf(engineScenario.holds())).containsExactly(Reason.LABEL_BREAKER);
        assertThat(turns(engineScenario)).containsExactly("OPENED " + required.key());
    }

    @ParameterizedTest
    @MethodSource("mistakes")
    void ifItComesToOneNodeEachFourMinutesTheThirdOfTenOpensTheBreaker(
            Requirement required, List<String> keys, NodeTrait mistake) {
        EngineScenario engineScenario = each(Duration.ofMinutes(4), distinct(required, keys), 1, 6, mistake);

        assertThat(engineScenario.after(Duration.ofHours(5)).evicted()).containsExactly("web-1", "web-2");
        assertThat(turns(engineScenario)).containsExactly("OPENED " + required.key());
    }

    @Test
    void theMessageSaysWhatCameToHowManyNodesAndWhatToDo() {
        EngineScenario engineScenario = each(Duration.ZERO, begin(noDrain()), 1, 6, labels("drain", "true"))
                .afterSeconds(70);

        assertThat(engineScenario.heldBecause())
                .isEqualTo("label drain=true came to 6 of 9 nodes in 1 s and broke rules there; probably a mistake of"
                        + " whatever sets it. No pod is evicted for rules that read this label until it is as it was,"
                        + " or until you acknowledge that this is intended: kubectl annotate namespace holdfast"
                        + " --overwrite holdfast.dev/acknowledge="
                        + engineScenario.turns.getFirst().id());
    }

    @Test
    void withoutTheBreakerAllAreMoved() {
        EngineScenario engineScenario = EngineScenario.begin(
                        EngineScenario.settingsWithout(Set.of(Reason.LABEL_BREAKER)),
                        facts(noDrain()),
                        everywhere(enforcing()))
                .replacingOn("spare");

        each(Duration.ZERO, engineScenario, 1, 6, labels("drain", "true")).after(Duration.ofHours(1));

        assertThat(engineScenario.evicted()).hasSize(6);
    }

    @Test
    void aLabelThatBreaksNoRuleOpensNothing() {
        EngineScenario engineScenario = begin(expression("spot", "NotIn", "true"));

        each(Duration.ZERO, engineScenario, 1, 9, labels("spot", "false")).afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void aLabelThatRepairsARuleOpensNothing() {
        EngineScenario engineScenario = begin(expression("ready", "Exists"));

        each(Duration.ZERO, engineScenario, 1, 9, labels("ready", "true")).afterSeconds(5);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void onlyNodesWithPodsWhoseRulesReadTheLabelAreCounted() {
        ClusterBuilder facts = facts(noDrain());
        for (int i = 1; i <= 40; i++) {
            facts.node("other-" + i).pod("other-" + i, on("other-" + i));
        }
        EngineScenario engineScenario =
                EngineScenario.begin(facts, everywhere(enforcing())).replacingOn("spare");

        each(Duration.ZERO, engineScenario, 1, 3, labels("drain", "true")).afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED drain");
        assertThat(engineScenario.turns.getFirst().message())
                .startsWith("label drain=true came to 3 of 9 nodes in 1 s");
    }

    @Test
    void threeOfSixteenNodesAreFewerThanAFifthAndThreeOfFifteenAreNot() {
        assertThat(each(Duration.ZERO, amongReaders(16), 1, 3, labels("drain", "true"))
                        .afterSeconds(1)
                        .turns)
                .isEmpty();
        assertThat(turns(each(Duration.ZERO, amongReaders(15), 1, 3, labels("drain", "true"))
                        .afterSeconds(1)))
                .containsExactly("OPENED drain");
    }

    private static EngineScenario amongReaders(int nodes) {
        ClusterBuilder facts = facts(noDrain());
        for (int i = NODES + 1; i <= nodes; i++) {
            facts.node("more-" + i).pod("more-" + i, on("more-" + i), nodeAffinity(nodeTerm(noDrain())));
        }
        return EngineScenario.begin(facts, everywhere(enforcing()));
    }

    @Test
    void newNodesThatGetTheLabelALittleLaterBreakNothing() {
        EngineScenario engineScenario = begin(noDrain());
        for (int i = 1; i <= 20; i++) {
            engineScenario
                    .happens(nodeChanged("new-" + i, labels("cpu", "new")))
                    .happens(nodeChanged("new-" + i, labels("drain", "true")));
        }

        assertThat(engineScenario.afterSeconds(70).turns).isEmpty();
    }

    @Test
    void aDomainLabelThatPutsPodsTogetherCounts() {
        ClusterBuilder facts = cluster().node("spare", labels("rack", "spare"));
        for (int i = 1; i <= NODES; i++) {
            facts.node("n" + i, labels("rack", "rack-" + i))
                    .replicaSet("web-" + i, 1)
                    .pod(
                            "web-" + i,
                            on("n" + i),
                            replicaOf("web-" + i),
                            labels("app", "web"),
                            apartFrom(term(app("web"), "rack")));
        }
        EngineScenario engineScenario =
                EngineScenario.begin(facts, everywhere(enforcing())).replacingOn("spare");

        each(Duration.ofMinutes(4), engineScenario, 1, 6, labels("rack", "one")).after(Duration.ofHours(5));

        assertThat(turns(engineScenario)).containsExactly("OPENED rack");
        assertThat(engineScenario.evicted()).hasSizeLessThanOrEqualTo(2);
    }

    @Test
    void aValueThatIsWrittenAgainCountsAsLongAsTheRuleIsBroken() {
        EngineScenario engineScenario = each(Duration.ZERO, begin(noDrain()), 1, 6, labels("drain", "first"));

        each(Duration.ofSeconds(1), engineScenario, 1, 6, labels("drain", "second"))
                .after(Duration.ofMinutes(30));

        assertThat(turns(engineScenario)).containsExactly("OPENED drain");
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void aValueThatIsWrittenAgainAndBreaksNothingEndsIt() {
        EngineScenario engineScenario =
                each(Duration.ZERO, begin(expression("spot", "NotIn", "true")), 1, 6, labels("spot", "true"));

        each(Duration.ofSeconds(1), engineScenario, 1, 6, labels("spot", "false"))
                .after(Duration.ofMinutes(30));

        assertThat(turns(engineScenario)).containsExactly("OPENED spot", "HEALED spot");
        assertThat(engineScenario.evicted()).isEmpty();
    }

    @Test
    void itClosesByItselfWhenTheLabelIsGoneFromEnoughNodes() {
        EngineScenario engineScenario = each(Duration.ZERO, begin(noDrain()), 1, 3, labels("drain", "true"))
                .afterSeconds(70);

        each(Duration.ZERO, engineScenario, 1, 3).after(Duration.ofHours(1));

        assertThat(turns(engineScenario)).containsExactly("OPENED drain", "HEALED drain");
        assertThat(engineScenario.reads).isEmpty();
    }

    @Test
    void aLabelThatMustNotExistMayLeaveAllNodesThatHaveIt() {
        EngineScenario engineScenario =
                EngineScenario.begin(facts(noDrain(), labels("drain", "true")), everywhere(enforcing()));

        each(Duration.ZERO, engineScenario, 1, 9).afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void aValueThatComesAndLeavesAgainIsNoLoss() {
        EngineScenario engineScenario = begin(expression("disk", "In", "ssd", "nvme"), labels("disk", "ssd"));

        each(Duration.ZERO, engineScenario, 1, 2, labels("disk", "hdd"));
        each(Duration.ZERO, engineScenario, 1, 2, labels("disk", "ssd"));
        each(Duration.ZERO, engineScenario, 3, 3, labels("disk", "hdd"));
        each(Duration.ZERO, engineScenario, 3, 3, labels("disk", "ssd"));

        assertThat(engineScenario.afterSeconds(5).turns).isEmpty();
    }

    @Test
    void itClosesByItselfWhenTheNodesAreDeleted() {
        EngineScenario engineScenario = each(Duration.ZERO, begin(noDrain()), 1, 3, labels("drain", "true"))
                .afterSeconds(70);

        engineScenario.happens(nodeGone("n1")).afterSeconds(1);

        assertThat(turns(engineScenario)).containsExactly("OPENED drain", "HEALED drain");
    }

    @Test
    void onceAcknowledgedOnlyFurtherNodesCount() {
        EngineScenario engineScenario = each(Duration.ZERO, begin(noDrain()), 1, 3, labels("drain", "true"))
                .afterSeconds(70);
        engineScenario
                .happens(acknowledged(engineScenario.turns.getFirst().id()))
                .afterSeconds(30);

        each(Duration.ZERO, engineScenario, 4, 5, labels("drain", "true")).afterSeconds(30);

        assertThat(turns(engineScenario)).containsExactly("OPENED drain", "ACKNOWLEDGED drain");
    }

    @Test
    void anAuditedRuleThatBreaksHoldsNoneThatIsEnforced() {
        EngineScenario engineScenario = EngineScenario.begin(facts(noDrain()), everywhere(auditing()));

        each(Duration.ZERO, engineScenario, 1, 6, labels("drain", "true")).afterSeconds(70);

        assertThat(engineScenario.turns).isEmpty();
    }

    @Test
    void aRuleOfOneNamespaceThatBreaksHoldsOnlyWhatItsPoliciesRequest() {
        ClusterBuilder facts = facts(noDrain()).namespace("bank", labels("team", "bank"));
        for (int i = 1; i <= NODES; i++) {
            facts.replicaSetIn("bank", "api-" + i)
                    .pod(
                            "api-" + i,
                            in("bank"),
                            on("n" + i),
                            replicaOf("api-" + i),
                            nodeAffinity(nodeTerm(expression("drain", "NotIn", "now"))));
        }
        Policy bank = TestPolicies.inNamespaces(matchLabels("team", "bank"), everywhere(enforcing()));
        EngineScenario engineScenario = EngineScenario.begin(facts, enforcing("web", Duration.ofMinutes(1)), bank)
                .replacingOn("spare");

        each(Duration.ZERO, engineScenario, 1, 6, labels("drain", "later")).afterSeconds(70);

        assertThat(turns(engineScenario)).containsExactly("OPENED drain-shop");
    }

    @Test
    void aFewNodesOfEachNamespaceAreEnoughTogether() {
        ClusterBuilder facts = cluster().node("spare");
        List<Policy> policies = new ArrayList<>();
        for (String namespace : List.of("a", "b", "c")) {
            facts.namespace(namespace, labels("team", namespace));
            policies.add(TestPolicies.ofNamespace(namespace, enforcing()));
            for (int i = 1; i <= 3; i++) {
                String name = namespace + i;
                facts.node(name)
                        .replicaSetIn(namespace, name)
                        .pod(name, in(namespace), on(name), replicaOf(name), nodeAffinity(nodeTerm(noDrain())));
            }
        }
        EngineScenario engineScenario =
                EngineScenario.begin(facts, policies.toArray(Policy[]::new)).replacingOn("spare");

        for (String node : List.of("a1", "a2", "b1", "b2", "c1", "c2")) {
            engineScenario.happens(nodeChanged(node, labels("drain", "true")));
        }

        assertThat(engineScenario.after(Duration.ofHours(2)).reads).isEmpty();
        assertThat(turns(engineScenario)).containsExactly("OPENED drain-a", "OPENED drain-b", "OPENED drain-c");
    }

    @Test
    void aRestartForgetsNoneOfThem() {
        EngineSettings settings = EngineScenario.settings().withLedger();
        EngineScenario engineScenario = EngineScenario.begin(settings, facts(noDrain()), everywhere(enforcing()))
                .replacingOn("spare");
        each(Duration.ofMinutes(4), engineScenario, 1, 2, labels("drain", "true"));

        EngineScenario next = engineScenario.restarted(settings).replacingOn("spare");
        each(Duration.ZERO, next, 3, 3, labels("drain", "true")).after(Duration.ofHours(1));

        assertThat(turns(next)).containsExactly("OPENED drain");
        assertThat(next.evicted()).isEmpty();
    }

    @Test
    void whatIsGoneAgainIsForgotten() {
        EngineScenario engineScenario = each(Duration.ZERO, begin(noDrain()), 1, 6, labels("drain", "true"))
                .afterSeconds(30);

        each(Duration.ZERO, engineScenario, 1, 6).after(Duration.ofHours(26)).happens(nodeChanged("n1"));

        assertThat(engineScenario.engine.remembered()).isZero();
    }
}
