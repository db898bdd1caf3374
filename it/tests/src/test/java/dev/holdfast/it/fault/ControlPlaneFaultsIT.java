package dev.holdfast.it.fault;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.controlplane.FolderDeletion;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.Stage;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The operator's behaviour when the API server and its etcd stop and start again, with the same data or with a backup.
 */
@Execution(ExecutionMode.CONCURRENT)
@Order(3)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ControlPlaneFaultsIT {
    /** The operator leads again within this time: far more than the length of the lease. */
    private static final Duration LEADS_AGAIN = Duration.ofMinutes(2);

    private static final Duration PAST_DUE = FaultEnvironment.FORGIVENESS.plusSeconds(3);

    /** How many changes the test writes after the backup: more than the API server itself writes while it starts. */
    private static final int CHANGES = 300;

    private static final List<Program> SERVERS = List.of(Program.ETCD, Program.KUBE_APISERVER);

    /** The servers to restart after a restore: a running server would wait for revisions that no longer exist. */
    private static final List<Program> EVERYTHING = List.of(
            Program.ETCD,
            Program.KUBE_APISERVER,
            Program.KUBE_CONTROLLER_MANAGER,
            Program.KUBE_SCHEDULER,
            Program.KWOK);

    private final FaultEnvironment faultEnvironment = new FaultEnvironment("control-plane-faults");

    @AfterAll
    void end() {
        try {
            faultEnvironment.noOtherEvictions();
        } finally {
            faultEnvironment.close();
        }
    }

    /** {@return the lengths of outages to test} Only {@code it/long} tests the longest one. */
    static Stream<Duration> outages() {
        return Stream.of(
                        Duration.ofSeconds(1),
                        FaultDuration.of(Duration.ofSeconds(8), Duration.ofSeconds(30)),
                        FaultDuration.of(Duration.ZERO, Duration.ofMinutes(10)))
                .filter(Duration::isPositive);
    }

    @ParameterizedTest
    @MethodSource("outages")
    @Execution(ExecutionMode.SAME_THREAD)
    void whoWasAwayIsWaitedFor(Duration away) {
        Stage stage = faultEnvironment.stage("away-" + away.toSeconds());
        faultEnvironment.breakRule(stage);
        faultEnvironment.heal(stage);
        stop(SERVERS);
        faultEnvironment.noEvictionIsRequested(stage, away);
        start(SERVERS);
        Instant back = faultEnvironment.now();
        faultEnvironment.until("the operator leads again", faultEnvironment::leads);
        assertThat(Duration.between(back, faultEnvironment.now())).isLessThan(LEADS_AGAIN);
        Findings.add("R7 API server and etcd away", away, faultEnvironment.recovers(stage), "leads again");
    }

    private void start(List<Program> programs) {
        programs.forEach(faultEnvironment.controlPlane()::restart);
    }

    private void stop(List<Program> programs) {
        programs.reversed().forEach(faultEnvironment.controlPlane()::stop);
    }

    /**
     * In the backup, the pod violates the rule and no policy selects it. After the backup, the pod satisfies the rule
     * and a policy selects it. Only an operator that mixes the two states would evict the pod.
     */
    @Test
    @Execution(ExecutionMode.SAME_THREAD)
    void anOlderBackupThatIsRestoredIsNoticedAndNothingOfBeforeCounts() {
        Path data = faultEnvironment.controlPlane().folder().resolve("etcd");
        Path backup = data.resolveSibling("etcd-backup");
        Stage stage = faultEnvironment.stage("restored");
        Stage later = faultEnvironment.unheld("policy-later");
        later.label("n2", "disk", "ssd").label("n1", "disk", "hdd");
        stop(EVERYTHING);
        copy(data, backup);
        start(EVERYTHING);
        faultEnvironment.until(
                "the operator is ready and leads", () -> faultEnvironment.isReady() && faultEnvironment.leads());
        later.label("n1", "disk", "ssd");
        faultEnvironment.hold(later);
        for (int change = 0; change < CHANGES; change++) {
            stage.label("n2", "step", Integer.toString(change));
        }
        // The test may take any time until it stops the servers. In the backup, the forgiveness is short.
        faultEnvironment.hold(stage, Duration.ofHours(1));
        faultEnvironment.breakRule(stage);
        stop(EVERYTHING);
        delete(data);
        copy(backup, data);
        start(EVERYTHING);
        Instant back = faultEnvironment.now();
        assertThat(faultEnvironment.awaitEnd())
                .as("exit code of the operator that saw the discarded state")
                .isPositive();
        assertThat(faultEnvironment.said("holdfast: the API server shows an older state than before"))
                .isTrue();
        Duration noticed = Duration.between(back, faultEnvironment.now());
        faultEnvironment.until(
                "the operator is ready and leads again", () -> faultEnvironment.isReady() && faultEnvironment.leads());
        faultEnvironment.noEvictionIsRequested(later, PAST_DUE);
        Findings.add(
                "R8 older backup restored", noticed, faultEnvironment.recovers(stage), "an older state than before");
    }

    private static void copy(Path from, Path to) {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path)));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void delete(Path folder) {
        try {
            FolderDeletion.delete(folder);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
