package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.cluster.ChangeCommitter;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.policies.rule.RuleKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The comparison of planned and logged violations: both must be equal, and each sample gets the logged times. */
class DetectionTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final ExpectedViolation ONE = new ExpectedViolation("u1", RuleKind.NODE_AFFINITY);
    private static final ExpectedViolation TWO = new ExpectedViolation("u2", RuleKind.NODE_AFFINITY);
    private static final PlannedChange BOTH =
            new PlannedChange(new PlannedChange.Target(Optional.empty(), "n1"), "{}", "{}", Set.of(ONE, TWO));
    private static final List<ChangeCommitter.Committed> COMMITTED = List.of(
            new ChangeCommitter.Committed(BOTH, PlannedChange.Step.BREAK, at(0), "7"),
            new ChangeCommitter.Committed(BOTH, PlannedChange.Step.HEAL, at(50), "8"),
            new ChangeCommitter.Committed(BOTH, PlannedChange.Step.BREAK, at(100), "9"));
    private static final Map<String, Instant> WATCHED = Map.of("7", at(4), "8", at(54), "9", at(104));

    private static Instant at(int millis) {
        return NOON.plusMillis(millis);
    }

    private static List<OperatorLog.Violation> logged() {
        return new ArrayList<>(List.of(
                new OperatorLog.Violation(at(9), PlannedChange.Step.BREAK, TWO),
                new OperatorLog.Violation(at(6), PlannedChange.Step.BREAK, ONE),
                new OperatorLog.Violation(at(60), PlannedChange.Step.HEAL, ONE),
                new OperatorLog.Violation(at(61), PlannedChange.Step.HEAL, TWO),
                new OperatorLog.Violation(at(112), PlannedChange.Step.BREAK, ONE),
                new OperatorLog.Violation(at(113), PlannedChange.Step.BREAK, TWO)));
    }

    @Test
    void aChangeIsRecordedWhenTheLastOfItsViolationsIs() {
        assertThat(Detection.of(COMMITTED, WATCHED, logged()))
                .isEqualTo(new Detection(
                        List.of(
                                new Detection.Sample(PlannedChange.Step.BREAK, 4, 9),
                                new Detection.Sample(PlannedChange.Step.HEAL, 4, 11),
                                new Detection.Sample(PlannedChange.Step.BREAK, 4, 13)),
                        List.of()));
    }

    @Test
    void whatIsNotRecordedNotSeenOrNotPlantedIsAFault() {
        List<OperatorLog.Violation> logged = logged();
        logged.removeLast();
        logged.add(new OperatorLog.Violation(at(120), PlannedChange.Step.HEAL, TWO));

        Detection detection = Detection.of(COMMITTED, Map.of("7", at(4), "9", at(104)), logged);

        assertThat(detection.samples()).hasSize(1);
        assertThat(detection.faults())
                .containsExactly(
                        "not seen by the bare watch: HEAL of Target[namespace=Optional.empty, name=n1]",
                        "not recorded: BREAK of NodeAffinity of pod u2",
                        "recorded, but not planted: HEAL of NodeAffinity of pod u2 at 2026-11-20T12:00:00.120Z");
    }
}
