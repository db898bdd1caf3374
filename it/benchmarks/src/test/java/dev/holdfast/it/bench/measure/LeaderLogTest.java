package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How an operator's way to its first decision as the leader is read from its log. */
class LeaderLogTest {
    private static final LeaderLog NOTHING = new LeaderLog(Optional.empty(), Optional.empty(), Optional.empty());

    private static String line(int second, String message, String more) {
        return String.format(
                Locale.ROOT,
                "{\"time\":\"2026-11-20T12:00:%02dZ\",\"level\":\"INFO\",\"message\":\"%s\"%s}",
                second,
                message,
                more);
    }

    private static String held(int second, String policy, String reason, String more) {
        return line(
                second,
                "something",
                ",\"decision\":\"Held\",\"policy\":\"%s\",\"reason\":\"%s\"%s".formatted(policy, reason, more));
    }

    private static Optional<Instant> at(int second) {
        return Optional.of(Instant.parse("2026-11-20T12:00:00Z").plusSeconds(second));
    }

    private static LeaderLog of(String... lines) {
        return LeaderLog.of(List.of(lines), "due");
    }

    @Test
    void theFirstLineOfEachKindCounts() {
        LeaderLog log = of(
                "OpenJDK 64-Bit Server VM warning: something",
                line(1, "Leading", ""),
                line(2, "Read the ledger", ",\"clocks\":\"7\""),
                held(3, "due", "Infeasible", ""),
                line(4, "Read the ledger", ""),
                held(5, "due", "Infeasible", ""));

        assertThat(log).isEqualTo(new LeaderLog(at(1), at(2), at(3)));
    }

    @Test
    void whatAStandbyDecidesIsNoDecisionOfTheLeader() {
        LeaderLog log = of(
                held(0, "due", "Infeasible", ""),
                line(1, "Leading", ""),
                held(2, "due", "Infeasible", ",\"standby\":\"true\""));

        assertThat(log).isEqualTo(new LeaderLog(at(1), Optional.empty(), Optional.empty()));
    }

    @Test
    void aHoldThatNeedsNoPlanIsNoDecision() {
        LeaderLog log = of(
                line(1, "Leading", ""),
                held(2, "due", "NotLeader", ""),
                held(3, "due", "LedgerUnread", ""),
                held(4, "due", "LedgerUnwritten", ""),
                held(5, "due", "ViewNotSynced", ""),
                held(6, "other", "Infeasible", ""));

        assertThat(log.decided()).isEmpty();
    }

    @Test
    void anEvictionIsADecision() {
        String evicting = line(2, "something", ",\"decision\":\"Evicting\",\"policy\":\"due\"");

        assertThat(of(line(1, "Leading", ""), evicting).decided()).isEqualTo(at(2));
    }

    @Test
    void aLineThatIsNotWholeYetIsPassedOver() {
        assertThat(of("{\"time\":\"2026-11-20T12:00:01Z\",\"message\":\"Leading\",\"le"))
                .isEqualTo(NOTHING);
    }

    @Test
    void otherLinesAboutTheLeaseArePassedOver() {
        assertThat(of(line(1, "Stopped leading", ""), line(2, "Leading was refused", "")))
                .isEqualTo(NOTHING);
    }
}
