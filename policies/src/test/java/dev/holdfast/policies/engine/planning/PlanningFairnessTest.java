package dev.holdfast.policies.engine.planning;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Tests which violations are planned if more are due than fit in one plan. Violations of pods whose names begin with e
 * are enforced.
 */
class PlanningFairnessTest {
    private final PlanningFairness planningFairness = new PlanningFairness(10, PlanningFairnessTest::lane);

    /** {@return the lane of the pod {@code <mode><number>}, of {@code <mode>-<namespace>-<policy>-<number>}} */
    private static PlanningFairness.Lane lane(ViolationKey key) {
        String[] parts = key.podUid().split("-");
        String namespace = parts.length > 2 ? parts[1] : "shop";
        String policy = parts.length > 2 ? parts[2] : "web";
        Mode mode = key.podUid().startsWith("e") ? Mode.ENFORCE : Mode.AUDIT;
        return new PlanningFairness.Lane(mode, namespace, PolicyId.namespaced(namespace, policy));
    }

    private List<String> next(Stream<String> due) {
        Rule rule = new Rule.NodeAffinity(Labels.of("disk", "ssd"), Optional.empty());
        return planningFairness
                .next(due.map(pod -> new ViolationKey(pod, "n1", rule.identity()))
                        .toList())
                .stream()
                .map(ViolationKey::podUid)
                .toList();
    }

    private static Stream<String> pods(String kind, int first, int last) {
        return IntStream.rangeClosed(first, last).mapToObj(i -> String.format(Locale.ROOT, "%s%02d", kind, i));
    }

    private static Stream<String> and(Stream<String> some, Stream<String> others) {
        return Stream.concat(some, others);
    }

    @Test
    void whereAPlanLooksAtAllTheyStayInTheOrderInWhichTheyCameDue() {
        assertThat(next(and(pods("e", 3, 5), pods("a", 1, 7))))
                .containsExactlyElementsOf(and(pods("e", 3, 5), pods("a", 1, 7)).toList());
    }

    @Test
    void oneTurnBeginsWhereTheOneBeforeItEndedAndAfterTheLastComesTheFirst() {
        assertThat(next(pods("e", 1, 25)))
                .containsExactlyElementsOf(pods("e", 1, 10).toList());
        assertThat(next(pods("e", 1, 25)))
                .containsExactlyElementsOf(pods("e", 11, 20).toList());
        assertThat(next(pods("e", 1, 25)))
                .containsExactlyElementsOf(
                        and(pods("e", 21, 25), pods("e", 1, 5)).toList());
    }

    @Test
    void aTurnGoesOnThoughTheLastOneOfTheTurnBeforeIsGone() {
        next(pods("e", 1, 25));

        assertThat(next(and(pods("e", 1, 9), pods("e", 12, 25))))
                .containsExactlyElementsOf(pods("e", 12, 21).toList());
    }

    @Test
    void theEnforcedAreInEveryTurnHoweverManyOthersAreDue() {
        assertThat(next(and(pods("a", 1, 25), pods("e", 1, 3))))
                .containsExactlyElementsOf(and(pods("e", 1, 3), pods("a", 1, 7)).toList());
        assertThat(next(and(pods("a", 1, 25), pods("e", 1, 3))))
                .containsExactlyElementsOf(
                        and(pods("e", 1, 3), pods("a", 8, 14)).toList());
    }

    @Test
    void aTenthOfEachTurnIsForTheOthersHoweverManyAreEnforced() {
        assertThat(next(and(pods("e", 1, 25), pods("a", 1, 3))))
                .containsExactlyElementsOf(and(pods("e", 1, 9), pods("a", 1, 1)).toList());
        assertThat(next(and(pods("e", 1, 25), pods("a", 1, 3))))
                .containsExactlyElementsOf(
                        and(pods("e", 10, 18), pods("a", 2, 2)).toList());
    }

    @Test
    void aWorkloadThatBreaksAgainAllTheTimeGetsAheadOfNoOther() {
        List<String> seen = new ArrayList<>();
        for (int plan = 0; plan < 3; plan++) {
            // The flapping violations became due last each time.
            seen.addAll(next(and(pods("e", 21, 25), pods("e", 1, 20))));
        }
        assertThat(seen).containsAll(pods("e", 21, 25).toList());
    }

    @Test
    void oneOfASmallNamespaceIsInEachPlanHoweverManyOfAnotherAreDue() {
        for (int plan = 0; plan < 3; plan++) {
            assertThat(next(and(pods("e-big-web-", 1, 25), pods("e-small-web-", 1, 1))))
                    .hasSize(10)
                    .contains("e-small-web-01");
        }
    }

    @Test
    void theShareThatOneNamespaceDoesNotNeedIsForTheOthers() {
        assertThat(next(and(and(pods("e-a-web-", 1, 25), pods("e-b-web-", 1, 25)), pods("e-c-web-", 1, 2))))
                .containsExactlyElementsOf(
                        and(and(pods("e-a-web-", 1, 4), pods("e-b-web-", 1, 4)), pods("e-c-web-", 1, 2))
                                .toList());
    }

    @Test
    void oneOfASmallPolicyIsInEachPlanHoweverManyOfAnotherPolicyOfTheNamespaceAreDue() {
        for (int plan = 0; plan < 3; plan++) {
            assertThat(next(and(pods("e-shop-big-", 1, 25), pods("e-shop-small-", 1, 1))))
                    .hasSize(10)
                    .contains("e-shop-small-01");
        }
    }

    @Test
    void ofMoreNamespacesThanOnePlanConsidersEachIsInTheFirstTwoPlans() {
        List<String> due = IntStream.rangeClosed(1, 15)
                .mapToObj(i -> String.format(Locale.ROOT, "ns%02d", i))
                .flatMap(namespace -> pods("e-" + namespace + "-web-", 1, 3))
                .toList();

        List<String> first = next(due.stream());
        List<String> second = next(due.stream());

        assertThat(Stream.concat(first.stream(), second.stream()).map(uid -> uid.substring(0, 6)))
                .hasSize(20)
                .containsAll(due.stream().map(uid -> uid.substring(0, 6)).toList());
    }
}
