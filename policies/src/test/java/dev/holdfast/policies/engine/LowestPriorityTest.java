package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.plan.Conduct;
import dev.holdfast.policies.plan.Outcome;
import dev.holdfast.policies.plan.PodOverrides;
import dev.holdfast.policies.plan.PolicyLimits;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Demands;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code victim: LowestPriority}: pods of {@code web}, of priority 1000, must be apart from pods of {@code batch}, and the
 * scheduler does not know.
 */
class LowestPriorityTest {
    private static final Rule APART = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME));

    private static Policy lowest() {
        return policy("apart", VictimChoice.LOWEST_PRIORITY, Mode.ENFORCE);
    }

    private static Policy policy(String name, VictimChoice victim, Mode mode) {
        return policy(name, APART, victim, mode, Optional.empty());
    }

    private static Policy policy(
            String name, Rule rule, VictimChoice victim, Mode mode, Optional<LabelMatcher> namespaces) {
        Enforcement enforcement =
                new Enforcement(mode, Policies.FORGIVENESS, WhenInfeasible.WAIT, WhenDomainAdded.HOLD, victim);
        return new Policy(
                PolicyId.cluster(name),
                1,
                mode,
                matcher(app("web")),
                Optional.empty(),
                namespaces,
                Map.of(),
                List.of(new Policy.NamedRule("apart-from-batch", rule, enforcement)));
    }

    private static ClusterBuilder web(PodTrait... traits) {
        return cluster()
                .node("a", hostname("a"))
                .node("b", hostname("b"))
                .pod("web-1", traits(traits, on("a"), replicaOf("web"), priority(1_000)));
    }

    private static PodTrait[] batch(int priority, PodTrait... traits) {
        return traits(traits, on("a"), replicaOf("batch"), priority(priority));
    }

    private static PodTrait[] traits(PodTrait[] more, PodTrait... first) {
        return Stream.concat(Stream.of(first), Stream.of(more)).toArray(PodTrait[]::new);
    }

    private static ClusterBuilder crowd(int pods) {
        ClusterBuilder facts = web();
        for (int pod = 1; pod <= pods; pod++) {
            facts.pod("batch-" + pod, batch(10));
        }
        return facts;
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("a lower one in its way goes", web().pod("batch-1", batch(10)), "batch-1"),
                row(
                        "of two lower ones both go, the lowest first",
                        web().pod("batch-1", batch(20)).pod("batch-2", batch(10)),
                        "batch-2",
                        "batch-1"),
                row("five lower ones go", crowd(5), "batch-1", "batch-2", "batch-3", "batch-4", "batch-5"),
                row("of six the owner goes: one pod, not six", crowd(6), "web-1"),
                row("of one with the same priority the owner goes", web().pod("batch-1", batch(1_000)), "web-1"),
                row(
                        "of a lower and a higher one the owner goes: it would have to anyway",
                        web().pod("batch-1", batch(10)).pod("batch-2", batch(2_000)),
                        "web-1"),
                row(
                        "of one that its DaemonSet would bring back the owner goes",
                        web().pod("batch-1", on("a"), labels("app", "batch"), ownedBy("DaemonSet", "batch", "batch")),
                        "web-1"),
                row(
                        "of one that runs to completion, which the policy does not allow, the owner goes",
                        web().pod("batch-1", batch(10, restartPolicy(RestartPolicy.NEVER))),
                        "web-1"),
                row(
                        "an owner that its DaemonSet would bring back is left, and the lower one goes",
                        web(labels("app", "web"), ownedBy("DaemonSet", "web", "web"))
                                .pod("batch-1", batch(10)),
                        "batch-1"),
                row(
                        "one that is kept by annotation is waited for",
                        web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true")))),
                row(
                        "of two that cannot both go elsewhere none goes",
                        web().pod("batch-1", batch(10)).pod("batch-2", batch(10, nodeSelector("rack", "r1")))));
    }

    private static Arguments row(String name, ClusterBuilder facts, String... evicted) {
        return argumentSet(name, facts, List.of(evicted));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void the_lowest_priority_goes(ClusterBuilder facts, List<String> evicted) {
        Story story = Story.begin(facts, lowest()).replacingOn("b");

        story.after(Duration.ofHours(1));

        assertThat(story.evicted()).containsExactlyElementsOf(evicted);
    }

    @Test
    void nobody_but_the_owner_goes_unless_the_policy_says_so() {
        Policy owner = policy("apart", VictimChoice.RULE_OWNER, Mode.ENFORCE);
        Story story = Story.begin(web().pod("batch-1", batch(10)), owner).replacingOn("b");

        story.after(Duration.ofHours(1));

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void of_two_policies_that_want_the_rule_one_does_not_have_others_moved_for_the_other() {
        Policy owner = policy("b-apart", VictimChoice.RULE_OWNER, Mode.ENFORCE);
        Story story =
                Story.begin(web().pod("batch-1", batch(10)), lowest(), owner).replacingOn("b");

        story.after(Duration.ofHours(1));

        assertThat(story.evicted()).containsExactly("web-1");
    }

    static Stream<Arguments> namespaces() {
        return Stream.of(
                argumentSet("one of a namespace that the policy selects goes", LabelSelector.everything(), "batch-1"),
                argumentSet(
                        "of one of a namespace that the policy does not select the owner goes",
                        matchLabels("team", "web"),
                        "web-1"));
    }

    @ParameterizedTest
    @MethodSource("namespaces")
    void only_pods_of_selected_namespaces_go(LabelSelector selected, String evicted) {
        Rule apart = new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME, Demands.namespaces("data")));
        Policy policy =
                policy("apart", apart, VictimChoice.LOWEST_PRIORITY, Mode.ENFORCE, Optional.of(matcher(selected)));
        ClusterBuilder facts = web().namespace(Facts.NAMESPACE, labels("team", "web"))
                .namespace("data", labels("team", "data"))
                .pod("batch-1", batch(10, in("data")));
        Story story = Story.begin(facts, policy).replacingOn("b");

        story.after(Duration.ofMinutes(10));

        assertThat(story.evicted()).containsExactly(evicted);
    }

    @Test
    void an_exception_for_the_owner_keeps_those_in_its_way() {
        Conduct.StandingException exception =
                new Conduct.StandingException(matcher(app("web")), Optional.empty(), "failover planned");
        Conduct conduct = new Conduct(
                List.of(), List.of(exception), Set.of(), Optional.empty(), PodOverrides.all(), PolicyLimits.none());
        Story story = Story.begin(web().pod("batch-1", batch(10))).replacingOn("b");
        story.event(new Event.PolicyChanged(lowest(), conduct));

        story.after(Duration.ofHours(1));

        assertThat(story.evicted()).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.EXCEPTION);
    }

    @Test
    void its_move_is_told_with_the_pod_that_goes_and_ends_when_its_replacement_is_out_of_the_way() {
        Story story = Story.begin(web().pod("batch-1", batch(10)), lowest()).replacingOn("b");

        story.after(Duration.ofHours(1));

        assertThat(story.events())
                .containsExactly(
                        "Started web-1", "Evicting web-1", "Answered web-1", "Ended web-1 HEALED", "Moved web-1 MOVED");
        assertThat(story.told)
                .last()
                .satisfies(told ->
                        assertThat(told.violation().victim().name().name()).isEqualTo("batch-1"));
        assertThat(story.reads).singleElement().satisfies(read -> {
            assertThat(read.pod().name()).isEqualTo("batch-1");
            assertThat(read.partners()).extracting(it -> it.name()).containsExactly("web-1");
        });
        assertThat(story.requests)
                .singleElement()
                .satisfies(request -> assertThat(request.cause())
                        .endsWith("it goes instead of shop/web-1, whose priority is higher"));
    }

    @Test
    void a_replacement_that_is_in_the_way_again_was_moved_in_vain() {
        Story story = Story.begin(web().pod("batch-1", batch(10)), lowest()).replacingOn("a");

        story.after(Duration.ofMinutes(4));

        assertThat(story.evicted()).containsExactly("batch-1");
        assertThat(story.told)
                .anySatisfy(told -> assertThat(told)
                        .isInstanceOfSatisfying(
                                Occurrence.Moved.class,
                                moved -> assertThat(moved.outcome()).isEqualTo(Outcome.BROKEN_AGAIN)));
    }

    @Test
    void an_audit_names_the_pod_that_would_go() {
        Policy audit = policy("apart", VictimChoice.LOWEST_PRIORITY, Mode.AUDIT);
        Story story = Story.begin(web().pod("batch-1", batch(10)), audit);

        story.after(Duration.ofHours(1));

        assertThat(story.evicted()).isEmpty();
        assertThat(story.told).last().satisfies(told -> {
            assertThat(told).isInstanceOf(Occurrence.WouldEvict.class);
            assertThat(told.violation().victim().name().name()).isEqualTo("batch-1");
        });
        assertThat(story.report(audit).oldest())
                .singleElement()
                .satisfies(violation ->
                        assertThat(violation.victim().name().name()).isEqualTo("batch-1"));
    }

    @Test
    void when_another_comes_that_does_not_go_while_the_first_is_read_the_owner_goes_instead() {
        Story story = Story.begin(web().pod("batch-1", batch(10)), lowest())
                .replacingOn("b")
                .duringReads(new Event.FactChanged(podChanged("batch-2", batch(2_000))));

        story.after(Duration.ofHours(1));

        assertThat(story.reads).extracting(read -> read.pod().name()).containsExactly("batch-1", "web-1");
        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void a_hold_names_the_pod_that_is_to_go() {
        Story story = Story.begin(web().pod("batch-1", batch(10, annotated("holdfast.dev/keep", "true"))), lowest());

        story.after(Duration.ofHours(1));

        assertThat(story.heldBecause())
                .isEqualTo("pod shop/batch-1, whose priority is lower, is to go instead: annotation holdfast.dev/keep"
                        + " of the pod keeps it");
    }
}
