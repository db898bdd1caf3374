package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Facts.marks;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.move.ChangeCounter;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Tests of which namespaces the acknowledged ids are kept. */
class UnusedIdsTest {
    private final Breakers breakers = new Breakers(
            new LiveCluster(Set.of()),
            BreakerSettings.defaults("holdfast"),
            OperatorLimits.defaults(),
            new ChangeCounter());

    private static ClusterEvent namespace(String name, String... annotations) {
        return new ClusterEvent.NamespaceChanged(new Namespace(name, 1, Labels.none(), marks(annotations)));
    }

    @Test
    void theOperatorsOwnNamespaceKeepsThem() {
        ClusterEvent own = namespace("holdfast", "holdfast.dev/acknowledge", "disk@1", "holdfast.dev/keep", "true");

        assertThat(breakers.withoutUnusedIds(own)).isEqualTo(own);
    }

    @Test
    void anotherNamespaceKeepsOnlyItsOtherAnnotations() {
        assertThat(breakers.withoutUnusedIds(
                        namespace("shop", "holdfast.dev/acknowledge", "disk@1", "holdfast.dev/keep", "true")))
                .isEqualTo(namespace("shop", "holdfast.dev/keep", "true"));
    }
}
