package dev.holdfast.policies.engine.breaker;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Tests how often all nodes are read because labels change. In each cluster, 100 nodes have the label load. */
class DynamicLabelsTest {
    private static final int NODES = 100;
    private static final BreakerSettings SETTINGS = BreakerSettings.defaults("holdfast");

    private final DynamicLabels labels = new DynamicLabels();
    private final AtomicInteger readings = new AtomicInteger();
    private final ClusterView cluster = counting(NODES);
    private Instant now = Instant.parse("2026-11-20T12:00:00Z");

    private ClusterView counting(int nodes) {
        ClusterBuilder facts = cluster();
        for (int i = 0; i < nodes; i++) {
            facts.node("n" + i, labels("load", "low"));
        }
        ClusterView view = facts.build();
        return (ClusterView) Proxy.newProxyInstance(
                ClusterView.class.getClassLoader(), new Class<?>[] {ClusterView.class}, (_, method, arguments) -> {
                    readings.addAndGet(method.getName().equals("nodes") ? 1 : 0);
                    return method.invoke(view, arguments);
                });
    }

    /** {@return how often the label was said to be dynamic} Each node changes once in each round. */
    private int changing(int nodes, int rounds, Duration each) {
        int told = 0;
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < nodes; i++) {
                labels.changed("load", "n" + i, now);
                told += labels.begin("load", cluster, SETTINGS, now).isPresent() ? 1 : 0;
            }
            now = now.plus(each);
        }
        return told;
    }

    @Test
    void aLabelThatChangesOnHalfOfTheNodesIsDynamicOnceAndTheNodesAreReadAFewTimes() {
        assertThat(changing(49, 100, Duration.ofMinutes(10))).isZero();
        assertThat(labels.has("load")).isFalse();
        assertThat(readings).hasValue(1);

        assertThat(changing(50, 4, Duration.ofHours(1))).isOne();

        assertThat(labels.has("load")).isTrue();
        assertThat(readings).hasValue(2);
    }

    @Test
    void whileALabelIsDynamicTheNodesAreReadOnceAnHour() {
        changing(NODES, 5, Duration.ofHours(1));
        int before = readings.get();

        changing(NODES, 120, Duration.ofMinutes(1));

        assertThat(readings.get() - before).isLessThanOrEqualTo(3);
        labels.sweep(now.plus(Duration.ofHours(23)));
        assertThat(labels.has("load")).isTrue();
    }

    @Test
    void aLabelThatIsDynamicNoLongerIsNamedOnce() {
        changing(NODES, 4, Duration.ofHours(1));

        assertThat(labels.sweep(now.plus(Duration.ofHours(20)))).isEmpty();
        assertThat(labels.sweep(now.plus(Duration.ofHours(25)))).containsExactly("load");
        assertThat(labels.sweep(now.plus(Duration.ofHours(26)))).isEmpty();
    }
}
