package dev.holdfast.it.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
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
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class FeedFaultsIT {
    /** Past the end of the forgiveness. */
    private static final Duration PAST_DUE = Rig.FORGIVENESS.plusSeconds(3);

    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Predicate<Head> WATCHES = Head::isWatch;
    private static final Predicate<Head> NODES = of("nodes");
    private static final Predicate<Head> PODS = of("pods");

    /** After these the pauses between lists are long for a while, for which the others would have to wait. */
    private static final int LATE = Order.DEFAULT;

    private final Rig rig = new Rig("feed-faults");

    private static Predicate<Head> of(String resource) {
        return head -> head.resource().filter(resource::equals).isPresent();
    }

    @AfterAll
    void end() {
        try {
            rig.nobodyElseLeft();
        } finally {
            rig.close();
        }
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void what_fell_silent_is_not_believed() {
        Duration span = Span.of(PAST_DUE, Duration.ofSeconds(150));
        Stage stage = rig.stage("silent");
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
        Findings.add("R5 watches silent", span, rig.recovers(stage), "ViewBehind");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void watches_that_expire_once_a_second_are_listed_again_less_and_less_often() {
        Duration span = Span.of(PAST_DUE, Duration.ofMinutes(5));
        Stage stage = rig.stage("expired");
        rig.breakRule(stage);
        int before = rig.lists("pods").begun();
        int steps = 0;
        try (FaultProxy.Rule _ = rig.proxy().on(WATCHES, new Fault.Expire(SECOND))) {
            rig.heal(stage);
            for (Instant end = rig.now().plus(span); rig.now().isBefore(end); ) {
                steps++;
                stage.label("n2", "step", Integer.toString(steps));
                rig.nobodyIsAskedToLeave(stage, SECOND);
            }
            assertThat(rig.said("view lost", "pods", "the API server has forgotten the changes"))
                    .isTrue();
        }
        int lists = rig.lists("pods").begun() - before;
        assertThat(lists).isBetween(2, 6 + (int) (span.toSeconds() / 20));
        assertThat(List.of("pods", "nodes", "namespaces"))
                .allSatisfy(kind -> assertThat(rig.lists(kind).mostAtOnce())
                        .as("lists of %s at once", kind)
                        .isOne());
        Findings.add("R4 watches expired each second", span, rig.recovers(stage), lists + " lists of pods");
        assertThat(rig.sink().node(stage.nodeName("n2")).orElseThrow().labels().get("step"))
                .contains(Integer.toString(steps));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_start_from_a_stale_list_that_nothing_follows_is_not_believed() {
        Stage stage = rig.stage("stale");
        rig.breakRule(stage);
        Fault.Answer before = new Fault.Answer(
                200, "Content-Type: application/vnd.kubernetes.protobuf\r\n", rig.protobuf("/api/v1/nodes"));
        rig.heal(stage);
        try (FaultProxy.Rule _ = rig.proxy().on(NODES.and(Head::isList), before);
                FaultProxy.Rule _ = rig.proxy().on(NODES.and(WATCHES), new Fault.Stall())) {
            rig.restartOperator();
            rig.until("what was is seen", () -> rig.violates(stage));
            rig.nobodyIsAskedToLeave(stage, PAST_DUE);
        }
        Findings.add("R3 restart on a stale list", PAST_DUE, rig.recovers(stage), "ViewBehind");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void changes_that_come_twice_or_in_another_order_end_in_what_is() {
        Stage stage = rig.stage("disorder");
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
        Findings.add("R3 changes twice, and swapped", Duration.ZERO, rig.recovers(stage), "");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_frame_that_cannot_be_read_loses_the_view_and_not_the_operator() {
        Duration span = PAST_DUE;
        Stage stage = rig.stage("garbage");
        rig.breakRule(stage);
        try (FaultProxy.Rule _ =
                rig.proxy().on(NODES.and(WATCHES), new Fault.Insert("\u007f\u00ff\u00ff\u00ff\u0000"))) {
            rig.heal(stage);
            rig.nobodyIsAskedToLeave(stage, span);
            assertThat(rig.said("view lost", "nodes", "a change could not be read"))
                    .isTrue();
        }
        Findings.add("R16 a frame of 2 GiB announced", span, rig.recovers(stage), "a change could not be read");
    }

    /** Pods and nodes are answered so; the rest is as ever, so that the policy's status can be written. */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(LATE + 2)
    void who_answers_in_the_api_servers_place_is_quoted_once_and_waited_for() {
        Map<String, Fault> answers = new LinkedHashMap<>();
        answers.put("the API server does not accept our credentials (401) to list pods", Fault.Answer.status(401));
        answers.put(
                "cannot list pods: the answer cannot be read",
                new Fault.Answer(200, "Content-Type: text/html\r\n", "<html>Please sign in</html>"));
        answers.put(
                "the API server answered 502 to list pods: <html>Bad gateway",
                new Fault.Answer(502, "Content-Type: text/html\r\n", "<html>Bad gateway"));
        Duration span = Span.of(PAST_DUE.dividedBy(answers.size()), Duration.ofSeconds(40));
        Stage stage = rig.stage("in-place");
        rig.breakRule(stage);
        int before = rig.lists("pods").begun();
        Instant begun = rig.now();
        String last = "";
        for (Map.Entry<String, Fault> answer : answers.entrySet()) {
            last = answer.getKey();
            try (FaultProxy.Rule _ = rig.proxy().on(NODES.or(PODS), answer.getValue())) {
                rig.proxy().cut(NODES.or(PODS).and(WATCHES));
                rig.heal(stage);
                rig.nobodyIsAskedToLeave(stage, span);
                rig.until("it is said", () -> rig.said("view lost", answer.getKey()));
                rig.until("a condition says why", () -> rig.conditions(stage).contains("not in sight: view "));
            }
        }
        Duration played = Duration.between(begun, rig.now());
        // After a 401 each is sent once more, with a token that is read anew.
        int lists = rig.lists("pods").begun() - before;
        assertThat(lists).as("lists of pods").isBetween(answers.size(), 2 * (8 + (int) (played.toSeconds() / 20)));
        Duration back = rig.recovers(stage);
        assertThat(answers.keySet())
                .allSatisfy(line -> assertThat(rig.times("view lost", line))
                        .as("how often \"%s\" was said", line)
                        .isOne());
        Findings.add("R19, bad input: 401, HTML as 200, 502", played, back, last);
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(LATE + 1)
    void an_api_server_that_cannot_be_reached_is_waited_for() {
        Duration span = Span.of(PAST_DUE, Duration.ofMinutes(2));
        Stage stage = rig.stage("unreachable");
        rig.breakRule(stage);
        rig.proxy().shut();
        try {
            rig.heal(stage);
            rig.nobodyIsAskedToLeave(stage, span);
            assertThat(rig.said("view lost", "cannot reach the API server to list pods"))
                    .isTrue();
        } finally {
            rig.proxy().open();
        }
        Findings.add("bad input: nobody listens", span, rig.recovers(stage), "cannot reach the API server");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void a_token_that_is_rotated_is_taken_up_without_a_gap() {
        Duration span = Span.of(Duration.ofSeconds(9), Duration.ofMinutes(5));
        Duration each = Span.of(Duration.ofSeconds(3), Duration.ofSeconds(10));
        Stage stage = rig.stage("rotated");
        List<FaultProxy.Rule> refused = new ArrayList<>();
        try {
            String old = rig.newToken();
            for (Instant end = rig.now().plus(span); rig.now().isBefore(end); ) {
                String next = rig.newToken();
                String known = "Bearer " + old;
                refused.add(
                        rig.proxy().on(head -> head.header("Authorization").equals(known), Fault.Answer.status(401)));
                rig.proxy().cut(WATCHES);
                await("nothing is lost")
                        .pollInterval(Duration.ofMillis(200))
                        .during(each)
                        .atMost(each.plusSeconds(10))
                        .untilAsserted(() -> {
                            assertThat(rig.sink().lost()).isEmpty();
                            assertThat(rig.isReady()).isTrue();
                            assertThat(rig.leads()).isTrue();
                        });
                old = next;
            }
            Findings.add("R19 token rotated, " + refused.size() + " times", span, rig.recovers(stage), "no view lost");
        } finally {
            refused.forEach(FaultProxy.Rule::close);
        }
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(LATE + 3)
    void a_right_that_is_taken_away_is_named_and_its_return_is_noticed() {
        Duration span = Span.of(PAST_DUE, Duration.ofMinutes(2));
        Stage stage = rig.stage("forbidden");
        rig.breakRule(stage);
        String line = "the right to list pods is missing: grant it to User \\\"" + rig.user() + "\\\"";
        ClusterRole role =
                rig.client().rbac().clusterRoles().withName("holdfast").require();
        try {
            give(withoutPods(role));
            rig.proxy().cut(PODS.and(WATCHES));
            rig.nobodyIsAskedToLeave(stage, span);
            rig.until("a condition says it", () -> rig.conditions(stage).contains(line.replace("\\", "")));
            assertThat(rig.said("view lost", line)).isTrue();
            // Not unseen: the nodes are in sight.
            rig.heal(stage);
        } finally {
            give(role);
        }
        Findings.add(
                "R19 right taken away and given back", span, rig.recovers(stage), "the right to list pods is missing");
    }

    private void give(ClusterRole role) {
        rig.client()
                .rbac()
                .clusterRoles()
                .withName("holdfast")
                .edit(it ->
                        new ClusterRoleBuilder(it).withRules(role.getRules()).build());
    }

    /** As the chart makes it, but for the right to see pods. */
    private static ClusterRole withoutPods(ClusterRole role) {
        return new ClusterRoleBuilder(role)
                .withRules(role.getRules().stream()
                        .map(rule -> rule.getResources().contains("namespaces")
                                ? new PolicyRuleBuilder(rule)
                                        .withResources("nodes", "namespaces")
                                        .build()
                                : rule)
                        .toList())
                .build();
    }
}
