package dev.holdfast.it.bench.peer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class DeschedulerTest {
    @Test
    void itsVersionIsPinned() {
        assertThat(Descheduler.version()).isEqualTo("v0.36.0");
    }

    @Test
    void theNodesAtWhichALimitStoppedItAreKnown() {
        assertThat(Descheduler.stoppedAt(List.of(
                        "I1121 19:07:56.000300   32163 node_affinity.go:143] \"Evicting pod\""
                                + " plugin=\"RemovePodsViolatingNodeAffinity\" pod=\"bench/ssd-1\" node=\"n3\"",
                        "E1121 19:07:56.000418   32163 evictions.go:534] \"Error evicting pod\""
                                + " err=\"maximum number of evicted pods per node reached\" limit=0 node=\"n1\"",
                        "E1121 19:07:56.035394   32163 evictions.go:534] \"Error evicting pod\""
                                + " err=\"maximum number of evicted pods per node reached\" limit=0 node=\"n2\"")))
                .containsExactlyInAnyOrder("n1", "n2");
    }
}
