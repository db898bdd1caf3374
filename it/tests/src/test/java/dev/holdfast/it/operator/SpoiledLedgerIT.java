package dev.holdfast.it.operator;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static dev.holdfast.it.scenario.StageDefaults.QUIET;
import static dev.holdfast.it.scenario.StageDefaults.enforcing;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.OperatorLaunch;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests what the operator does if its ledger or its lease is spoiled: edited by hand, damaged, copied, deleted or not
 * writable. It evicts no pod early, and it says what is wrong.
 *
 * <p>Most cases need no second process: the operator reads the ledger again after another replica has held the lease.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(2)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class SpoiledLedgerIT {
    private static final String[] SETTINGS = {
        "enforcement.enabled=true",
        "config.replacementMinReadySeconds=0",
        "config.lease.durationSeconds=60",
        "config.lease.renewDeadlineSeconds=50",
        Stage.MANY_STAGES
    };

    /** Long enough that an operator on a busy machine loses its lease only to those whom a test gives it. */
    private static final Duration LEASE = Duration.ofSeconds(60);

    /** Long enough that also a slow test does something before the pod is due, and shorter than the lease. */
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final Duration LONG = Duration.ofSeconds(100_000);
    private static final Pattern BACKLOG = Pattern.compile("(?:all-)?backlogs?@\\w+");
    private static final byte[] GARBAGE = "garbage".getBytes(UTF_8);
    private static final int UNPROCESSABLE = 422;

    private final InstantSource clock = InstantSource.system();
    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", SETTINGS);
    private final String user = chart.user();
    private final AuditTrail trail = controlPlane.auditTrail();
    private final ScenarioRun scenarioRun = new ScenarioRun(client, trail, user);
    private final LedgerMaps ledger = new LedgerMaps(client, "holdfast");
    private final LeaseEdits lease = new LeaseEdits(client, clock);
    private OperatorProcess operator = start("first");

    /** The only eviction of the hour is made, and another pod is due. */
    private final Stage spent = scenarioRun.stage("spent");

    /** More pods broke a rule than an edit may move, so they are a backlog if it is not known when they broke it. */
    private final Stage crowd = scenarioRun.stage("crowd");

    /** Starts the operator as in a pod, where it may not create the ConfigMaps. */
    private OperatorProcess start(String name) {
        return start(chart, name);
    }

    private OperatorProcess start(InstalledChart release, String name) {
        return OperatorProcess.startAsPod(
                OperatorLaunch.likeThisJvm(),
                release.podAccount(),
                release.config(),
                controlPlane.folder().resolve("logs/" + name + "-operator.log"));
    }

    @BeforeAll
    void begin() {
        scenarioRun.until("the operator is ready", () -> operator.isReady());
        spent.node("n1", "disk=ssd").node("n2", "disk=hdd");
        crowd.node("n1", "tier=gold");
        List.of("web-1", "web-2").forEach(app -> spent.deployment(app, 1, ON_SSD));
        crowd.deployment("web", 11, "nodeSelector: {pool: $NS, tier: gold}");
        List.of("web-1", "web-2").forEach(app -> scenarioRun.settle(spent, app, 1));
        scenarioRun.settle(crowd, "web", 11);
        scenarioRun.calm(spent.policy("""
            mode: Enforce
            podSelector: {}
            limits: {minReplicas: 0, maxEvictionsPerHour: 1}
            forgivenessSeconds: 3
            """));
        scenarioRun.calm(crowd.policy(enforcing(Duration.ofHours(1))));
        breakRule(spent);
        crowd.node("n2", "tier=gold").label("n1", "tier", "base");
        evicted(spent);
        isHeldByItsLimit(spent);
        scenarioRun.until(
                "the crowd violates", () -> crowd.status("pods", "violating").equals(Optional.of(11)));
    }

    @AfterAll
    void end() {
        operator.close();
        client.close();
        controlPlane.close();
    }

    /** One pod must run on a node with an SSD, and does. */
    private Stage calm(String name, Duration forgiveness) {
        Stage stage = scenarioRun.stage(name).node("n1", "disk=ssd").node("n2", "disk=hdd");
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(enforcing(forgiveness)));
        return stage;
    }

    private static void breakRule(Stage stage) {
        stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
    }

    private void isHeldByItsLimit(Stage stage) {
        scenarioRun.until(
                "the limit holds the next pod",
                () -> says(0, "\"reason\":\"PolicyLimit\"", stage.namespace() + "/keep"));
    }

    private boolean leads() {
        return operator.metrics().contains("holdfast_leader 1.0");
    }

    private boolean says(int fromLine, String... parts) {
        return says(operator.log().stream().skip(fromLine), parts);
    }

    private static boolean says(OperatorProcess process, String... parts) {
        return says(process.log().stream(), parts);
    }

    private static boolean says(Stream<String> lines, String... parts) {
        return lines.anyMatch(line -> Stream.of(parts).allMatch(line::contains));
    }

    private Instant acquired() {
        return lease.spec().getAcquireTime().toInstant();
    }

    /** {@return when the only pod is evicted} The audit log says that sooner than the status. */
    private Instant evicted(Stage stage) {
        scenarioRun.until(
                "an eviction in " + stage.namespace(),
                () -> !scenarioRun.evictions(stage).isEmpty());
        List<AuditRecord> evictions = scenarioRun.evictions(stage);
        assertThat(evictions).as("evictions in " + stage.namespace()).hasSize(1);
        return evictions.getFirst().received();
    }

    private void noEvictionIsRequested(Stage stage) {
        noEvictionIsRequested(stage, QUIET);
    }

    private void noEvictionIsRequested(Stage stage, Duration time) {
        await("no eviction request in " + stage.namespace())
                .during(time)
                .atMost(time.plus(TimeLimits.ANSWER))
                .untilAsserted(
                        () -> assertThat(scenarioRun.evictionRequests(stage)).isEmpty());
    }

    /**
     * Lets another replica lead while the ledger is edited. Then the operator leads again, and reads the ledger.
     *
     * @return when the operator took the lease
     */
    private Instant readsAgainAfter(Runnable edit) {
        long term = ledger.term();
        lease.giveToGhost(LONG);
        scenarioRun.until("the operator stops leading", () -> !leads());
        edit.run();
        lease.release();
        scenarioRun.until("the operator writes its next term", () -> ledger.term() == term + 1);
        return acquired();
    }

    /** {@return the id of the backlog of the crowd, as the operator last said it} */
    private Optional<String> backlog() {
        return operator.log().stream()
                .filter(line -> line.contains("\"decision\":\"Backlog") && line.contains("crowd/keep"))
                .map(BACKLOG::matcher)
                .filter(Matcher::find)
                .map(Matcher::group)
                .reduce((_, later) -> later);
    }

    @Test
    @Order(1)
    @Execution(ExecutionMode.SAME_THREAD)
    void aLeaseOfWhichOnlyTheHolderWasLeftAloneIsRenewed() {
        int before = operator.log().size();
        long term = ledger.term();
        Instant edited = clock.instant();

        lease.keepHolder(LONG);
        scenarioRun.until(
                "the operator renews the lease",
                () -> lease.spec().getLeaseDurationSeconds() == LEASE.toSeconds()
                        && lease.spec().getRenewTime().toInstant().isBefore(edited.plus(Duration.ofHours(1))));

        assertThat(leads()).isTrue();
        assertThat(says(before, "Stopped leading")).isFalse();
        assertThat(ledger.term()).isEqualTo(term);
        assertThatThrownBy(() -> lease.setDuration(Duration.ZERO))
                .isInstanceOfSatisfying(
                        KubernetesClientException.class,
                        refused -> assertThat(refused.getCode()).isEqualTo(UNPROCESSABLE));
    }

    @Test
    @Order(2)
    @Execution(ExecutionMode.SAME_THREAD)
    void aLeaseThatWasGivenToNoReplicaIsWaitedOutAndNothingIsEvictedMeanwhile() {
        Stage stage = calm("robbed", Duration.ofSeconds(3));
        int before = operator.log().size();
        long term = ledger.term();

        Instant given = clock.instant();
        lease.giveToGhost(LEASE);
        scenarioRun.until("the operator stops leading", () -> says(before, "Stopped leading", "ghost took the lease"));
        Instant stopped = clock.instant();
        breakRule(stage);

        Instant evicted = evicted(stage);

        Instant acquired = acquired();
        assertThat(acquired).as("when it leads again").isAfterOrEqualTo(given.plus(LEASE));
        assertThat(evicted).isAfterOrEqualTo(acquired.plusSeconds(3));
        assertThat(lease.spec().getLeaseTransitions()).isEqualTo(1);
        assertThat(ledger.term()).isEqualTo(term + 1);
        assertThat(trail.records().stream()
                        .filter(record -> record.user().equals(user))
                        .filter(record -> record.resource().equals("configmaps"))
                        .filter(record -> record.received().isAfter(stopped)
                                && record.received().isBefore(acquired)))
                .as("requests for the ledger while another replica leads")
                .isEmpty();
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                spoiled(
                        "both copies replaced by garbage",
                        ledger -> {
                            ledger.put(0, GARBAGE);
                            ledger.put(1, GARBAGE);
                        },
                        "ConfigMap holdfast/holdfast-ledger-0: it is damaged (ZipException), ConfigMap"
                                + " holdfast/holdfast-ledger-1: it is damaged (ZipException)"),
                spoiled(
                        "all objects restored from a backup, in another cluster",
                        LedgerMaps::restoreAll,
                        "ConfigMap holdfast/holdfast-ledger-0: it was copied from another object, ConfigMap"
                                + " holdfast/holdfast-ledger-1: it was copied from another object"),
                spoiled(
                        "one copy of a later version",
                        ledger -> ledger.editJson(1, text -> text.replace("\"readableFrom\":1", "\"readableFrom\":2")),
                        "ConfigMap holdfast/holdfast-ledger-1: a later version wrote it, in a format that this one"
                                + " cannot read (2)"),
                spoiled(
                        "both copies emptied, but not the clocks",
                        ledger -> {
                            ledger.removeData(0);
                            ledger.removeData(1);
                        },
                        "it has no data, and the lease says that holdfast/"));
    }

    private static Arguments spoiled(String name, Consumer<LedgerMaps> spoil, String reason) {
        return argumentSet(name, spoil, reason);
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    @Order(3)
    @Execution(ExecutionMode.SAME_THREAD)
    void anUnreadableLedgerMakesABacklogOfWhatIsBrokenAndIsWrittenAgain(Consumer<LedgerMaps> spoil, String reason) {
        int before = operator.log().size();

        readsAgainAfter(() -> spoil.accept(ledger));

        scenarioRun.until("the operator says why", () -> says(before, "The ledger cannot be read", reason));
        // A backlog of all pods that is there already holds them further.
        scenarioRun.until("a backlog", () -> backlog().isPresent());
        scenarioRun.until("both copies can be read", ledger::areWhole);
        assertThat(scenarioRun.evictionRequests(crowd)).isEmpty();
    }

    @Test
    @Order(4)
    @Execution(ExecutionMode.SAME_THREAD)
    void theOtherCopyCountsIfOneIsDamaged() {
        Optional<String> known = backlog();
        scenarioRun.until("both copies can be read", ledger::areWhole);
        int before = operator.log().size();
        int newer = ledger.newerCopy();

        readsAgainAfter(() -> ledger.put(newer, GARBAGE));

        assertThat(says(
                        before,
                        "One of two copies of the ledger cannot be read; using the other",
                        "ConfigMap holdfast/holdfast-ledger-" + newer + ": it is damaged (ZipException)"))
                .isTrue();
        assertThat(known).isPresent();
        scenarioRun.until("the backlog is taken over", () -> says(before, "BacklogTakenOver", known.orElseThrow()));
        assertThat(backlog()).isEqualTo(known);
    }

    @Test
    @Order(5)
    @Execution(ExecutionMode.SAME_THREAD)
    void withoutAReadableLedgerAWholeForgivenessIsObservedAgain() {
        Stage stage = calm("again", PATIENCE);
        Instant broken = clock.instant();
        breakRule(stage);
        scenarioRun.until("a part of it is observed", () -> clock.instant().isAfter(broken.plusSeconds(10)));

        Instant led = readsAgainAfter(() -> {
            ledger.put(0, GARBAGE);
            ledger.put(1, GARBAGE);
        });

        assertThat(evicted(stage)).isAfterOrEqualTo(led.plus(PATIENCE));
    }

    @Test
    @Order(6)
    @Execution(ExecutionMode.SAME_THREAD)
    void noMoveBeginsWhileTheObjectsAreDeletedAndHelmMakesThemAgain() {
        Stage stage = calm("deleted", Duration.ofSeconds(3));
        int before = operator.log().size();

        ledger.deleteAll();
        breakRule(stage);
        scenarioRun.held(stage, "LedgerUnwritten");
        noEvictionIsRequested(stage);
        assertThat(stage.condition("EnforcementHeld")).contains("True LedgerUnwritten");
        assertThat(says(
                        before,
                        "Failed to write the ledger",
                        "ConfigMap holdfast/holdfast-ledger-0 does not exist: install the chart again, which makes"
                                + " it"))
                .isTrue();

        Instant installed = clock.instant();
        chart.upgrade(SETTINGS);

        assertThat(evicted(stage)).isAfter(installed);
        scenarioRun.until("both copies are written", ledger::areWhole);
    }

    @Test
    @Order(7)
    @Execution(ExecutionMode.SAME_THREAD)
    void noMoveBeginsWhileEtcdIsFull() {
        Stage stage = calm("full", PATIENCE);
        int before = operator.log().size();
        breakRule(stage);

        Instant full;
        try (FullEtcd _ = new FullEtcd(controlPlane)) {
            scenarioRun.until(
                    "a write of the ledger fails",
                    () -> says(before, "Failed to write the ledger", "database space exceeded"));
            noEvictionIsRequested(stage, PATIENCE.plus(QUIET));
            full = clock.instant();
        }

        assertThat(evicted(stage)).isAfter(full);
    }

    /** The edit would let the operator forget the only eviction of the hour. */
    @Test
    @Order(8)
    @Execution(ExecutionMode.SAME_THREAD)
    void afterARestartACopyThatWasEditedByHandDoesNotCount() {
        scenarioRun.until("both copies can be read", ledger::areWhole);
        Optional<String> known = backlog();
        assertThat(operator.stop()).as("exit code after SIGTERM").isZero();
        int newer = ledger.newerCopy();
        ledger.editJsonOnly(
                newer, text -> text.replaceFirst("\"evictions\":\\[\\{\"at\":\"202", "\"evictions\":[{\"at\":\"201"));
        operator = start("next");
        scenarioRun.until("the operator is ready", operator::isReady);

        aForgedClockCountsNoTimeBeforeThisReplicaSawTheViolation();

        assertThat(says(
                        0,
                        "One of two copies of the ledger cannot be read; using the other",
                        "ConfigMap holdfast/holdfast-ledger-" + newer + ": it is damaged (ZipException)"))
                .isTrue();
        isHeldByItsLimit(spent);
        assertThat(scenarioRun.evictions(spent)).hasSize(1);
        assertThat(backlog()).isEqualTo(known);
        assertThat(scenarioRun.evictionRequests(crowd)).isEmpty();
        scenarioRun.keptToItsRights();
    }

    /** Two releases have one lease, but each has a ledger of its own. */
    @Test
    @Order(9)
    @Execution(ExecutionMode.SAME_THREAD)
    void whenTwoReleasesTakeTurnsEachObservesAWholeForgivenessAgain() {
        Stage stage = calm("handed-over", PATIENCE);
        try (OperatorProcess second = start(InstalledChart.install(controlPlane, "second", SETTINGS), "second")) {
            scenarioRun.until("the second release is ready", second::isReady);
            Instant broken = clock.instant();
            breakRule(stage);
            scenarioRun.until("a part of it is observed", () -> clock.instant().isAfter(broken.plusSeconds(10)));

            assertThat(operator.stop()).as("exit code after SIGTERM").isZero();

            Instant evicted = evicted(stage);
            assertThat(evicted).isAfterOrEqualTo(acquired().plus(PATIENCE));
            assertThat(says(second, "The ledger cannot be read", "it has no data, and the lease says that holdfast/"))
                    .isTrue();
            assertThat(scenarioRun.evictionRequests(crowd)).isEmpty();

            operator = start("third");
            scenarioRun.until("the first release is ready again", () -> operator.isReady());
            assertThat(second.stop()).as("exit code after SIGTERM").isZero();
            scenarioRun.until(
                    "the first release leads again",
                    () -> says(
                            operator,
                            "The ledger cannot be read",
                            "it is of write holdfast/",
                            "and the lease says that second/"));
            noEvictionIsRequested(crowd);
        }
    }

    /** This replica saw the violation begin, while it led before, so a forged clock makes nothing early. */
    private void aForgedClockCountsNoTimeBeforeThisReplicaSawTheViolation() {
        Duration forgiveness = Duration.ofMinutes(1);
        Stage stage = scenarioRun.stage("forged").node("n1", "disk=ssd").node("n2", "disk=ssd");
        scenarioRun.until("both nodes are open", stage::nodesAreOpen);
        Instant open = clock.instant();
        scenarioRun.until(
                "the other node is suitable for longer than the pod is bound",
                () -> clock.instant().isAfter(open.plusSeconds(3)));
        stage.deployment("web", 1, ON_SSD);
        scenarioRun.settle(stage, "web", 1);
        scenarioRun.calm(stage.policy(enforcing(forgiveness)));
        Pod pod = stage.running("web").getFirst();
        Instant bound = pod.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled"))
                .map(condition -> Instant.parse(condition.getLastTransitionTime()))
                .findFirst()
                .orElseThrow();
        scenarioRun.until("20 s pass", () -> clock.instant().isAfter(bound.plusSeconds(20)));
        Instant broken = clock.instant();
        stage.label(stage.places("web").getFirst(), "disk", "hdd");
        scenarioRun.until(
                "the clock is stored and has run for 10 s",
                () -> ledger.hasClockOf(pod.getMetadata().getUid())
                        && clock.instant().isAfter(broken.plusSeconds(10)));

        readsAgainAfter(ledger::forgeClocks);

        assertThat(evicted(stage)).isAfterOrEqualTo(broken.plus(forgiveness));
    }
}
