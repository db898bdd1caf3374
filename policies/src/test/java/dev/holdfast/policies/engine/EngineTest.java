package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Given.FORGIVENESS;
import static dev.holdfast.policies.engine.Given.ZONE;
import static dev.holdfast.policies.engine.Given.apartFrom;
import static dev.holdfast.policies.engine.Given.auditing;
import static dev.holdfast.policies.engine.Given.enforcing;
import static dev.holdfast.policies.engine.Given.near;
import static dev.holdfast.policies.engine.Given.node;
import static dev.holdfast.policies.engine.Given.onNodesWith;
import static dev.holdfast.policies.engine.Given.owner;
import static dev.holdfast.policies.engine.Given.pod;
import static dev.holdfast.policies.engine.Given.policy;
import static dev.holdfast.policies.engine.Given.replacement;
import static dev.holdfast.policies.engine.Given.spread;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.ClusterEvent.NodeChanged;
import dev.holdfast.policies.model.ClusterEvent.PodChanged;
import dev.holdfast.policies.model.ClusterEvent.PodGone;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/** Whole lives of violations: which pods are evicted, when, and what is told of it. */
class EngineTest {
    private static Cluster facts(ClusterEvent... events) {
        Cluster cluster = new Cluster();
        for (ClusterEvent event : events) {
            cluster.apply(event);
        }
        return cluster;
    }

    /** Two SSD nodes and a pod that needs one, on the first. */
    private static Cluster webOnSsd() {
        return facts(
                new NodeChanged(node("n1", "disk", "ssd")),
                new NodeChanged(node("n2", "disk", "ssd")),
                new PodChanged(pod("web-1", "n1", "web", onNodesWith("disk", "ssd"))),
                owner("web", 1));
    }

    /** The scheduler as played by the story: each replacement lands on this node. */
    private static BiFunction<Pod, Integer, Optional<Pod>> landingOn(String node) {
        return (victim, number) -> Optional.of(replacement(victim, "-r" + number, node));
    }

    @Test
    void a_pod_whose_node_loses_its_label_is_evicted_when_forgiveness_has_passed_and_not_a_second_before() {
        Story story = Story.begin(webOnSsd(), enforcing()).replacing(landingOn("n2"));

        story.happens(owner("web", 1)).happens(new NodeChanged(node("n1", "disk", "hdd")));
        story.afterSeconds(59);
        assertThat(story.evicted()).isEmpty();
        story.afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
        assertThat(story.requests.getFirst().since()).isEqualTo(Story.START);
        assertThat(story.requests.getFirst().cause()).isEqualTo("label disk of node n1 changed ssd -> hdd");
        assertThat(story.events())
                .containsExactly(
                        "Started web-1",
                        "Evicting web-1",
                        "Answered web-1",
                        "Ended web-1 EVICTED",
                        "Moved web-1 MOVED");
    }

    @Test
    void a_breach_that_heals_inside_the_window_evicts_nobody_and_the_next_one_starts_anew() {
        Story story = Story.begin(webOnSsd(), enforcing());

        story.happens(new NodeChanged(node("n1", "disk", "hdd")));
        story.afterSeconds(50).happens(new NodeChanged(node("n1", "disk", "ssd")));
        story.afterSeconds(5).happens(new NodeChanged(node("n1", "disk", "hdd")));
        story.afterSeconds(59);

        assertThat(story.evicted()).isEmpty();
        assertThat(story.events()).containsExactly("Started web-1", "Ended web-1 HEALED", "Started web-1");
    }

    @Test
    void audit_tells_what_enforce_would_do_and_reads_and_sends_nothing() {
        Story story = Story.begin(webOnSsd(), auditing());

        story.happens(new NodeChanged(node("n1", "disk", "hdd"))).afterSeconds(600);

        assertThat(story.reads).isEmpty();
        assertThat(story.requests).isEmpty();
        assertThat(story.events()).containsExactly("Started web-1", "WouldEvict web-1");
        assertThat(story.report(auditing()).pods()).isEqualTo(new PolicyReport.Pods(1, 1, 1, 0));
    }

    @Test
    void a_ceiling_of_audit_turns_enforce_into_audit() {
        Story story = Story.begin(webOnSsd(), enforcing())
                .event(new Event.ModeCapped(Mode.AUDIT, "the right to evict is missing"));

        story.happens(new NodeChanged(node("n1", "disk", "hdd"))).afterSeconds(600);

        assertThat(story.requests).isEmpty();
        assertThat(story.report(enforcing()).mode()).isEqualTo(Mode.AUDIT);
    }

    @Test
    void what_is_broken_at_first_sight_starts_its_clock_there() {
        Cluster facts = webOnSsd();
        facts.apply(new NodeChanged(node("n1", "disk", "hdd")));

        Story story = Story.begin(facts, enforcing()).afterSeconds(59);

        assertThat(story.evicted()).isEmpty();
        assertThat(story.told.getFirst().violation().cause()).isEqualTo(new Cause.FoundAtStart());
    }

    @Test
    void of_two_pods_apart_from_each_other_in_one_zone_exactly_one_leaves() {
        Scheduling apart = apartFrom("web");
        Story story = Story.begin(
                        facts(
                                new NodeChanged(node("a1", ZONE, "a")),
                                new NodeChanged(node("b1", ZONE, "b")),
                                owner("web", 2),
                                new PodChanged(pod("web-1", "a1", "web", apart)),
                                new PodChanged(pod("web-2", "b1", "web", apart))),
                        enforcing())
                .happens(owner("web", 2))
                .replacing(landingOn("c1"));
        story.happens(new NodeChanged(node("c1", ZONE, "c")));

        story.happens(new NodeChanged(node("b1", ZONE, "a"))).afterSeconds(3600);

        assertThat(story.evicted()).containsExactly("web-1");
        assertThat(story.events())
                .containsExactly(
                        "Started web-1",
                        "Started web-2",
                        "Held web-2 MoveInScope",
                        "Evicting web-1",
                        "Answered web-1",
                        "Ended web-1 EVICTED",
                        "Ended web-2 HEALED",
                        "Moved web-1 MOVED");
    }

    @Test
    void of_three_pods_each_alone_in_a_zone_of_a_self_affine_group_two_join_the_third() {
        Scheduling near = near("web");
        Story story = Story.begin(
                        facts(
                                new NodeChanged(node("a1", ZONE, "a")),
                                new NodeChanged(node("b1", ZONE, "b")),
                                new NodeChanged(node("c1", ZONE, "c")),
                                new PodChanged(pod("web-1", "a1", "web", near)),
                                new PodChanged(pod("web-2", "b1", "web", near)),
                                new PodChanged(pod("web-3", "c1", "web", near))),
                        enforcing())
                .happens(owner("web", 3))
                .replacing(landingOn("c1"));

        story.afterSeconds(3600);

        assertThat(story.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void of_four_pods_in_one_zone_and_none_in_the_other_two_leave_and_not_three() {
        Scheduling even = spread("web", 1);
        Story story = Story.begin(
                        facts(
                                new NodeChanged(node("a1", ZONE, "a")),
                                new NodeChanged(node("b1", ZONE, "b")),
                                new PodChanged(pod("web-1", "a1", "web", even)),
                                new PodChanged(pod("web-2", "a1", "web", even)),
                                new PodChanged(pod("web-3", "a1", "web", even)),
                                new PodChanged(pod("web-4", "a1", "web", even))),
                        enforcing())
                .happens(owner("web", 4))
                .replacing(landingOn("b1"));

        story.afterSeconds(3600);

        assertThat(story.evicted()).containsExactly("web-1", "web-2");
    }

    @Test
    void a_pod_follows_its_partner_into_another_zone() {
        Pod cache = pod("cache-1", "a1", "cache", Scheduling.anywhere());
        Story story = Story.begin(
                        facts(
                                new NodeChanged(node("a1", ZONE, "a")),
                                new NodeChanged(node("b1", ZONE, "b")),
                                new PodChanged(cache),
                                new PodChanged(pod("web-1", "a1", "web", near("cache")))),
                        enforcing())
                .happens(owner("web", 1))
                .replacing(landingOn("b1"));

        story.happens(new PodGone("cache-1"))
                .happens(new PodChanged(replacement(cache, "-new", "b1")))
                .afterSeconds(60);

        assertThat(story.evicted()).containsExactly("web-1");
        assertThat(story.requests.getFirst().cause()).isEqualTo("pod shop/cache-1 left");
    }

    @Test
    void a_pod_whose_partner_is_nowhere_waits_and_goes_at_once_when_the_partner_is_back_elsewhere() {
        Pod cache = pod("cache-1", "a1", "cache", Scheduling.anywhere());
        Story story = Story.begin(
                        facts(
                                new NodeChanged(node("a1", ZONE, "a")),
                                new NodeChanged(node("b1", ZONE, "b")),
                                new PodChanged(cache),
                                new PodChanged(pod("web-1", "a1", "web", near("cache")))),
                        enforcing())
                .happens(owner("web", 1))
                .replacing(landingOn("b1"));

        story.happens(new PodGone("cache-1")).afterSeconds(600);
        assertThat(story.events()).containsExactly("Started web-1", "Held web-1 Infeasible");
        assertThat(story.report(enforcing()).holds()).isEqualTo(Map.of(Reason.INFEASIBLE, 1));
        story.happens(new PodChanged(replacement(cache, "-new", "b1"))).afterSeconds(1);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void when_infeasible_evict_moves_a_pod_that_no_node_would_take() {
        Policy insisting = policy("web", Mode.ENFORCE, FORGIVENESS, WhenInfeasible.EVICT);
        Cluster facts = facts(
                new NodeChanged(node("n1", "disk", "hdd")),
                new PodChanged(pod("web-1", "n1", "web", onNodesWith("disk", "ssd"))));

        Story story = Story.begin(facts, insisting).afterSeconds(60);

        assertThat(story.evicted()).containsExactly("web-1");
    }

    @Test
    void the_owner_of_the_rule_leaves_and_the_pod_relabelled_into_conflict_stays() {
        Pod batch = pod("batch-1", "a1", "calm", Scheduling.anywhere());
        Story story = Story.begin(
                        facts(
                                new NodeChanged(node("a1", ZONE, "a")),
                                new NodeChanged(node("b1", ZONE, "b")),
                                new PodChanged(batch),
                                new PodChanged(pod("web-1", "a1", "web", apartFrom("noisy")))),
                        enforcing())
                .happens(owner("web", 1))
                .replacing(landingOn("b1"));

        story.happens(new PodChanged(Given.labelled(batch, "app", "noisy"))).afterSeconds(600);

        assertThat(story.evicted()).containsExactly("web-1");
        assertThat(story.requests.getFirst().cause()).isEqualTo("label app of pod shop/batch-1 changed calm -> noisy");
    }

    @Test
    void a_cordoned_empty_node_under_hostname_spread_moves_nothing() {
        Scheduling even = spread("web", 1);
        Story story = Story.begin(
                facts(
                        new NodeChanged(node("n1", ZONE, "n1")),
                        new NodeChanged(node("n2", ZONE, "n2")),
                        new PodChanged(pod("web-1", "n1", "web", even)),
                        new PodChanged(pod("web-2", "n2", "web", even)),
                        new PodChanged(pod("web-3", "n1", "web", even)),
                        new PodChanged(pod("web-4", "n2", "web", even))),
                enforcing());

        story.happens(new NodeChanged(Given.cordoned(node("n3", ZONE, "n3")))).afterSeconds(3600);

        assertThat(story.evicted()).isEmpty();
        assertThat(story.report(enforcing()).holds()).isEqualTo(Map.of(Reason.INFEASIBLE, 4));
    }

    @Test
    void pods_of_exempt_namespaces_are_no_partners_of_anti_affinity() {
        Pod daemon = new Pod(
                "daemon",
                new NamespacedName("kube-system", "daemon"),
                1,
                Labels.of("app", "web"),
                Optional.of("a1"),
                Scheduling.anywhere(),
                pod("x-1", "a1", "x", Scheduling.anywhere()).life(),
                pod("x-1", "a1", "x", Scheduling.anywhere()).protection());
        Scheduling apartEverywhere = new Scheduling(
                Labels.none(),
                Optional.empty(),
                List.of(),
                List.of(new PodAffinityTerm(
                        Optional.of(LabelSelector.everything()),
                        List.of("kube-system"),
                        Optional.empty(),
                        ZONE,
                        List.of(),
                        List.of())),
                List.of(),
                List.of());

        Story story = Story.begin(
                        facts(
                                new NodeChanged(node("a1", ZONE, "a")),
                                new PodChanged(daemon),
                                new PodChanged(pod("web-1", "a1", "web", apartEverywhere))),
                        enforcing())
                .afterSeconds(600);

        assertThat(story.events()).isEmpty();
    }

    @Test
    void the_same_events_at_the_same_instants_give_the_same_effects() {
        List<String> once = Story.begin(webOnSsd(), enforcing())
                .happens(new NodeChanged(node("n1", "disk", "hdd")))
                .after(Duration.ofHours(1))
                .events();
        List<String> again = Story.begin(webOnSsd(), enforcing())
                .happens(new NodeChanged(node("n1", "disk", "hdd")))
                .after(Duration.ofHours(1))
                .events();

        assertThat(once).isEqualTo(again).isNotEmpty();
    }
}
