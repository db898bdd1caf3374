package dev.holdfast.policies.engine.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MoveRecallTest {
    @ParameterizedTest(name = "each of {0} moves has room for {1} pods of its scope")
    @CsvSource({"0, 500", "1, 500", "20, 500", "21, 476", "1000, 10"})
    void movesShareTheRoomForPodsThatConflictEqually(int moves, int pods) {
        assertThat(MoveRecall.mostConflicting(moves)).isEqualTo(pods);
    }
}
