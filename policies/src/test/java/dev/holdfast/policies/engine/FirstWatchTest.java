package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.rule.Policy;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Tests that a replica watches for 30 s before it acts, even for a policy that forgives nothing. */
class FirstWatchTest {
    private static EngineScenario scenario(String diskOfFirst) {
        return EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", diskOfFirst))
                        .node("n2", labels("disk", "ssd"))
                        .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                forgivingNothing());
    }

    private static Policy forgivingNothing() {
        return TestPolicies.enforcing("web", Duration.ZERO);
    }

    @Test
    void whatWasBrokenAtTheStartIsDueAfterThirtySeconds() {
        EngineScenario engineScenario = scenario("hdd").afterSeconds(29);
        assertThat(engineScenario.requests).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web-1");
    }

    @Test
    void whatBreaksLaterIsDueAtOnce() {
        EngineScenario engineScenario = scenario("ssd").afterSeconds(31);

        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void afterALongTimeWithoutAViewItWatchesAgainForThirtySeconds() {
        EngineScenario engineScenario = scenario("ssd").afterSeconds(60).loses(View.NODES);
        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(31);

        engineScenario.event(new Event.ViewSynced(View.NODES)).afterSeconds(29);
        assertThat(engineScenario.requests).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web-1");
    }

    @Test
    void afterAShortTimeWithoutAViewItDoesNot() {
        EngineScenario engineScenario = scenario("ssd").afterSeconds(60).loses(View.NODES);
        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd"))).afterSeconds(5);

        engineScenario.event(new Event.ViewSynced(View.NODES)).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }

    @Test
    void aLongerForgivenessIsNotLengthened() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .node("n2", labels("disk", "ssd"))
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                        TestPolicies.enforcing())
                .after(FORGIVENESS);

        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }
}
