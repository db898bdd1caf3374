package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.policies.rule.RuleKind;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How violations are read from the operator's log. */
class OperatorLogTest {
    private static String line(String pairs) {
        return "{\"time\":\"2026-11-20T12:00:00.123456Z\",\"level\":\"INFO\",\"message\":\"something\"," + pairs + "}";
    }

    private static String decision(String decision, String rule, String more) {
        return line("\"decision\":\"%s\",\"policy\":\"bench\",\"rule\":\"%s\",\"k8s.pod.uid\":\"u1\"%s"
                .formatted(decision, rule, more));
    }

    @Test
    void beginningsAndHealingsAreReadToTheMicrosecond() {
        Instant at = Instant.parse("2026-11-20T12:00:00.123456Z");

        assertThat(OperatorLog.read(List.of(
                        decision("Started", "NodeAffinity", ""),
                        decision("Ended", "TopologySpread", ",\"reason\":\"healed\""))))
                .containsExactly(
                        new OperatorLog.Violation(
                                at, ChangeStep.BREAK, new ExpectedViolation("u1", RuleKind.NODE_AFFINITY)),
                        new OperatorLog.Violation(
                                at, ChangeStep.HEAL, new ExpectedViolation("u1", RuleKind.TOPOLOGY_SPREAD)));
    }

    @Test
    void allElseIsPassedOver() {
        assertThat(OperatorLog.read(List.of(
                        "OpenJDK 64-Bit Server VM warning: something",
                        line("\"version\":\"1\""),
                        decision("Held", "NodeAffinity", ",\"reason\":\"Infeasible\""),
                        decision("Ended", "NodeAffinity", ",\"reason\":\"deleted\""))))
                .isEmpty();
    }

    @Test
    void aRuleOfNoKindIsNotGuessed() {
        assertThatIllegalStateException()
                .isThrownBy(() -> OperatorLog.read(List.of(decision("Started", "ssd", ""))))
                .withMessage("the operator's log names a rule of no kind: ssd");
    }
}
