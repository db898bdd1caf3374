package dev.holdfast.it.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.holdfast.it.bench.cluster.ExpectedViolation;
import dev.holdfast.it.bench.cluster.PlannedChange;
import dev.holdfast.policies.rule.RuleKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** The label changes of the ledger bench. */
class LedgerBenchTest {
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
    void changesBeyondTheClocksAreMadeAndReverted() {
        List<PlannedChange> lasting = new ArrayList<>(changes(10));

        List<PlannedChange> passing = LedgerBench.passing(lasting, 5);

        assertThat(lasting).isEqualTo(changes(10).subList(0, 3));
        assertThat(passing).isEqualTo(changes(10).subList(3, 10));
    }

    @Test
    void consecutiveChangesMustBeIndependent() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LedgerBench.passing(new ArrayList<>(changes(9)), 5))
                .withMessage("only 6 changes can be made and reverted, not 7: give more --pods");
    }
}
