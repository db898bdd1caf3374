package dev.holdfast.it.fault;

import static dev.holdfast.it.fault.Requests.NAMESPACES;
import static dev.holdfast.it.fault.Requests.NODES;
import static dev.holdfast.it.fault.Requests.PODS;
import static dev.holdfast.it.fault.Requests.WATCHES;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.authorization.v1.SubjectAccessReviewBuilder;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import io.fabric8.kubernetes.api.model.rbac.ClusterRoleBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * Error answers of the API server, or of a gateway in front of it. The cases are like those of {@link FeedFaultsIT}.
 *
 * <p>The order matters: some cases end with long pauses between lists, and a case after them would wait for these
 * pauses.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class ApiServerFaultsIT {
    /** Longer than the forgiveness. */
    private static final Duration PAST_DUE = FaultEnvironment.FORGIVENESS.plusSeconds(3);

    private final FaultEnvironment faultEnvironment = new FaultEnvironment("api-server-faults");

    /** At the end the operator enforces the rules on every stage. */
    @AfterAll
    void end() {
        faultEnvironment.finish();
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(1)
    void aServerThatAsksForPatienceIsNotAskedAgainBefore() {
        Duration patience = Duration.ofSeconds(9);
        Stage stage = faultEnvironment.stageWithShortPauses("patience");
        faultEnvironment.breakRule(stage);
        int before = faultEnvironment.lists("nodes").begun();
        String line = "the API server, or a proxy in front of it, answered 429 to list nodes: too much";
        try (FaultProxy.Rule _ = faultEnvironment.proxy().on(NODES.and(WATCHES), new ProxyFault.Expire(Duration.ZERO));
                FaultProxy.Rule _ = faultEnvironment
                        .proxy()
                        .on(
                                NODES.and(HttpHead::isList),
                                new ProxyFault.Answer(
                                        429, "Retry-After: " + patience.toSeconds() + "\r\n", "too much"))) {
            faultEnvironment.heal(stage);
            faultEnvironment.until("the operator logs the answer", () -> faultEnvironment.said("View lost", line));
            faultEnvironment.noEvictionIsRequested(stage, PAST_DUE);
            faultEnvironment.until(
                    "the operator lists nodes again",
                    () -> faultEnvironment.lists("nodes").begun() > before + 1);
            List<Instant> lists = faultEnvironment.lists("nodes").begins();
            assertThat(lists.get(before + 1)).isAfterOrEqualTo(lists.get(before).plus(patience));
        }
        Findings.add("bad input: 429 with Retry-After", patience, faultEnvironment.isWell(stage), line);
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(2)
    void anApiServerInTroubleIsQuotedOnceAndWaitedFor() {
        List<FaultRow> rows = List.of(
                new FaultRow(
                        "bad input: 404",
                        PODS,
                        ProxyFault.Answer.status(404),
                        "pods",
                        "the API server does not serve pods"),
                new FaultRow(
                        "bad input: 500",
                        NODES,
                        new ProxyFault.Answer(500, "", "it went wrong"),
                        "nodes",
                        "the API server, or a proxy in front of it, answered 500 to list nodes: it went wrong"),
                new FaultRow(
                        "bad input: 503",
                        NAMESPACES,
                        new ProxyFault.Answer(503, "", "not now"),
                        "namespaces",
                        "the API server, or a proxy in front of it, answered 503 to list namespaces: not now"));
        answered(faultEnvironment.stageWithShortPauses("in-trouble"), rows, () -> {});
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(2)
    void anApiServerThatCannotBeReachedIsWaitedFor() {
        Duration span = FaultDuration.of(PAST_DUE, Duration.ofMinutes(2));
        Stage stage = faultEnvironment.stageWithShortPauses("unreachable");
        faultEnvironment.breakRule(stage);
        faultEnvironment.proxy().shut();
        try {
            faultEnvironment.heal(stage);
            faultEnvironment.noEvictionIsRequested(stage, span);
            faultEnvironment.until(
                    "the operator logs the reason",
                    () -> faultEnvironment.said("View lost", "cannot reach the API server to list pods"));
        } finally {
            faultEnvironment.proxy().open();
        }
        Findings.add("bad input: no listener", span, faultEnvironment.isWell(stage), "cannot reach the API server");
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(3)
    void whoAnswersInTheApiServersPlaceIsQuotedOnceAndInTheConditions() {
        List<FaultRow> rows = List.of(
                new FaultRow(
                        "R19 401",
                        PODS,
                        ProxyFault.Answer.status(401),
                        "pods",
                        "the API server does not accept our credentials (401) to list pods"),
                new FaultRow(
                        "bad input: HTML as 200",
                        NODES,
                        new ProxyFault.Answer(200, "Content-Type: text/html\r\n", "<html>Please sign in</html>"),
                        "nodes",
                        "cannot list nodes: the answer cannot be read"),
                new FaultRow(
                        "bad input: HTML as 502",
                        NAMESPACES,
                        new ProxyFault.Answer(502, "Content-Type: text/html\r\n", "<html>Bad gateway"),
                        "namespaces",
                        "the API server, or a proxy in front of it, answered 502 to list namespaces: <html>Bad"
                                + " gateway"));
        Stage stage = faultEnvironment.stageWithShortPauses("in-place");
        answered(
                stage,
                rows,
                () -> faultEnvironment.until(
                        "a condition gives the reason",
                        () -> rows.stream()
                                .map(row -> "incomplete or outdated: view " + row.kind() + ": " + row.line())
                                .anyMatch(faultEnvironment.conditions(stage)::contains)));
    }

    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    @Order(4)
    void aRightThatIsTakenAwayIsNamedAndItsReturnIsNoticed() {
        Duration span = FaultDuration.of(PAST_DUE, Duration.ofMinutes(2));
        Stage stage = faultEnvironment.stageWithShortPauses("forbidden");
        faultEnvironment.breakRule(stage);
        String line = "the right to list pods is missing: grant it to User \\\"" + faultEnvironment.user() + "\\\"";
        ClusterRole role = faultEnvironment
                .client()
                .rbac()
                .clusterRoles()
                .withName("holdfast")
                .require();
        try {
            give(withoutPods(role));
            // A role is out of effect some time after its change.
            faultEnvironment.until("the right is gone", () -> !mayListPods());
            faultEnvironment.proxy().cut(PODS.and(WATCHES));
            faultEnvironment.noEvictionIsRequested(stage, span);
            faultEnvironment.until(
                    "a condition gives the reason",
                    () -> faultEnvironment.conditions(stage).contains(line.replace("\\", "")));
            assertThat(faultEnvironment.said("View lost", line)).isTrue();
            // Not isWell: the view of pods is lost, and only the nodes are still watched.
            faultEnvironment.heal(stage);
        } finally {
            give(role);
        }
        Findings.add(
                "R19 right taken away and given back",
                span,
                faultEnvironment.isWell(stage),
                "the right to list pods is missing");
    }

    /**
     * Applies the faults to requests for pods, nodes and namespaces only, so that the operator can write the policy's
     * status.
     */
    private void answered(Stage stage, List<FaultRow> rows, Runnable meanwhile) {
        Duration span = FaultDuration.of(PAST_DUE, Duration.ofSeconds(40));
        faultEnvironment.breakRule(stage);
        Map<String, Integer> before = new HashMap<>();
        rows.forEach(
                row -> before.put(row.kind(), faultEnvironment.lists(row.kind()).begun()));
        Instant begun = faultEnvironment.now();
        List<FaultProxy.Rule> rules = new ArrayList<>();
        try {
            rows.forEach(row -> rules.add(faultEnvironment.proxy().on(row.which(), row.done())));
            faultEnvironment.proxy().cut(NODES.or(PODS).or(NAMESPACES).and(WATCHES));
            faultEnvironment.heal(stage);
            faultEnvironment.noEvictionIsRequested(stage, span);
            rows.forEach(
                    row -> faultEnvironment.until(row.line(), () -> faultEnvironment.said("View lost", row.line())));
            meanwhile.run();
        } finally {
            rules.forEach(FaultProxy.Rule::close);
        }
        Duration played = Duration.between(begun, faultEnvironment.now());
        Duration back = faultEnvironment.isWell(stage);
        rows.forEach(row -> {
            // After a 401 the operator repeats each request once with a token that it reads again.
            assertThat(faultEnvironment.lists(row.kind()).begun() - Objects.requireNonNull(before.get(row.kind())))
                    .as("lists of " + row.kind())
                    .isBetween(1, 2 * (8 + (int) (played.toSeconds() / 20)));
            assertThat(faultEnvironment.times("View lost", row.line()))
                    .as("how often the operator logged \"%s\"", row.line())
                    .isOne();
            Findings.add(row.fault(), played, back, row.line());
        });
    }

    private boolean mayListPods() {
        return faultEnvironment
                .client()
                .authorization()
                .v1()
                .subjectAccessReview()
                .create(new SubjectAccessReviewBuilder()
                        .withNewSpec()
                        .withUser(faultEnvironment.user())
                        .withNewResourceAttributes()
                        .withVerb("list")
                        .withResource("pods")
                        .endResourceAttributes()
                        .endSpec()
                        .build())
                .getStatus()
                .getAllowed();
    }

    private void give(ClusterRole role) {
        faultEnvironment
                .client()
                .rbac()
                .clusterRoles()
                .withName("holdfast")
                .edit(it ->
                        new ClusterRoleBuilder(it).withRules(role.getRules()).build());
    }

    /** The chart's role without the right to list pods. */
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
