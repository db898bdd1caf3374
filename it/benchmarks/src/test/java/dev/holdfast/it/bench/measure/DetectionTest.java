package dev.holdfast.it.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.cluster.ChangeStep;
import dev.holdfast.it.bench.cluster.CommittedChange;
import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.policies.rule.RuleKind;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The comparison of planned and logged violations: both must be equal, and each sample gets the logged times. */
class DetectionTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final ExpectedViolation ONE = new ExpectedViolation("u1", RuleKind.NODE_AFFINITY);
    private static final ExpectedViolation TWO = new ExpectedViolation("u2", RuleKind.NODE_AFFINITY);
    private static final PlannedChange BOTH =
            new PlannedChange(new PlannedChange.Target.OfNode("n1"), "{}", "{}", Set.of(ONE, TWO));
    private static final PlannedChange FIRST =
            new PlannedChange(new PlannedChange.Target.OfNode("n1"), "{}", "{}", Set.of(ONE));

    private static Instant at(int millis) {
        return NOON.plusMillis(millis);
    }

    private static CommittedChange planted(
            int number, PlannedChange plannedChange, ChangeStep changeStep, int sent, String version) {
        return new CommittedChange(number, plannedChange, changeStep, at(sent), at(sent + 5), version);
    }

    @Test
    void aChangeIsRecordedWhenTheLastOfItsViolationsIs() {
        Detection detection = Detection.of(
                List.of(planted(0, BOTH, ChangeStep.BREAK, 0, "7")),
                Map.of("7", at(4), "6", at(1)),
                List.of(
                        new OperatorLog.Violation(at(9), ChangeStep.BREAK, TWO),
                        new OperatorLog.Violation(at(6), ChangeStep.BREAK, ONE)));

        assertThat(detection)
                .isEqualTo(new Detection(
                        List.of(new Sample(0, ChangeStep.BREAK, "NodeAffinity", "n1", 2, NOON, 5, 4, 6, 9)),
                        List.of()));
        assertThat(detection.samples().getFirst().aboveWatch()).isEqualTo(5);
    }

    @Test
    void theSameViolationAgainBelongsToTheNextChange() {
        Detection detection = Detection.of(
                List.of(
                        planted(0, FIRST, ChangeStep.BREAK, 0, "7"),
                        planted(0, FIRST, ChangeStep.HEAL, 50, "8"),
                        planted(1, FIRST, ChangeStep.BREAK, 100, "9")),
                Map.of("7", at(4), "8", at(54), "9", at(104)),
                List.of(
                        new OperatorLog.Violation(at(10), ChangeStep.BREAK, ONE),
                        new OperatorLog.Violation(at(61), ChangeStep.HEAL, ONE),
                        new OperatorLog.Violation(at(112), ChangeStep.BREAK, ONE)));

        assertThat(detection.faults()).isEmpty();
        assertThat(detection.samples()).extracting(Sample::recorded).containsExactly(10.0, 11.0, 12.0);
    }

    @Test
    void oneThatIsNotRecordedIsAFaultAndNoSample() {
        Detection detection = Detection.of(
                List.of(planted(0, BOTH, ChangeStep.BREAK, 0, "7")),
                Map.of("7", at(4)),
                List.of(new OperatorLog.Violation(at(6), ChangeStep.BREAK, ONE)));

        assertThat(detection)
                .isEqualTo(new Detection(List.of(), List.of("not recorded: BREAK of NodeAffinity of pod u2")));
    }

    @Test
    void oneThatIsRecordedWithoutHavingBeenPlantedIsAFault() {
        Detection detection = Detection.of(
                List.of(planted(0, FIRST, ChangeStep.BREAK, 0, "7")),
                Map.of("7", at(4)),
                List.of(
                        new OperatorLog.Violation(at(6), ChangeStep.BREAK, ONE),
                        new OperatorLog.Violation(at(8), ChangeStep.BREAK, TWO)));

        assertThat(detection.samples()).hasSize(1);
        assertThat(detection.faults())
                .containsExactly(
                        "recorded, but not planted: BREAK of NodeAffinity of pod u2 at 2026-11-20T12:00:00.008Z");
    }

    @Test
    void oneThatTheBareWatchDidNotSeeIsAFault() {
        Detection detection = Detection.of(
                List.of(planted(0, FIRST, ChangeStep.BREAK, 0, "7")),
                Map.of(),
                List.of(new OperatorLog.Violation(at(6), ChangeStep.BREAK, ONE)));

        assertThat(detection)
                .isEqualTo(new Detection(List.of(), List.of("not seen by the bare watch: BREAK of OfNode[name=n1]")));
    }
}
