package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.policies.rule.RuleKind;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What benches read from the operator's log. */
class OperatorLogTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static String line(int second, String message, String more) {
        return "{\"time\":\"%s\",\"level\":\"INFO\",\"message\":\"%s\"%s}"
                .formatted(NOON.plusSeconds(second), message, more);
    }

    private static String decision(int second, String decision, String rule, String more) {
        return line(
                second,
                "something",
                ",\"decision\":\"%s\",\"policy\":\"due\",\"rule\":\"%s\",\"k8s.pod.uid\":\"u1\"%s"
                        .formatted(decision, rule, more));
    }

    private static String held(int second, String reason, String more) {
        return decision(second, "Held", "NodeAffinity", ",\"reason\":\"" + reason + "\"" + more);
    }

    private static Optional<Instant> at(int second) {
        return Optional.of(NOON.plusSeconds(second));
    }

    @Test
    void violationsBeginAndHeal() {
        assertThat(OperatorLog.violations(List.of(
                        "OpenJDK 64-Bit Server VM warning: something",
                        decision(1, "Started", "NodeAffinity", ""),
                        held(2, "Infeasible", ""),
                        decision(3, "Ended", "NodeAffinity", ",\"reason\":\"deleted\""),
                        decision(4, "Ended", "TopologySpread", ",\"reason\":\"healed\""))))
                .containsExactly(
                        new OperatorLog.Violation(
                                NOON.plusSeconds(1),
                                PlannedChange.Step.BREAK,
                                new ExpectedViolation("u1", RuleKind.NODE_AFFINITY)),
                        new OperatorLog.Violation(
                                NOON.plusSeconds(4),
                                PlannedChange.Step.HEAL,
                                new ExpectedViolation("u1", RuleKind.TOPOLOGY_SPREAD)));
    }

    @Test
    void aLeaderHasDecidedOnceAPlanWasNeeded() {
        List<String> lines = List.of(
                "OpenJDK 64-Bit Server VM warning: something",
                held(0, "Infeasible", ""),
                line(1, "Leading was refused", ""),
                line(2, "Leading", ""),
                held(3, "Infeasible", ",\"standby\":\"true\""),
                held(4, "LedgerUnread", ""),
                line(5, "Read the ledger", ",\"clocks\":\"7\""),
                held(6, "NotLeader", ""),
                held(7, "Infeasible", ""),
                line(8, "Read the ledger", ""),
                "{\"time\":\"2026-11-20T12:00:01Z\",\"message\":\"Leading\",\"le");

        assertThat(LeaderLog.of(lines, "due")).isEqualTo(new LeaderLog(at(2), at(5), at(7)));
        assertThat(LeaderLog.of(lines, "other")).isEqualTo(new LeaderLog(at(2), at(5), Optional.empty()));
        assertThat(LeaderLog.of(lines.subList(0, 3), "due"))
                .isEqualTo(new LeaderLog(Optional.empty(), Optional.empty(), Optional.empty()));
    }

    @Test
    void aProcessHasFigures() {
        ProcessFigures figures = ProcessFigures.of(ProcessHandle.current().pid());

        assertThat(figures.residentMiB()).isPositive().isLessThanOrEqualTo(figures.peakMiB());
        assertThat(figures.cpuSeconds()).isPositive();
    }
}
