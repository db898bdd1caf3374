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
    private static final Duration PAST_DUE = FaultEnvironment.FORGIVENESS.plusSeconds(3);

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** It starts another operator, which all that comes later is played to. */
    private static final int FIRST = 1;

    private final FaultEnvironment faultEnvironment = new FaultEnvironment("feed-faults");

    private final List<Stage> stages = new ArrayList<>();

    private Stage stage(String name) {
        Stage stage = faultEnvironment.stageWithShortPauses(name);
        stages.add(stage);
        return stage;
    }

    /** After all of it the operator, restarted by the first fault only, does on every stage what it is for. */
    @AfterAll
    void end() {
        try {
            faultEnvironment.enforces(stages);
            faultEnvironment.nobodyElseLeft();
        } finally {
            faultEnvironment.close();
        }
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void what_fell_silent_is_not_believed() {
        Duration span = FaultDuration.of(PAST_DUE, Duration.ofSeconds(150));
        Stage stage = stage("silent");
        faultEnvironment.breakRule(stage);
        try (FaultProxy.Rule _ = faultEnvironment.proxy().on(WATCHES, new ProxyFault.Stall())) {
            faultEnvironment.heal(stage);
            faultEnvironment.nobodyIsAskedToLeave(stage, span);
            assertThat(faultEnvironment.said("\"Held\"", "ViewBehind", "\"silent\""))
                    .isTrue();
            if (span.compareTo(Duration.ofSeconds(150)) >= 0) {
                assertThat(List.of(
                                faultEnvironment.synced("pods"),
                                faultEnvironment.synced("nodes"),
                                faultEnvironment.synced("namespaces")))
                        .containsOnly(false);
            }
        }
        Findings.add("R5 watches silent", span, faultEnvironment.isWell(stage), "ViewBehind");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void watches_that_expire_once_a_second_are_listed_again_less_and_less_often() {
        Duration span = FaultDuration.of(PAST_DUE, Duration.ofMinutes(5));
        Stage stage = stage("expired");
        faultEnvironment.breakRule(stage);
        int before = faultEnvironment.lists("pods").begun();
        int steps = 0;
        Instant begun = faultEnvironment.now();
        try (FaultProxy.Rule _ = faultEnvironment.proxy().on(WATCHES, new ProxyFault.Expire(SECOND))) {
            faultEnvironment.heal(stage);
            Instant end = begun.plus(span);
            Instant patience = end.plus(Duration.ofMinutes(1));
            // On a slow machine the second list may come later.
            while (faultEnvironment.now().isBefore(end)
                    || (faultEnvironment.lists("pods").begun() - before < 2
                            && faultEnvironment.now().isBefore(patience))) {
                steps++;
                stage.label("n2", "step", Integer.toString(steps));
                faultEnvironment.nobodyIsAskedToLeave(stage, SECOND);
            }
            assertThat(faultEnvironment.said("view lost", "pods", "the API server has forgotten the changes"))
                    .isTrue();
        }
        int lists = faultEnvironment.lists("pods").begun() - before;
        long seconds = Duration.between(begun, faultEnvironment.now()).toSeconds();
        assertThat(lists).isBetween(2, 6 + (int) (seconds / 20));
        assertThat(List.of("pods", "nodes", "namespaces"))
                .allSatisfy(kind -> assertThat(faultEnvironment.lists(kind).mostAtOnce())
                        .as("lists of %s at once", kind)
                        .isOne());
        Findings.add("R4 watches expired each second", span, faultEnvironment.isWell(stage), lists + " lists of pods");
        assertThat(faultEnvironment
                        .sink()
                        .node(stage.nodeName("n2"))
                        .orElseThrow()
                        .labels()
                        .get("step"))
                .contains(Integer.toString(steps));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(FIRST)
    void a_start_from_a_stale_list_that_nothing_follows_is_not_believed() {
        Stage stage = stage("stale");
        faultEnvironment.breakRule(stage);
        ProxyFault.Answer before = new ProxyFault.Answer(
                200,
                "Content-Type: application/vnd.kubernetes.protobuf\r\n",
                faultEnvironment.protobuf("/api/v1/nodes"));
        faultEnvironment.heal(stage);
        FaultProxy.Rule stall = faultEnvironment.proxy().on(NODES.and(WATCHES), new ProxyFault.Stall());
        try (FaultProxy.Rule _ = faultEnvironment.proxy().on(NODES.and(HttpHead::isList), before);
                FaultProxy.Rule _ = faultEnvironment.proxy().on(NODES.and(WATCHES), new ProxyFault.Freeze());
                stall) {
            faultEnvironment.restartOperator();
            faultEnvironment.until(
                    "the others are followed",
                    () -> faultEnvironment.synced("pods") && faultEnvironment.synced("namespaces"));
            faultEnvironment.nobodyIsAskedToLeave(stage, PAST_DUE);
            assertThat(faultEnvironment.synced("nodes"))
                    .as("no watch of nodes is open")
                    .isFalse();
            stall.close();
            faultEnvironment.until("what was is seen", () -> faultEnvironment.violates(stage));
            faultEnvironment.nobodyIsAskedToLeave(stage, PAST_DUE);
        }
        Findings.add("R3 restart on a stale list", PAST_DUE, faultEnvironment.isWell(stage), "ViewBehind");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void changes_that_come_twice_or_in_another_order_end_in_what_is() {
        Stage stage = stage("disorder");
        for (ProxyFault proxyFault : List.of(new ProxyFault.Repeat(), new ProxyFault.Swap())) {
            try (FaultProxy.Rule _ = faultEnvironment.proxy().on(NODES.or(PODS).and(WATCHES), proxyFault)) {
                faultEnvironment.breakRule(stage);
                for (int step = 0; step < 10; step++) {
                    stage.label("n2", "step", proxyFault.getClass().getSimpleName() + step);
                }
                faultEnvironment.heal(stage);
            }
            faultEnvironment.until("all is seen", () -> !faultEnvironment.violates(stage));
        }
        Findings.add("R3 changes twice, and swapped", Duration.ZERO, faultEnvironment.isWell(stage), "");
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
                                new ProxyFault.Insert("\u007f\u00ff\u00ff\u00ff\u0000"),
                                "nodes",
                                "a frame of 2147483647 bytes"),
                        new FaultRow(
                                "R16 a watch ends inside a frame",
                                NAMESPACES.and(WATCHES),
                                new ProxyFault.Cut(100, ProxyFault.Manner.AS_IF_IT_WERE_ALL),
                                "namespaces",
                                "the body ends here, too early"),
                        new FaultRow(
                                "R16 a watch breaks inside each frame",
                                PODS.and(WATCHES),
                                new ProxyFault.Cut(100, ProxyFault.Manner.BROKEN),
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
                                new ProxyFault.Expire(Duration.ZERO),
                                "pods",
                                "the API server has forgotten the changes"),
                        new FaultRow(
                                "R16 a list ends early, as if it were all",
                                NAMESPACES.and(HttpHead::isList),
                                new ProxyFault.Cut(200, ProxyFault.Manner.AS_IF_IT_WERE_ALL),
                                "namespaces",
                                "cannot list namespaces: the answer cannot be read"),
                        new FaultRow(
                                "R16 a list breaks",
                                PODS.and(HttpHead::isList),
                                new ProxyFault.Cut(200, ProxyFault.Manner.BROKEN),
                                "pods",
                                "cannot reach the API server to list pods: the connection broke"),
                        new FaultRow(
                                "R16 ERROR of code 500 in a 200",
                                NODES.and(WATCHES),
                                new ProxyFault.Fail(500),
                                "nodes",
                                "the watch of nodes is closed again and again")));
    }

    /** Plays all rows at once, while a rule that was broken heals and something of each kind changes. */
    private void played(String name, Stage stage, List<FaultRow> rows) {
        faultEnvironment.breakRule(stage);
        List<FaultProxy.Rule> rules = new ArrayList<>();
        try {
            rows.forEach(row -> rules.add(faultEnvironment.proxy().on(row.which(), row.done())));
            faultEnvironment.heal(stage);
            stage.labelPod(stage.names("web").getFirst(), "step", name);
            faultEnvironment
                    .client()
                    .namespaces()
                    .withName(stage.namespace())
                    .edit(it -> new NamespaceBuilder(it)
                            .editMetadata()
                            .addToLabels("step", name)
                            .endMetadata()
                            .build());
            faultEnvironment.nobodyIsAskedToLeave(stage, PAST_DUE);
            rows.forEach(row -> faultEnvironment.until(
                    row.line(),
                    () -> faultEnvironment.said("view lost", "\"kind\":\"" + row.kind() + "\"", row.line())));
        } finally {
            rules.forEach(FaultProxy.Rule::close);
        }
        Duration back = faultEnvironment.isWell(stage);
        rows.forEach(row -> Findings.add(row.fault(), PAST_DUE, back, row.line()));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_token_that_is_rotated_is_taken_up_without_a_gap() {
        Duration span = FaultDuration.of(Duration.ofSeconds(9), Duration.ofMinutes(5));
        Duration each = FaultDuration.of(Duration.ofSeconds(3), Duration.ofSeconds(10));
        Stage stage = stage("rotated");
        List<FaultProxy.Rule> refused = new ArrayList<>();
        try {
            String old = faultEnvironment.newToken();
            for (Instant end = faultEnvironment.now().plus(span);
                    faultEnvironment.now().isBefore(end); ) {
                String next = faultEnvironment.newToken();
                String known = "Bearer " + old;
                refused.add(faultEnvironment
                        .proxy()
                        .on(httpHead -> httpHead.header("Authorization").equals(known), ProxyFault.Answer.status(401)));
                faultEnvironment.proxy().cut(WATCHES);
                // The watches of policies and pauses come back later and later, the more often they were cut.
                await("nothing is lost")
                        .pollInterval(Duration.ofMillis(200))
                        .during(each)
                        .atMost(each.plus(Duration.ofMinutes(1)))
                        .untilAsserted(() -> {
                            assertThat(faultEnvironment.sink().lost()).isEmpty();
                            assertThat(faultEnvironment.isReady()).isTrue();
                            assertThat(faultEnvironment.leads()).isTrue();
                        });
                old = next;
            }
            Findings.add(
                    "R19 token rotated, " + refused.size() + " times",
                    span,
                    faultEnvironment.isWell(stage),
                    "no view lost");
        } finally {
            refused.forEach(FaultProxy.Rule::close);
        }
    }
}
