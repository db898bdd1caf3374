package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.MetricsSettings;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order an operator that stops ends what it does. */
class OperatorStopTest {
    private static final String FREE_LEASE = """
        {"apiVersion":"coordination.k8s.io/v1","kind":"Lease","metadata":{"name":"holdfast"},"spec":{}}\
        """;

    private static final String POLICY = """
        {"apiVersion":"holdfast.dev/v1alpha1","kind":"PlacementPolicy","metadata":{"namespace":"shop",\
        "name":"web","uid":"a","generation":1,"resourceVersion":"10"},"spec":{}}\
        """;

    private final AtomicLong nanos = new AtomicLong();
    private final CountDownLatch writing = new CountDownLatch(1);
    private final CountDownLatch stopping = new CountDownLatch(1);
    private final CountDownLatch released = new CountDownLatch(1);
    private final List<String> ended = new CopyOnWriteArrayList<>();
    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);

    @AfterEach
    void close() {
        server.close();
    }

    private Reply answer(Request request) {
        String path = request.target().replaceFirst("\\?.*", "");
        if (path.contains("/leases")) {
            return new Reply.Says(200, lease(request));
        }
        if (request.method().equals("PATCH")) {
            return status();
        }
        if (path.startsWith("/apis/holdfast.dev/v1alpha1/")) {
            return request.isWatch() ? new Reply.Opens(_ -> {}) : new Reply.Says(200, list(path));
        }
        return switch (path) {
            case "/version" -> new Reply.Says(200, "{\"major\": \"1\", \"minor\": \"37\"}");
            case "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/placementpolicies.holdfast.dev" ->
                new Reply.Says(200, "{\"metadata\": {}}");
            default -> new Reply.Says(404, "{}");
        };
    }

    private static String list(String path) {
        String kind = switch (path.substring(path.lastIndexOf('/') + 1)) {
            case "placementpolicies" -> "PlacementPolicyList";
            case "clusterplacementpolicies" -> "ClusterPlacementPolicyList";
            default -> "EnforcementPauseList";
        };
        return """
            {"apiVersion":"holdfast.dev/v1alpha1","kind":"%s","metadata":{"resourceVersion":"100"},"items":[%s]}\
            """.formatted(kind, kind.equals("PlacementPolicyList") ? POLICY : "");
    }

    private String lease(Request request) {
        if (!request.method().equals("PUT")) {
            // A replica that could not act takes a free lease after 5 s.
            nanos.addAndGet(TimeUnit.SECONDS.toNanos(6));
            return FREE_LEASE;
        }
        if (request.body().contains("\"holderIdentity\":\"\"")) {
            ended.add("lease");
            released.countDown();
        }
        return request.body();
    }

    /** Answers the write of a status when the operator stops and has released the lease, or after 200 ms. */
    private Reply status() {
        writing.countDown();
        try {
            stopping.await();
            boolean _ = released.await(200, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        ended.add("status");
        return new Reply.Says(200, POLICY);
    }

    /** Otherwise the last status could replace one of the next leader. */
    @Test
    void theLeaseIsReleasedAfterTheLastStatusIsWritten() throws Exception {
        SteadyClock clock = new SteadyClock(() -> Instant.EPOCH.plusNanos(nanos.get()), nanos::get);
        try (Operator operator =
                Operator.start(server.connection(), config(), OperatorOptions.embedded(clock, "me", _ -> {}))) {
            try {
                assertThat(writing.await(30, TimeUnit.SECONDS)).isTrue();
                assertThat(operator.leads()).isTrue();
            } finally {
                stopping.countDown();
            }
        }

        assertThat(ended).containsExactly("status", "lease");
    }

    private static OperatorConfig config() {
        OperatorConfig defaults = OperatorConfig.defaults();
        return new OperatorConfig(
                defaults.defaultForgiveness(),
                defaults.maxMode(),
                defaults.protectedNamespaces(),
                defaults.schedulerNames(),
                defaults.exemptNamespaces(),
                defaults.operatorLimits(),
                defaults.replacementTimes(),
                defaults.brakes(),
                defaults.lease(),
                defaults.scheduling(),
                0,
                new MetricsSettings(0, false, Optional.empty(), false),
                defaults.logLevel(),
                defaults.logFormat());
    }
}
