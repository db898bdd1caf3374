package dev.holdfast.operator.evict;

import static dev.holdfast.operator.evict.RequestMode.DRY_RUN;
import static dev.holdfast.operator.evict.RequestMode.REAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.evict.FakeEvictionApi.Wire;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class EvictorTest {
    private static final Duration PATIENT = Duration.ofSeconds(20);
    private static final Duration IMPATIENT = Duration.ofMillis(500);
    private static final String BUDGET = "The disruption budget web needs 2 healthy pods and has 2 currently";
    private static final String SEVERAL =
            "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support.";

    private static final String WEBHOOK_TEXT =
            "admission webhook \"guard.example.com\" denied the request: not today. ";

    private static final EvictionRequest REQUEST = new EvictionRequest(
            "p-1",
            new NamespacedName("shop", "web-1"),
            "u-1",
            OptionalLong.of(4711),
            PolicyId.namespaced("shop", "web"),
            "ssd",
            new RuleIdentity("0123456789abcdef"),
            "label disk of node-12 changed from ssd to hdd",
            Instant.parse("2026-11-20T15:42:10Z"));

    static Stream<Arguments> refusals() {
        return Stream.of(
                argumentSet(
                        "201 that carries a failure: several budgets",
                        Replies.SEVERAL_BUDGETS_AS_201,
                        new EvictionAnswer.SeveralBudgets(SEVERAL)),
                argumentSet(
                        "500 that names several budgets",
                        Replies.SEVERAL_BUDGETS,
                        new EvictionAnswer.SeveralBudgets(SEVERAL)),
                argumentSet(
                        "429 with cause DisruptionBudget names the budget",
                        Replies.OUT_OF_BUDGET,
                        new EvictionAnswer.OutOfBudget(BUDGET, Optional.empty())),
                argumentSet(
                        "429 for a budget that its controller has not processed has a Retry-After",
                        Replies.BUDGET_NOT_LOOKED_AT,
                        new EvictionAnswer.OutOfBudget(
                                "The disruption budget web is still being processed by the server.",
                                Optional.of(Duration.ofSeconds(10)))),
                argumentSet(
                        "403 of a budget below zero is about the budget, not about a missing right",
                        Replies.BUDGET_NEGATIVE,
                        new EvictionAnswer.OutOfBudget(
                                "poddisruptionbudget.policy \"web\" is forbidden: pdb disruptions allowed is negative",
                                Optional.empty())),
                argumentSet(
                        "403 with cause DisruptionBudget",
                        Replies.BUDGET_MAP_TOO_BIG,
                        new EvictionAnswer.OutOfBudget(
                                "poddisruptionbudget.policy \"web\" is forbidden: DisruptedPods map too big - too many"
                                        + " evictions not confirmed by PDB controller",
                                Optional.empty())),
                argumentSet(
                        "429 in plain text is priority and fairness",
                        Replies.THROTTLED,
                        new EvictionAnswer.Throttled(Optional.of(Duration.ofSeconds(1)))),
                argumentSet(
                        "429 without that cause is throttling",
                        Replies.THROTTLED_IN_JSON,
                        new EvictionAnswer.Throttled(Optional.of(Duration.ofSeconds(7)))),
                argumentSet("404 of the pod", Replies.GONE, new EvictionAnswer.Gone()),
                argumentSet("404 of its namespace", Replies.NO_SUCH_NAMESPACE, new EvictionAnswer.Gone()),
                argumentSet(
                        "404 of the API does not mean that the pod is gone",
                        Replies.NO_SUCH_API,
                        new EvictionAnswer.Failed("404: the server could not find the requested resource")),
                argumentSet(
                        "409",
                        Replies.ANOTHER_UID,
                        new EvictionAnswer.Conflict("Operation cannot be fulfilled on pods \"web-1\": the UID in the"
                                + " precondition (u-1) does not match the UID in record (u-2). The object might have"
                                + " been deleted and then recreated")),
                argumentSet(
                        "403 with cause NamespaceTerminating",
                        Replies.NAMESPACE_TERMINATING,
                        new EvictionAnswer.NamespaceTerminating()),
                argumentSet(
                        "403 of RBAC",
                        Replies.NOT_ALLOWED,
                        new EvictionAnswer.Forbidden(
                                "pods \"web-1\" is forbidden: User \"system:serviceaccount:hf:holdfast\" cannot create"
                                        + " resource \"pods/eviction\" in API group \"\" in the namespace \"shop\"")),
                argumentSet(
                        "403 of an admission plugin",
                        Replies.DENIED_BY_PLUGIN,
                        new EvictionAnswer.RefusedByAdmission("pods \"web-1\" is forbidden: not today")),
                argumentSet(
                        "403 of a webhook",
                        Replies.deniedByWebhook(403),
                        new EvictionAnswer.RefusedByAdmission(
                                "admission webhook \"guard.example.com\" denied the request: not today")),
                argumentSet(
                        "the text of a webhook is cut off after 1,024 characters",
                        new FakeEvictionApi.Wire.Says(
                                403,
                                "",
                                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\""
                                        + WEBHOOK_TEXT.repeat(100).replace("\"", "\\\"") + "\",\"code\":403}"),
                        new EvictionAnswer.RefusedByAdmission(
                                WEBHOOK_TEXT.repeat(100).substring(0, 1_024) + "...")),
                argumentSet(
                        "429 of a webhook is not throttling",
                        Replies.deniedByWebhook(429),
                        new EvictionAnswer.RefusedByAdmission(
                                "admission webhook \"guard.example.com\" denied the request: not today")),
                argumentSet(
                        "404 of a webhook does not mean that the pod is gone",
                        Replies.deniedByWebhook(404),
                        new EvictionAnswer.RefusedByAdmission(
                                "admission webhook \"guard.example.com\" denied the request: not today")),
                argumentSet(
                        "422 of a ValidatingAdmissionPolicy",
                        Replies.DENIED_BY_POLICY,
                        new EvictionAnswer.RefusedByAdmission(
                                "pods \"web-1\" is forbidden: ValidatingAdmissionPolicy 'guard' with binding 'guard'"
                                        + " denied request: shop is closed")),
                argumentSet(
                        "400 of a webhook that does not support dry run",
                        Replies.NO_DRY_RUN,
                        new EvictionAnswer.DryRunUnsupported(
                                "admission webhook \"guard.example.com\" does not support dry run")),
                argumentSet(
                        "any other 400",
                        Replies.NAMES_DIFFER,
                        new EvictionAnswer.Failed("400: name in URL does not match name in Eviction object")),
                argumentSet(
                        "500 of a webhook that is down comes before the deletion",
                        Replies.WEBHOOK_DOWN,
                        new EvictionAnswer.Failed("500: Internal error occurred: failed calling webhook"
                                + " \"guard.example.com\": connection refused")),
                argumentSet(
                        "504 of the budget's update comes before the deletion",
                        Replies.BUDGET_CONTESTED,
                        new EvictionAnswer.Failed(
                                "504: Timeout: couldn't update PodDisruptionBudget \"web\" due to conflicts")));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusedDryRunIsTheAnswerAndIsNotRepeated(Wire reply, EvictionAnswer expected) {
        try (FakeEvictionApi server = new FakeEvictionApi(reply, Replies.EVICTED);
                Evictor evictor = new Evictor(server.connection(), _ -> true, PATIENT)) {
            assertThat(evictor.dryRun(REQUEST)).isEqualTo(expected);
            assertThat(server.requestModes()).containsExactly(DRY_RUN);
        }
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusedRealRequestIsTheAnswerAndIsNotRepeated(Wire reply, EvictionAnswer expected) {
        try (FakeEvictionApi server = new FakeEvictionApi(Replies.EVICTED, reply);
                Evictor evictor = new Evictor(server.connection(), _ -> true, PATIENT)) {
            assertThat(evictor.evict(REQUEST)).isEqualTo(expected);
            assertThat(server.requestModes()).containsExactly(REAL);
        }
    }

    static Stream<Arguments> uncertain() {
        return Stream.of(
                argumentSet("no answer in time", new Wire.StaysSilent(), "no answer within 500 ms"),
                argumentSet("a connection cut after the request", new Wire.Cuts(), "no answer: "),
                argumentSet("504 of the whole request", Replies.TIMED_OUT, "504: Timeout: request did not complete"),
                argumentSet(
                        "500 of etcd, which may have written nevertheless",
                        Replies.ETCD_TIMED_OUT,
                        "500: etcdserver: request timed out"),
                argumentSet(
                        "503 of an API server that is stopping",
                        Replies.UNAVAILABLE,
                        "503: the server is currently unable to handle the request"),
                argumentSet(
                        "201 that carries an unknown failure",
                        Replies.FAILURE_AS_201,
                        "500: etcdserver: request timed out"),
                argumentSet("502 of a proxy", Replies.PROXY_DOWN, "502 <html>Bad Gateway</html>"),
                argumentSet(
                        "201 with a body that is not a Status",
                        new Wire.Says(201, "", "{\"kind\":\"Eviction\"}"),
                        "HTTP 201 with a body that is not a Status"),
                argumentSet(
                        "201 without a body", new Wire.Says(201, "", ""), "HTTP 201 with a body that is not a Status"));
    }

    @ParameterizedTest
    @MethodSource("uncertain")
    void whatMayHaveHappenedInADryRunHasFailed(Wire reply, String message) {
        try (FakeEvictionApi server = new FakeEvictionApi(reply, Replies.EVICTED);
                Evictor evictor = new Evictor(server.connection(), _ -> true, IMPATIENT)) {
            EvictionAnswer answer = evictor.dryRun(REQUEST);

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            EvictionAnswer.Failed.class,
                            failed -> assertThat(failed.message())
                                    .startsWith("dry run: " + message)
                                    .endsWith("; no eviction was sent"));
            assertThat(server.requestModes()).containsExactly(DRY_RUN);
        }
    }

    @ParameterizedTest
    @MethodSource("uncertain")
    void whatMayHaveHappenedForRealIsUnknownAndIsNotRepeated(Wire reply, String message) {
        try (FakeEvictionApi server = new FakeEvictionApi(Replies.EVICTED, reply);
                Evictor evictor = new Evictor(server.connection(), _ -> true, IMPATIENT)) {
            EvictionAnswer answer = evictor.evict(REQUEST);

            assertThat(answer)
                    .isInstanceOfSatisfying(
                            EvictionAnswer.Unknown.class,
                            unknown -> assertThat(unknown.message()).startsWith(message));
            assertThat(server.requestModes()).containsExactly(REAL);
        }
    }

    @Test
    void bothRequestsSayWhomOnWhatConditionsAndWhy() throws Exception {
        try (FakeEvictionApi server = new FakeEvictionApi(Replies.EVICTED, Replies.EVICTED);
                Evictor evictor = new Evictor(server.connection(), _ -> true, PATIENT)) {
            assertThat(evictor.dryRun(REQUEST)).isEqualTo(new EvictionAnswer.Evicted());
            assertThat(evictor.evict(REQUEST)).isEqualTo(new EvictionAnswer.Evicted());

            String body = """
                {"apiVersion":"policy/v1","kind":"Eviction",
                 "metadata":{"namespace":"shop","name":"web-1","annotations":{
                   "holdfast.dev/plan":"p-1",
                   "holdfast.dev/policy":"shop/web",
                   "holdfast.dev/rule":"ssd",
                   "holdfast.dev/cause":"label disk of node-12 changed from ssd to hdd",
                   "holdfast.dev/since":"2026-11-20T15:42:10Z"}},
                 "deleteOptions":{%s"apiVersion":"v1","kind":"DeleteOptions",
                   "preconditions":{"uid":"u-1","resourceVersion":"4711"}}}\
                """;
            String line = "POST /api/v1/namespaces/shop/pods/web-1/eviction";
            ObjectMapper json = new ObjectMapper();
            assertThat(server.received())
                    .containsExactly(
                            new FakeEvictionApi.Received(line, json.readTree(body.formatted("\"dryRun\":[\"All\"],"))),
                            new FakeEvictionApi.Received(line, json.readTree(body.formatted(""))));
        }
    }

    @Test
    void aRequestByUidAloneNamesNoVersion() throws Exception {
        try (FakeEvictionApi server = new FakeEvictionApi(Replies.EVICTED, Replies.EVICTED);
                Evictor evictor = new Evictor(server.connection(), _ -> true, PATIENT)) {
            evictor.evict(new EvictionRequest(
                    REQUEST.planId(),
                    REQUEST.pod(),
                    REQUEST.uid(),
                    OptionalLong.empty(),
                    REQUEST.policy(),
                    REQUEST.rule(),
                    REQUEST.identity(),
                    REQUEST.cause(),
                    REQUEST.since()));

            assertThat(server.received())
                    .extracting(received -> received.body()
                            .path("deleteOptions")
                            .path("preconditions")
                            .toString())
                    .containsExactly("{\"uid\":\"u-1\"}");
        }
    }

    @Test
    void nothingIsSentWhereTheFenceIsClosed() {
        try (FakeEvictionApi server = new FakeEvictionApi(Replies.EVICTED, Replies.EVICTED);
                Evictor evictor = new Evictor(server.connection(), _ -> false, PATIENT)) {
            assertThat(evictor.dryRun(REQUEST)).isInstanceOf(EvictionAnswer.NotSent.class);
            assertThat(evictor.evict(REQUEST)).isInstanceOf(EvictionAnswer.NotSent.class);
            assertThat(server.received()).isEmpty();
        }
    }

    @Test
    void theFenceIsAskedBeforeEachRequestForAsLongAsTheRequestMayTake() {
        List<Duration> asked = new ArrayList<>();
        try (FakeEvictionApi server = new FakeEvictionApi(Replies.EVICTED, Replies.EVICTED);
                Evictor evictor = new Evictor(server.connection(), asked::add, PATIENT)) {
            evictor.dryRun(REQUEST);
            evictor.evict(REQUEST);

            assertThat(asked).containsExactly(PATIENT, PATIENT);
        }
    }

    @Test
    void anApiServerThatCannotBeReachedIsAFailureOfTheDryRun() {
        FakeEvictionApi server = new FakeEvictionApi(Replies.EVICTED, Replies.EVICTED);
        server.close();
        try (Evictor evictor = new Evictor(server.connection(), _ -> true, PATIENT)) {
            assertThat(evictor.dryRun(REQUEST)).isInstanceOf(EvictionAnswer.Failed.class);
        }
    }
}
