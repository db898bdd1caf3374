package dev.holdfast.policies.plan.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class NodeRejectionsTest {
    @Test
    void ofManyKindsTheFiveMostFrequentAreNamed() {
        NodeRejections nodeRejections = new NodeRejections();
        for (int kind = 1; kind <= 7; kind++) {
            for (int i = 0; i < kind; i++) {
                nodeRejections.add("short of gpu-" + kind);
            }
        }

        assertThat(nodeRejections.describe())
                .isEqualTo("of 28 other nodes: 7 short of gpu-7, 6 short of gpu-6, 5 short of gpu-5, 4 short of gpu-4,"
                        + " 3 short of gpu-3, 3 for other reasons");
    }
}
