package dev.holdfast.it.fault;

import static dev.holdfast.it.fault.Requests.NAMESPACES;
import static dev.holdfast.it.fault.Requests.NODES;
import static dev.holdfast.it.fault.Requests.PODS;
import static dev.holdfast.it.fault.Requests.WATCHES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * What comes between the operator and its API server. In each case a rule is broken, the operator goes blind, and the
 * rule heals unseen: who acts on what he saw last is wrong.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FeedFaultsIT {
    /** Past the end of the forgiveness. */
    private static final Duration PAST_DUE = Rig.FORGIVENESS.plusSeconds(3);

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** It starts another operator, which all that comes later is played to. */
    private static final int FIRST = 1;

    private final Rig rig = new Rig("feed-faults");

    private final List<Stage> stages = new ArrayList<>();

    private Stage stage(String name) {
        Stage stage = rig.stageWithShortPauses(name);
        stages.add(stage);
        return stage;
    }

    /** After all of it the operator, restarted by the first fault only, does on every stage what it is for. */
    @AfterAll
    void end() {
        try {
            rig.enforces(stages);
            rig.nobodyElseLeft();
        } finally {
            rig.close();
        }
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void what_fell_silent_is_not_believed() {
        Duration span = Span.of(PAST_DUE, Duration.ofSeconds(150));
        Stage stage = stage("silent");
        rig.breakRule(stage);
        try (FaultProxy.Rule _ = rig.proxy().on(WATCHES, new Fault.Stall())) {
            rig.heal(stage);
            rig.nobodyIsAskedToLeave(stage, span);
            assertThat(rig.said("\"Held\"", "ViewBehind", "\"silent\"")).isTrue();
            if (span.compareTo(Duration.ofSeconds(150)) >= 0) {
                assertThat(List.of(rig.synced("pods"), rig.synced("nodes"), rig.synced("namespaces")))
                        .containsOnly(false);
            }
        }
        Findings.add("R5 watches silent", span, rig.isWell(stage), "ViewBehind");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void watches_that_expire_once_a_second_are_listed_again_less_and_less_often() {
        Duration span = Span.of(PAST_DUE, Duration.ofMinutes(5));
        Stage stage = stage("expired");
        rig.breakRule(stage);
        int before = rig.lists("pods").begun();
        int steps = 0;
        Instant begun = rig.now();
        try (FaultProxy.Rule _ = rig.proxy().on(WATCHES, new Fault.Expire(SECOND))) {
            rig.heal(stage);
            Instant end = begun.plus(span);
            Instant patience = end.plus(Duration.ofMinutes(1));
            // On a slow machine the second list may come later.
            while (rig.now().isBefore(end)
                    || (rig.lists("pods").begun() - before < 2 && rig.now().isBefore(patience))) {
                steps++;
                stage.label("n2", "step", Integer.toString(steps));
                rig.nobodyIsAskedToLeave(stage, SECOND);
            }
            assertThat(rig.said("view lost", "pods", "the API server has forgotten the changes"))
                    .isTrue();
        }
        int lists = rig.lists("pods").begun() - before;
        long seconds = Duration.between(begun, rig.now()).toSeconds();
        assertThat(lists).isBetween(2, 6 + (int) (seconds / 20));
        assertThat(List.of("pods", "nodes", "namespaces"))
                .allSatisfy(kind -> assertThat(rig.lists(kind).mostAtOnce())
                        .as("lists of %s at once", kind)
                        .isOne());
        Findings.add("R4 watches expired each second", span, rig.isWell(stage), lists + " lists of pods");
        assertThat(rig.sink().node(stage.nodeName("n2")).orElseThrow().labels().get("step"))
                .contains(Integer.toString(steps));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(FIRST)
    void a_start_from_a_stale_list_that_nothing_follows_is_not_believed() {
        Stage stage = stage("stale");
        rig.breakRule(stage);
        Fault.Answer before = new Fault.Answer(
                200, "Content-Type: application/vnd.kubernetes.protobuf\r\n", rig.protobuf("/api/v1/nodes"));
        rig.heal(stage);
        FaultProxy.Rule stall = rig.proxy().on(NODES.and(WATCHES), new Fault.Stall());
        try (FaultProxy.Rule _ = rig.proxy().on(NODES.and(Head::isList), before);
                FaultProxy.Rule _ = rig.proxy().on(NODES.and(WATCHES), new Fault.Freeze());
                stall) {
            rig.restartOperator();
            rig.until("the others are followed", () -> rig.synced("pods") && rig.synced("namespaces"));
            rig.nobodyIsAskedToLeave(stage, PAST_DUE);
            assertThat(rig.synced("nodes")).as("no watch of nodes is open").isFalse();
            stall.close();
            rig.until("what was is seen", () -> rig.violates(stage));
            rig.nobodyIsAskedToLeave(stage, PAST_DUE);
        }
        Findings.add("R3 restart on a stale list", PAST_DUE, rig.isWell(stage), "ViewBehind");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void changes_that_come_twice_or_in_another_order_end_in_what_is() {
        Stage stage = stage("disorder");
        for (Fault fault : List.of(new Fault.Repeat(), new Fault.Swap())) {
            try (FaultProxy.Rule _ = rig.proxy().on(NODES.or(PODS).and(WATCHES), fault)) {
                rig.breakRule(stage);
                for (int step = 0; step < 10; step++) {
                    stage.label("n2", "step", fault.getClass().getSimpleName() + step);
                }
                rig.heal(stage);
            }
            rig.until("all is seen", () -> !rig.violates(stage));
        }
        Findings.add("R3 changes twice, and swapped", Duration.ZERO, rig.isWell(stage), "");
    }

    /** Each of the three kinds has a feed of its own: what befalls one does not wait for what befalls another. */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_frame_that_is_cut_or_cannot_be_read_loses_the_view_and_not_the_operator() {
        played(
                "frames",
                stage("frames"),
                List.of(
                        new FaultRow(
                                "R16 a frame of 2 GiB announced",
                                NODES.and(WATCHES),
                                new Fault.Insert("\u007f\u00ff\u00ff\u00ff\u0000"),
                                "nodes",
                                "a frame of 2147483647 bytes"),
                        new FaultRow(
                                "R16 a watch ends inside a frame",
                                NAMESPACES.and(WATCHES),
                                new Fault.Cut(100, Fault.Manner.AS_IF_IT_WERE_ALL),
                                "namespaces",
                                "the body ends here, too early"),
                        new FaultRow(
                                "R16 a watch breaks inside each frame",
                                PODS.and(WATCHES),
                                new Fault.Cut(100, Fault.Manner.BROKEN),
                                "pods",
                                "the watch of pods is closed again and again")));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_list_that_is_cut_is_no_short_list_and_an_error_is_no_end() {
        played(
                "cut",
                stage("cut"),
                List.of(
                        new FaultRow(
                                "R4 a watch expired",
                                NAMESPACES.or(PODS).and(WATCHES),
                                new Fault.Expire(Duration.ZERO),
                                "pods",
                                "the API server has forgotten the changes"),
                        new FaultRow(
                                "R16 a list ends early, as if it were all",
                                NAMESPACES.and(Head::isList),
                                new Fault.Cut(200, Fault.Manner.AS_IF_IT_WERE_ALL),
                                "namespaces",
                                "cannot list namespaces: the answer cannot be read"),
                        new FaultRow(
                                "R16 a list breaks",
                                PODS.and(Head::isList),
                                new Fault.Cut(200, Fault.Manner.BROKEN),
                                "pods",
                                "cannot reach the API server to list pods: the connection broke"),
                        new FaultRow(
                                "R16 ERROR of code 500 in a 200",
                                NODES.and(WATCHES),
                                new Fault.Fail(500),
                                "nodes",
                                "the watch of nodes is closed again and again")));
    }

    /** Plays all rows at once, while a rule that was broken heals and something of each kind changes. */
    private void played(String name, Stage stage, List<FaultRow> rows) {
        rig.breakRule(stage);
        List<FaultProxy.Rule> rules = new ArrayList<>();
        try {
            rows.forEach(row -> rules.add(rig.proxy().on(row.which(), row.done())));
            rig.heal(stage);
            stage.labelPod(stage.names("web").getFirst(), "step", name);
            rig.client()
                    .namespaces()
                    .withName(stage.namespace())
                    .edit(it -> new NamespaceBuilder(it)
                            .editMetadata()
                            .addToLabels("step", name)
                            .endMetadata()
                            .build());
            rig.nobodyIsAskedToLeave(stage, PAST_DUE);
            rows.forEach(row ->
                    rig.until(row.line(), () -> rig.said("view lost", "\"kind\":\"" + row.kind() + "\"", row.line())));
        } finally {
            rules.forEach(FaultProxy.Rule::close);
        }
        Duration back = rig.isWell(stage);
        rows.forEach(row -> Findings.add(row.fault(), PAST_DUE, back, row.line()));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_token_that_is_rotated_is_taken_up_without_a_gap() {
        Duration span = Span.of(Duration.ofSeconds(9), Duration.ofMinutes(5));
        Duration each = Span.of(Duration.ofSeconds(3), Duration.ofSeconds(10));
        Stage stage = stage("rotated");
        List<FaultProxy.Rule> refused = new ArrayList<>();
        try {
            String old = rig.newToken();
            for (Instant end = rig.now().plus(span); rig.now().isBefore(end); ) {
                String next = rig.newToken();
                String known = "Bearer " + old;
                refused.add(
                        rig.proxy().on(head -> head.header("Authorization").equals(known), Fault.Answer.status(401)));
                rig.proxy().cut(WATCHES);
                // The watches of policies and pauses come back later and later, the more often they were cut.
                await("nothing is lost")
                        .pollInterval(Duration.ofMillis(200))
                        .during(each)
                        .atMost(each.plus(Duration.ofMinutes(1)))
                        .untilAsserted(() -> {
                            assertThat(rig.sink().lost()).isEmpty();
                            assertThat(rig.isReady()).isTrue();
                            assertThat(rig.leads()).isTrue();
                        });
                old = next;
            }
            Findings.add("R19 token rotated, " + refused.size() + " times", span, rig.isWell(stage), "no view lost");
        } finally {
            refused.forEach(FaultProxy.Rule::close);
        }
    }
}
