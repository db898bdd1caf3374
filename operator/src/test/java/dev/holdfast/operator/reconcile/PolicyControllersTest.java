package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Line;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests that changes of policies reach the engine while watches of the API server fail and status writes hang. */
@Timeout(60)
class PolicyControllersTest {
    private static final PolicyLeader LEADER = PolicyLeader.of("holdfast-0_1", Instant.parse("2026-11-20T12:00:00Z"));

    private static final Duration AT_ONCE = Duration.ofSeconds(3);

    private final BlockingQueue<Event> told = new LinkedBlockingQueue<>();
    private final BlockingQueue<Line> watches = new LinkedBlockingQueue<>();
    private final BlockingQueue<Line> watchesOfPauses = new LinkedBlockingQueue<>();
    private final Semaphore patches = new Semaphore(0);
    private volatile String policies = web(1, "Audit");
    private volatile String pauses = "";
    private volatile boolean refusesWebSockets;
    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);
    private final PolicyReports reports = new PolicyReports();
    private final PolicyRegistry book = new PolicyRegistry(
            new PolicyTranslator(Duration.ofMinutes(5)), told::add, reports::forget, () -> Instant.EPOCH);
    private final StatusScheduler desk = new StatusScheduler(
            reports,
            () -> Optional.of(LEADER),
            Optional::empty,
            () -> InjectionSupport.INSTALLED,
            new Metrics(new SimpleMeterRegistry(), () -> Instant.EPOCH),
            book::uid,
            () -> Instant.EPOCH,
            Duration.ofSeconds(10));
    private final KubernetesClient client = ApiClients.watching(server.connection(), Duration.ofSeconds(5));
    private final PolicyControllers controllers = new PolicyControllers(
            client,
            new StatusWriter(ApiClients.writingStatus(server.connection(), Duration.ofSeconds(5))),
            book,
            reports,
            desk,
            told::add,
            () -> Instant.EPOCH,
            WallClock::notCompared,
            failure -> {
                throw new AssertionError(failure);
            });

    private static String freeze(String reason) {
        return """
            {"apiVersion":"holdfast.dev/v1alpha1","kind":"EnforcementPause","metadata":{\
            "name":"freeze","uid":"p","generation":1,"resourceVersion":"20"},"spec":{"reason":"%s"}}\
            """.formatted(reason);
    }

    private static Event paused(String reason) {
        return new Event.PauseChanged(Pause.ofEverything("freeze", reason));
    }

    private static String web(long generation, String mode) {
        return """
            {"apiVersion":"holdfast.dev/v1alpha1","kind":"PlacementPolicy","metadata":{"namespace":"shop",\
            "name":"web","uid":"a","generation":%s,"resourceVersion":"%s"},"spec":{"mode":"%s"}}\
            """.formatted(generation, generation + 10, mode);
    }

    /** Responds as a fake API server that never answers a status write. */
    private Reply answer(Request request) {
        boolean namespaced = request.target().contains("/placementpolicies");
        boolean ofPauses = request.target().contains("/enforcementpauses");
        if (request.method().equals("PATCH")) {
            if (!ofPauses) {
                patches.release();
            }
            return new Reply.StaysSilent();
        }
        if (request.isWatch() && refusesWebSockets) {
            return new Reply.Says(503, "{}");
        }
        if (request.isWatch()) {
            return new Reply.Opens(line -> {
                if (namespaced) {
                    watches.add(line);
                }
                if (ofPauses) {
                    watchesOfPauses.add(line);
                }
            });
        }
        return new Reply.Says(
                200, """
                    {"apiVersion":"holdfast.dev/v1alpha1","kind":"%s","metadata":{"resourceVersion":"100"},"items":[%s]}\
                    """.formatted(kind(namespaced, ofPauses), ofPauses ? pauses : namespaced ? policies : ""));
    }

    private static String kind(boolean namespaced, boolean ofPauses) {
        if (ofPauses) {
            return "EnforcementPauseList";
        }
        return namespaced ? "PlacementPolicyList" : "ClusterPlacementPolicyList";
    }

    private Event next(Duration within) throws InterruptedException {
        return Optional.ofNullable(told.poll(within.toMillis(), TimeUnit.MILLISECONDS))
                .orElseThrow(() -> new AssertionError("nothing came within " + within));
    }

    /** Starts the controllers, waits until a status write hangs, and returns the open watch of PlacementPolicies. */
    private Line startAndHang() throws InterruptedException {
        controllers.start();
        assertThat(next(Duration.ofSeconds(20))).isInstanceOf(Event.PolicyChanged.class);
        assertThat(List.of(next(Duration.ofSeconds(20)), next(Duration.ofSeconds(20))))
                .containsExactlyInAnyOrder(new Event.ViewSynced(View.POLICIES), new Event.ViewSynced(View.PAUSES));
        assertThat(patches.tryAcquire(20, TimeUnit.SECONDS)).isTrue();
        return Optional.ofNullable(watches.poll(20, TimeUnit.SECONDS)).orElseThrow();
    }

    @AfterEach
    void close() {
        controllers.close();
        server.close();
        assertThat(client.getHttpClient().isClosed()).isTrue();
    }

    @Test
    void theirConnectionIsClosedWithThemAlsoWhereTheyWereNeverStarted() {
        controllers.close();

        assertThat(client.getHttpClient().isClosed()).isTrue();
    }

    @Test
    void aPolicyThatIsDisabledWhileItsStatusHangsStopsAtOnce() throws Exception {
        startAndHang().send("MODIFIED", web(2, "Disabled"));

        assertThat(next(AT_ONCE))
                .isInstanceOfSatisfying(
                        Event.PolicyChanged.class,
                        changed -> assertThat(changed.policy().mode()).isEqualTo(Mode.DISABLED));
    }

    @Test
    void aPolicyThatIsDeletedWhileItsStatusHangsIsGoneAtOnce() throws Exception {
        startAndHang().send("DELETED", web(1, "Audit"));

        assertThat(next(AT_ONCE)).isEqualTo(new Event.PolicyRemoved(Samples.POLICY));
    }

    @Test
    void aStatusThatHangsIsGivenUpAfterFiveSecondsAndNotSentAgainByTheClient() throws InterruptedException {
        startAndHang();

        assertThat(patches.tryAcquire(3, TimeUnit.SECONDS))
                .as("given five seconds")
                .isFalse();
        assertThat(patches.tryAcquire(10, TimeUnit.SECONDS))
                .as("tried again by the reconciler")
                .isTrue();
    }

    @Test
    void noThreadLooksAHundredTimesASecondWhetherATaskIsDue() throws InterruptedException {
        startAndHang();

        assertThat(Thread.getAllStackTraces().values())
                .flatExtracting(Arrays::asList)
                .filteredOn(frame -> frame.getClassName().endsWith("$DelayedWorkQueue"))
                .extracting(StackTraceElement::getMethodName)
                .contains("take")
                .doesNotContain("poll");
    }

    @Test
    void aPolicyThatWasDeletedWhileTheApiServerWasAwayIsGoneBeforeTheViewIsSynced() throws Exception {
        Line watch = startAndHang();
        policies = "";
        watch.send("ERROR", """
            {"apiVersion":"v1","kind":"Status","status":"Failure","code":410,"message":"too old resource version"}\
            """);

        assertThat(next(Duration.ofSeconds(20))).isEqualTo(new Event.PolicyRemoved(Samples.POLICY));
    }

    @Test
    void aWatchThatGetsNoWebSocketIsNotReplacedByOneOverHttpAndTheViewIsLost() throws Exception {
        Line watch = startAndHang();
        refusesWebSockets = true;
        watch.end();

        assertThat(next(Duration.ofSeconds(20))).isInstanceOf(Event.ViewLost.class);
        assertThat(server.received()).filteredOn(Request::isWatch).allMatch(Request::webSocket);
    }

    @Test
    void allPausesAreToldBeforeTheirViewIsSynced() throws Exception {
        pauses = freeze("stop");
        controllers.start();
        List<Event> first = new ArrayList<>();
        while (!first.contains(new Event.ViewSynced(View.PAUSES))) {
            first.add(next(Duration.ofSeconds(20)));
        }

        assertThat(first).contains(paused("stop"));
    }

    @Test
    void aPauseIsToldAtOnceAndSoIsItsEndThoughEveryStatusHangs() throws Exception {
        startAndHang();
        Line watch =
                Optional.ofNullable(watchesOfPauses.poll(20, TimeUnit.SECONDS)).orElseThrow();

        watch.send("ADDED", freeze("stop"));
        assertThat(next(AT_ONCE)).isEqualTo(paused("stop"));
        watch.send("DELETED", freeze("stop"));
        assertThat(next(AT_ONCE)).isEqualTo(new Event.PauseRemoved("freeze"));
    }

    @Test
    void whenTheirWatchIsDownTheViewOfPausesIsLostAndThatOfPoliciesIsNot() throws Exception {
        startAndHang();
        Line watch =
                Optional.ofNullable(watchesOfPauses.poll(20, TimeUnit.SECONDS)).orElseThrow();
        refusesWebSockets = true;
        watch.end();

        assertThat(next(Duration.ofSeconds(20))).isInstanceOfSatisfying(Event.ViewLost.class, lost -> {
            assertThat(lost.view()).isEqualTo(View.PAUSES);
            assertThat(lost.why()).isEqualTo("the watch of the pauses is down");
        });
    }
}
