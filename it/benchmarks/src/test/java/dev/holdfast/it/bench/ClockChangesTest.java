package dev.holdfast.it.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.policies.rule.RuleKind;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The label changes of the ledger bench. */
class ClockChangesTest {
    private static List<PlannedChange> changes(int count) {
        return IntStream.range(0, count)
                .mapToObj(i -> new PlannedChange(
                        new PlannedChange.Target.OfPod("ns", "plain-" + i),
                        "{}",
                        "{}",
                        Set.of(
                                new ExpectedViolation("a-" + i, RuleKind.POD_AFFINITY),
                                new ExpectedViolation("b-" + i, RuleKind.POD_AFFINITY))))
                .toList();
    }

    @Test
    void passingChangesAreUsedAgain() {
        ClockChanges changes = new ClockChanges(changes(2), changes(7));

        assertThat(changes.violations()).isEqualTo(4);
        assertThat(changes.passing(9))
                .hasSize(9)
                .startsWith(changes.passing().getFirst())
                .endsWith(changes.passing().get(1));
        assertThat(ClockChanges.violations(changes.passing(9))).isEqualTo(18);
    }

    @Test
    void consecutiveChangesMustBeIndependent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new ClockChanges(changes(2), changes(6)))
                .withMessage("only 6 changes can be made and reverted, not 7: give more --pods");
    }
}
