package dev.holdfast.policies.index.count;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerdictGroupTest {
    private static final int MANY = 1000;

    @Test
    void aGroupScaledUpAndDownHasTheRoomOfAFewHolders() {
        VerdictGroup verdictGroup = new VerdictGroup.Broken();
        List<SeatedPod> holders = IntStream.range(0, MANY)
                .mapToObj(i -> new SeatedPod("web-" + i, true))
                .toList();
        holders.forEach(holder -> holder.joinGroup(0, verdictGroup));
        assertThat(verdictGroup.room()).isGreaterThanOrEqualTo(MANY);
        holders.subList(1, MANY).forEach(holder -> holder.leave(0));
        assertThat(verdictGroup.size()).isEqualTo(1);
        assertThat(verdictGroup.room()).isLessThanOrEqualTo(5);
    }
}
