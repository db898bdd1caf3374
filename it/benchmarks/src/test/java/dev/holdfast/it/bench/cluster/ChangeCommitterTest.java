package dev.holdfast.it.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.it.bench.cluster.ChangeCommitter.Slot;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The schedule of the requests that make and revert label changes. */
class ChangeCommitterTest {
    @Test
    void aChangeHealsFiveFurtherChangesLater() {
        assertThat(ChangeCommitter.schedule(2))
                .containsExactly(
                        new Slot(0, 0, ChangeStep.BREAK),
                        new Slot(2, 1, ChangeStep.BREAK),
                        new Slot(11, 0, ChangeStep.HEAL),
                        new Slot(13, 1, ChangeStep.HEAL));
    }

    @Test
    void inBetweenThereIsOneOnEachBeatAndSixAreUnderWay() {
        List<Slot> slots = ChangeCommitter.schedule(100);

        assertThat(slots.stream().map(Slot::at).filter(at -> at >= 10 && at < 200))
                .hasSize(190)
                .doesNotHaveDuplicates();
        Set<Integer> open = new HashSet<>();
        int most = 0;
        for (Slot slot : slots) {
            if (slot.step() == ChangeStep.BREAK) {
                open.add(slot.change());
            } else {
                assertThat(open.remove(slot.change())).isTrue();
            }
            most = Math.max(most, open.size());
        }
        assertThat(most).isEqualTo(6).isLessThan(ChangeCommitter.APART);
        assertThat(open).isEmpty();
    }
}
