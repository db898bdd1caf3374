package dev.holdfast.it.fault;

import static dev.holdfast.it.fault.Requests.NAMESPACES;
import static dev.holdfast.it.fault.Requests.NODES;
import static dev.holdfast.it.fault.Requests.PODS;
import static dev.holdfast.it.fault.Requests.WATCHES;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.TimeLimits;
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
 * Faults between the operator and its API server. In each case a rule breaks, the operator loses its view, and the rule
 * heals meanwhile. An operator that acts on its last view makes a mistake.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(1)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FeedFaultsIT {
    /** Longer than the forgiveness. */
    private static final Duration PAST_DUE = FaultEnvironment.FORGIVENESS.plusSeconds(3);

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** This test starts another operator, which all later tests use. */
    private static final int FIRST = 1;

    private final FaultEnvironment faultEnvironment = new FaultEnvironment("feed-faults");

    /** At the end the operator enforces the rules on every stage. Only the first fault has restarted it. */
    @AfterAll
    void end() {
        faultEnvironment.finish();
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void whatFellSilentIsNotBelieved() {
        Duration span = FaultDuration.of(PAST_DUE, Duration.ofSeconds(150));
        Stage stage = faultEnvironment.stageWithShortPauses("silent");
        faultEnvironment.breakRule(stage);
        // Not the watches of policies, whose views are lost sooner: the hold would have another reason.
        try (FaultProxy.Rule _ =
                faultEnvironment.proxy().on(NODES.or(PODS).or(NAMESPACES).and(WATCHES), new ProxyFault.Stall())) {
            faultEnvironment.heal(stage);
            faultEnvironment.noEvictionIsRequested(stage, span);
            faultEnvironment.until(
                    "the operator logs the reason",
                    () -> faultEnvironment.said("\"Held\"", "ViewBehind", "\"silent\""));
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
    void watchesThatExpireOnceASecondAreListedAgainLessAndLessOften() {
        Duration span = FaultDuration.of(PAST_DUE, Duration.ofMinutes(5));
        Stage stage = faultEnvironment.stageWithShortPauses("expired");
        faultEnvironment.breakRule(stage);
        int before = faultEnvironment.lists("pods").begun();
        int steps = 0;
        Instant begun = faultEnvironment.now();
        try (FaultProxy.Rule _ = faultEnvironment.proxy().on(WATCHES, new ProxyFault.Expire(SECOND))) {
            faultEnvironment.heal(stage);
            Instant end = begun.plus(span);
            Instant patience = end.plus(TimeLimits.STATE);
            // On a slow machine the second list may arrive later.
            while (faultEnvironment.now().isBefore(end)
                    || (faultEnvironment.lists("pods").begun() - before < 2
                            && faultEnvironment.now().isBefore(patience))) {
                steps++;
                stage.label("n2", "step", Integer.toString(steps));
                faultEnvironment.noEvictionIsRequested(stage, SECOND);
            }
            assertThat(faultEnvironment.said("View lost", "pods", "the API server no longer has the changes"))
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
                        .feedCollector()
                        .node(stage.nodeName("n2"))
                        .orElseThrow()
                        .labels()
                        .get("step"))
                .contains(Integer.toString(steps));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(FIRST)
    void aStartFromAStaleListThatNothingFollowsIsNotBelieved() {
        Stage stage = faultEnvironment.stageWithShortPauses("stale");
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
                    "the other kinds are watched",
                    () -> faultEnvironment.synced("pods") && faultEnvironment.synced("namespaces"));
            faultEnvironment.noEvictionIsRequested(stage, PAST_DUE);
            assertThat(faultEnvironment.synced("nodes"))
                    .as("no watch of nodes is open")
                    .isFalse();
            stall.close();
            faultEnvironment.until("the operator sees the old list", () -> faultEnvironment.violates(stage));
            faultEnvironment.noEvictionIsRequested(stage, PAST_DUE);
        }
        Findings.add("R3 restart on a stale list", PAST_DUE, faultEnvironment.isWell(stage), "ViewBehind");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void changesThatComeTwiceOrInAnotherOrderEndInWhatIs() {
        Stage stage = faultEnvironment.stageWithShortPauses("disorder");
        // No pod is due here, however slow the test is.
        faultEnvironment.hold(stage, Duration.ofHours(1));
        for (ProxyFault proxyFault : List.of(new ProxyFault.Repeat(), new ProxyFault.Swap())) {
            try (FaultProxy.Rule _ = faultEnvironment.proxy().on(NODES.or(PODS).and(WATCHES), proxyFault)) {
                faultEnvironment.breakRule(stage);
                for (int step = 0; step < 10; step++) {
                    stage.label("n2", "step", proxyFault.getClass().getSimpleName() + step);
                }
                faultEnvironment.heal(stage);
            }
            faultEnvironment.until("the violation is over", () -> !faultEnvironment.violates(stage));
        }
        faultEnvironment.hold(stage);
        Findings.add("R3 changes twice, and swapped", Duration.ZERO, faultEnvironment.isWell(stage), "");
    }

    /** Each of the three kinds has its own feed: a fault of one does not delay another. */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void aFrameThatIsCutOrCannotBeReadLosesTheViewAndNotTheOperator() {
        played(
                "frames",
                faultEnvironment.stageWithShortPauses("frames"),
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
                                "the body ends too early"),
                        new FaultRow(
                                "R16 a watch breaks inside each frame",
                                PODS.and(WATCHES),
                                new ProxyFault.Cut(100, ProxyFault.Manner.BROKEN),
                                "pods",
                                "the watch of pods is closed again and again")));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void aListThatIsCutIsNoShortListAndAnErrorIsNoEnd() {
        played(
                "cut",
                faultEnvironment.stageWithShortPauses("cut"),
                List.of(
                        new FaultRow(
                                "R4 a watch expired",
                                NAMESPACES.or(PODS).and(WATCHES),
                                new ProxyFault.Expire(Duration.ZERO),
                                "pods",
                                "the API server no longer has the changes"),
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

    /** Applies all rows at once, while a broken rule heals and an object of each kind changes. */
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
            faultEnvironment.noEvictionIsRequested(stage, PAST_DUE);
            rows.forEach(row -> faultEnvironment.until(
                    row.line(),
                    () -> faultEnvironment.said("View lost", "\"kind\":\"" + row.kind() + "\"", row.line())));
        } finally {
            rules.forEach(FaultProxy.Rule::close);
        }
        Duration back = faultEnvironment.isWell(stage);
        rows.forEach(row -> Findings.add(row.fault(), PAST_DUE, back, row.line()));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void aTokenThatIsRotatedIsTakenUpWithoutAGap() {
        Duration span = FaultDuration.of(Duration.ofSeconds(9), Duration.ofMinutes(5));
        Duration each = FaultDuration.of(Duration.ofSeconds(3), Duration.ofSeconds(10));
        Stage stage = faultEnvironment.stageWithShortPauses("rotated");
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
                // The backoff of the watches of policies and pauses grows with each cut.
                await("no view is lost")
                        .pollInterval(Duration.ofMillis(200))
                        .during(each)
                        .atMost(each.plus(TimeLimits.STATE))
                        .untilAsserted(() -> {
                            assertThat(faultEnvironment.feedCollector().lost()).isEmpty();
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
