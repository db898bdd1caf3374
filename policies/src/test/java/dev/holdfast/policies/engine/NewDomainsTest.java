package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.enforcing;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.createdAt;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.readyChanged;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.NodeTrait;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.SpreadTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What comes and goes by itself in a cluster shuffles no healthy service. */
class NewDomainsTest {
    private static final Instant LONG_AGO = Story.START.minus(Duration.ofDays(30));
    private static final NodeTrait UNREACHABLE = tainted("node.kubernetes.io/unreachable", "", "NoSchedule");

    /** Six pods over three zones of one node each, each zone its own host. */
    private static ClusterBuilder inThreeZones(String topologyKey, SpreadTrait... traits) {
        return spreadOver(List.of("a1", "b1", "c1"), topologyKey, traits);
    }

    private static ClusterBuilder inTwoZones(String topologyKey) {
        return spreadOver(List.of("a1", "b1"), topologyKey);
    }

    private static ClusterBuilder spreadOver(List<String> nodes, String topologyKey, SpreadTrait... traits) {
        PodTrait evenly = spread(maxSkew(1, topologyKey, app("web"), traits));
        ClusterBuilder facts = cluster().replicaSet("web", 2 * nodes.size());
        int pods = 0;
        for (String node : nodes) {
            facts.node(node, place(node));
            for (int i = 0; i < 2; i++) {
                facts.pod("web-" + ++pods, on(node), replicaOf("web"), bound(LONG_AGO), evenly);
            }
        }
        return facts;
    }

    /** A node is called by its zone. */
    private static NodeTrait place(String node) {
        return draft -> {
            zone(node.substring(0, 1)).of(draft);
            hostname(node).of(draft);
        };
    }

    private static Story comes(Story story, String node) {
        return story.happens(nodeChanged(node, place(node), createdAt(story.now)));
    }

    private static Story cordonedC(Story story) {
        return story.happens(nodeChanged("c1", place("c1"), cordoned()));
    }

    private static Story backC(Story story) {
        Story back = story.happens(nodeChanged("c1", place("c1"), readyChanged(story.now)));
        bindWaiting(back);
        return back;
    }

    private static Story unreachableC(Story story) {
        return story.happens(nodeChanged("c1", place("c1"), notReady(), readyChanged(story.now), UNREACHABLE));
    }

    /** What runs in a zone is deleted and made anew wherever a scheduler would put it. */
    private static Story emptied(Story story, String node) {
        for (Pod pod : List.copyOf(story.truth.podsOn(node))) {
            story.happens(podGone(pod.uid()));
            story.happens(Scheduler.place(pod.name().name() + "-new", pod, story.truth, story.now));
        }
        return story;
    }

    private static void bindWaiting(Story story) {
        for (Pod pod : List.copyOf(story.truth.pods())) {
            if (pod.nodeName().isEmpty()) {
                story.happens(Scheduler.place(pod.name().name(), pod, story.truth, story.now));
            }
        }
    }

    static Stream<Arguments> incidents() {
        return Stream.concat(
                harmful(),
                Stream.of(
                        row("a node is cordoned", inThreeZones(HOSTNAME), NewDomainsTest::cordonedC),
                        row(
                                "a node reboots in five minutes",
                                inThreeZones(HOSTNAME),
                                story -> backC(unreachableC(story).afterSeconds(300))),
                        row(
                                "a zone fails, its pods wait for it, and it is back after an hour",
                                inThreeZones(ZONE),
                                story -> backC(emptied(unreachableC(story).afterSeconds(340), "c1")
                                        .afterSeconds(3_600))),
                        row(
                                "a zone fails and is not back",
                                inThreeZones(ZONE),
                                story -> emptied(unreachableC(story).afterSeconds(340), "c1")),
                        row(
                                "a zone fails, its nodes are deleted, and it is not back",
                                inThreeZones(ZONE),
                                story -> emptied(
                                        unreachableC(story).afterSeconds(340).happens(nodeGone("c1")), "c1"))));
    }

    static Stream<Arguments> harmful() {
        return Stream.of(
                row("an autoscaler adds an empty node", inTwoZones(HOSTNAME), story -> comes(story, "b2")),
                row("an autoscaler adds an empty zone", inTwoZones(ZONE), story -> comes(story, "c1")),
                row(
                        "a node is drained, its pods find other places, and it is back after an hour",
                        inThreeZones(HOSTNAME, honoringTaints()),
                        story -> backC(emptied(cordonedAndTainted(story), "c1").afterSeconds(3_600))),
                row(
                        "a zone fails, its nodes are deleted, its pods find other places, and it is back after an hour",
                        inThreeZones(ZONE),
                        story -> comes(
                                emptied(unreachableC(story).afterSeconds(340).happens(nodeGone("c1")), "c1")
                                        .afterSeconds(3_600),
                                "c1")),
                row(
                        "a zone fails that taints close, its pods find other places, and it is back after ten minutes",
                        inThreeZones(ZONE, honoringTaints()),
                        story -> backC(emptied(unreachableC(story).afterSeconds(340), "c1")
                                .afterSeconds(260))),
                row(
                        "a node reboots in a minute, and its pods had been told to go",
                        inThreeZones(HOSTNAME, honoringTaints()),
                        story -> backC(emptied(unreachableC(story), "c1").afterSeconds(60))));
    }

    private static Story cordonedAndTainted(Story story) {
        return story.happens(nodeChanged(
                "c1", place("c1"), cordoned(), tainted("node.kubernetes.io/unschedulable", "", "NoSchedule")));
    }

    private static Arguments row(String name, ClusterBuilder facts, UnaryOperator<Story> incident) {
        return argumentSet(name, facts, incident);
    }

    @ParameterizedTest
    @MethodSource("incidents")
    void nothing_is_evicted_within_a_day(ClusterBuilder facts, UnaryOperator<Story> incident) {
        Story story = Story.begin(facts, enforcing()).scheduling().afterSeconds(600);

        incident.apply(story).after(Duration.ofDays(1));

        assertThat(story.evicted()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("harmful")
    void without_that_hold_pods_are_shuffled(ClusterBuilder facts, UnaryOperator<Story> incident) {
        EngineSettings careless = Story.settingsWithout(Set.of(Reason.DOMAIN_ADDED));
        Story story = Story.begin(careless, facts, enforcing()).scheduling().afterSeconds(600);

        incident.apply(story).after(Duration.ofDays(1));

        assertThat(story.evicted()).isNotEmpty();
    }

    @Test
    void a_pod_that_is_bound_after_the_domain_came_is_held_to_it() {
        Story story = comes(Story.begin(inTwoZones(ZONE), enforcing()).scheduling(), "c1")
                .afterSeconds(600);
        story.happens(podChanged(
                        "web-5", on("a1"), replicaOf("web"), bound(story.now), spread(maxSkew(1, ZONE, app("web")))))
                .after(Duration.ofDays(1));

        assertThat(story.evicted()).containsExactly("web-5");
    }

    @Test
    void a_domain_that_comes_between_the_plan_and_the_request_is_seen() {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        Story story = Story.begin(
                cluster()
                        .node("a1", place("a1"))
                        .node("b1", place("b1"))
                        .replicaSet("web", 3)
                        .pod("web-1", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                        .pod("web-2", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                        .pod("web-3", on("b1"), replicaOf("web"), bound(LONG_AGO), evenly)
                        .pod("web-4", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly),
                enforcing());
        story.duringRehearsal(
                        new Event.FactChanged(nodeChanged("b1", place("b1"), notReady())),
                        new Event.FactChanged(nodeChanged("b1", place("b1"))))
                .afterSeconds(60);

        assertThat(story.evicted()).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    @Test
    void a_domain_that_was_lost_and_came_back_while_nobody_could_look_is_new() {
        Story story = Story.begin(inThreeZones(ZONE), enforcing()).scheduling().afterSeconds(600);
        story.loses(View.NODES);
        for (String name : List.of("web-5", "web-6")) {
            Pod pod = story.truth.pod(name).orElseThrow();
            story.happens(podGone(name))
                    .happens(podChanged(
                            name + "-new",
                            on(name.equals("web-5") ? "a1" : "b1"),
                            replicaOf("web"),
                            bound(story.now),
                            spread(pod.scheduling().topologySpread().getFirst())));
        }
        story.afterSeconds(3_600)
                .happens(nodeChanged("c1", place("c1"), createdAt(story.now.plusSeconds(3_590))))
                .event(new Event.ViewSynced(View.NODES))
                .after(Duration.ofDays(1));

        assertThat(story.evicted()).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }

    /** A zone whose only node has been replaced by another, after a pod in zone a was bound and before it came to count. */
    private static Story replacedC(UnaryOperator<Story> meanwhile) {
        PodTrait evenly = spread(maxSkew(1, ZONE, app("web")));
        Story story = Story.begin(
                        cluster()
                                .node("a1", place("a1"))
                                .node("b1", place("b1"))
                                .node("c1", place("c1"))
                                .pod("web-1", on("a1"), replicaOf("web"), bound(LONG_AGO), evenly)
                                .pod("web-2", on("b1"), replicaOf("web"), bound(LONG_AGO), evenly)
                                .pod("late", on("a1"), replicaOf("api"), bound(LONG_AGO), evenly),
                        enforcing())
                .scheduling();
        Story replaced =
                meanwhile.apply(comes(story, "c2").happens(nodeGone("c1")).afterSeconds(600));
        return replaced.happens(podChanged(
                        "late",
                        on("a1"),
                        replicaOf("api"),
                        labels("app", "web"),
                        bound(LONG_AGO),
                        evenly,
                        resourceVersion(2)))
                .after(Duration.ofDays(1));
    }

    @Test
    void a_zone_whose_nodes_are_replaced_one_by_one_is_as_old_as_ever() {
        assertThat(replacedC(story -> story).evicted()).hasSize(1);
    }

    @Test
    void a_zone_whose_nodes_nobody_could_see_for_a_while_is_as_old_as_its_nodes() {
        Story story = replacedC(it -> it.loses(View.NODES).afterSeconds(10).event(new Event.ViewSynced(View.NODES)));

        assertThat(story.evicted()).isEmpty();
        assertThat(story.held()).isEqualTo(Reason.DOMAIN_ADDED);
    }
}
