package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.status.PauseStatus;
import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.translate.PauseTranslator;
import dev.holdfast.policies.plan.controls.WallClock;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the status of a pause, and when the pause is reconciled again. */
class PauseReconcilerTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final WallClock RIGHT = WallClock.trusted(Duration.ZERO);

    private static EnforcementPause pause(String spec) {
        return PauseStoreTest.pause("freeze", "a", "spec: " + spec);
    }

    /** {@return each condition as {@code type status reason: message}} */
    private static List<String> conditions(PauseStatus status) {
        return status.conditions().stream()
                .map(it -> it.type() + " " + it.status() + " " + it.reason() + ": " + it.message())
                .toList();
    }

    private static PauseStatus written(UpdateControl<EnforcementPause> control) {
        return control.getResource().orElseThrow().getStatus();
    }

    private static OptionalLong waits(UpdateControl<EnforcementPause> control) {
        return control.getScheduleDelay().map(OptionalLong::of).orElseGet(OptionalLong::empty);
    }

    static Stream<Arguments> statuses() {
        String honoured = "Ready True Honoured: checked before every eviction request";
        String unreadable = "all evictions are paused, since this pause is invalid: spec.reason: must be given:"
                + " the message of each hold shows it";
        return Stream.of(
                argumentSet(
                        "of everything, without an end",
                        "{reason: stop}",
                        List.of(honoured, "Active True Active: no pod in any namespace is evicted until it is deleted"),
                        Optional.empty(),
                        OptionalLong.empty()),
                argumentSet(
                        "of some namespaces for an hour",
                        "{reason: stop, namespaceSelector: {matchLabels: {a: b}},"
                                + " expirationTime: '2026-11-20T13:00:00Z'}",
                        List.of(
                                honoured,
                                "Active True Active: no pod in the namespaces it selects is evicted until"
                                        + " 2026-11-20T13:00:00Z"),
                        Optional.of(Instant.parse("2026-11-20T13:00:00Z")),
                        OptionalLong.of(3_600_000)),
                argumentSet(
                        "an expired one is shown as such",
                        "{reason: stop, expirationTime: '2026-11-20T12:00:00Z'}",
                        List.of(
                                honoured,
                                "Active False Expired: it expired at 2026-11-20T12:00:00Z and no longer has an"
                                        + " effect; it can be deleted"),
                        Optional.of(NOW),
                        OptionalLong.empty()),
                argumentSet(
                        "outside its window",
                        "{reason: stop, windows: [{name: hours, schedule: '5 12 * * *', durationSeconds: 60}]}",
                        List.of(
                                honoured,
                                "Active False OutsideWindow: none of its windows is open; the next one opens at"
                                        + " 2026-11-20T12:05:00Z"),
                        Optional.empty(),
                        OptionalLong.of(300_000)),
                argumentSet(
                        "in windows without gaps",
                        "{reason: stop, windows: [{name: hours, schedule: '0 * * * *', durationSeconds: 3600}]}",
                        List.of(
                                honoured,
                                "Active True Active: no pod in any namespace is evicted until at least"
                                        + " 2026-11-28T20:00:00Z: its windows leave no gap before then"),
                        Optional.empty(),
                        OptionalLong.of(720_000_000)),
                argumentSet(
                        "an invalid pause",
                        "{}",
                        List.of("Ready False InvalidSpec: " + unreadable, "Active True InvalidSpec: " + unreadable),
                        Optional.empty(),
                        OptionalLong.empty()));
    }

    private static UpdateControl<EnforcementPause> decide(EnforcementPause pause, WallClock wallClock, Instant now) {
        return PauseReconciler.decide(pause, PauseTranslator.translate(pause), wallClock, now);
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void theStatusSaysWhetherItAppliesAndUntilWhen(
            String spec, List<String> conditions, Optional<Instant> until, OptionalLong waits) {
        UpdateControl<EnforcementPause> control = decide(pause(spec), RIGHT, NOW);

        assertThat(conditions(written(control))).isEqualTo(conditions);
        assertThat(Optional.ofNullable(written(control).untilTime())).isEqualTo(until);
        assertThat(written(control).observedGeneration()).isEqualTo(3L);
        assertThat(waits(control)).isEqualTo(waits);
        assertThat(control.getResource().orElseThrow().getMetadata().getName()).isEqualTo("freeze");
    }

    @Test
    void theStatusOfAPauseWithManyErrorsIsShort() {
        String windows = IntStream.rangeClosed(1, 20)
                .mapToObj(i -> "{name: w" + i + ", schedule: '0 8 * * *', durationSeconds: 60, timeZone: "
                        + "Z".repeat(64) + "}")
                .collect(Collectors.joining(", ", "[", "]"));

        PauseStatus status = written(decide(pause("{reason: stop, windows: " + windows + "}"), RIGHT, NOW));

        assertThat(status.conditions())
                .extracting(PolicyCondition::message)
                .hasSize(2)
                .allSatisfy(message -> assertThat(message)
                        .hasSize(1_024)
                        .startsWith("all evictions are paused, since this pause is invalid: spec.windows[0].timeZone:")
                        .endsWith("..."));
        assertThat(new KubernetesSerialization().asJson(status).length()).isLessThan(PolicyStatus.MAX_BYTES);
    }

    @Test
    void aStatusThatStandsIsNotWrittenAgainButLookedAtWhenTimeChangesIt() {
        EnforcementPause pause = pause("{reason: stop, expirationTime: '2026-11-20T13:00:00Z'}");
        pause.setStatus(written(decide(pause, RIGHT, NOW)));

        UpdateControl<EnforcementPause> control = decide(pause, RIGHT, NOW.plusSeconds(60));

        assertThat(control.isNoUpdate()).isTrue();
        assertThat(waits(control)).isEqualTo(OptionalLong.of(3_540_000));
    }

    @Test
    void aStatusThatTheWatchHasNotShownYetIsNotWrittenAgain() {
        List<String> written = new CopyOnWriteArrayList<>();
        try (WebSocketApiServer server = new WebSocketApiServer(request -> {
                    written.add(request.body());
                    return new WebSocketApiServer.Reply.Says(200, request.body());
                });
                StatusWriter writer =
                        new StatusWriter(ApiClients.writingStatus(server.connection(), Duration.ofSeconds(5)))) {
            EnforcementPause pause = pause("{reason: stop}");
            pause.getMetadata().setResourceVersion("7");
            PauseStore store = new PauseStore(_ -> {});
            store.put(store.getKey(pause), pause);
            PauseReconciler reconciler =
                    new PauseReconciler(store, () -> true, () -> NOW, () -> RIGHT, writer, new StatusErrors(() -> NOW));

            reconciler.reconcile(pause);
            reconciler.reconcile(pause);
            assertThat(written).hasSize(1);
            // Another client took the status away.
            pause.getMetadata().setResourceVersion("9");
            reconciler.reconcile(pause);

            assertThat(written).hasSize(2);
        }
    }

    @Test
    void onlyAConditionThatTurnsGetsANewTime() {
        EnforcementPause pause = pause("{reason: stop, expirationTime: '2026-11-20T13:00:00Z'}");
        pause.setStatus(written(decide(pause, RIGHT, NOW)));
        Instant later = NOW.plusSeconds(3_600);

        PauseStatus status = written(decide(pause, RIGHT, later));

        assertThat(status.conditions())
                .extracting(PolicyCondition::lastTransitionTime)
                .containsExactly(NOW, later);
    }

    @Test
    void theStatusFollowsTheWallClockAndNotTheEnginesClock() {
        EnforcementPause pause = pause("{reason: stop, expirationTime: '2026-11-20T12:30:00Z'}");
        WallClock hourAhead = WallClock.trusted(Duration.ofHours(1));

        UpdateControl<EnforcementPause> control = decide(pause, hourAhead, NOW);

        assertThat(conditions(written(control)).getLast()).startsWith("Active False Expired: ");
        assertThat(waits(control)).isEmpty();
    }

    @Test
    void anExpiredPauseIsShownAsActiveWhileTheWallClockIsNotTrusted() {
        EnforcementPause pause = pause("{reason: stop, expirationTime: '2026-11-20T11:00:00Z'}");
        WallClock wrong = WallClock.untrusted(Duration.ZERO, "the clock is 10m ahead of the API server's: correct it");

        UpdateControl<EnforcementPause> control = decide(pause, wrong, NOW);

        assertThat(conditions(written(control)).getLast())
                .isEqualTo("Active True Active: it counts as active: the clock is 10m ahead of the API server's:"
                        + " correct it");
        assertThat(waits(control)).isEqualTo(OptionalLong.of(10_000));
    }
}
