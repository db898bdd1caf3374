package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.FORGIVENESS;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.tooComplex;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.WhenInfeasible;
import org.junit.jupiter.api.Test;

/** Tests what happens to a pod that is too complex to be read in full. */
class TooComplexTest {
    private static final String WHY = "it has 300 labels, and Holdfast reads at most 64";
    private static final Policy SSD = TestPolicies.asking("ssd", nodeSelectorRule("disk", "ssd"), WhenInfeasible.WAIT);

    private final EngineScenario engineScenario = EngineScenario.begin(
            cluster()
                    .node("n1", labels("disk", "hdd"))
                    .node("n2", labels("disk", "ssd"))
                    .pod("web-1", on("n1"), replicaOf("web"), tooComplex(WHY)),
            SSD);

    @Test
    void itIsNamedOnce() {
        engineScenario
                .happens(podChanged("web-1", on("n1"), replicaOf("web"), tooComplex(WHY)))
                .after(FORGIVENESS);

        assertThat(engineScenario.tooComplex)
                .containsExactly(new Effect.FoundTooComplex(
                        new NamespacedName("shop", "web-1"),
                        "web-1",
                        "Holdfast evaluates none of this pod's own rules and never evicts it: " + WHY));
        assertThat(engineScenario.tooComplex.getFirst().message())
                .isEqualTo("Holdfast evaluates none of this pod's own rules and never evicts it: " + WHY);
    }

    @Test
    void theRuleOfAPolicyIsEvaluatedForItAndHeld() {
        engineScenario.after(FORGIVENESS);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.held()).isEqualTo(Reason.TOO_COMPLEX);
        assertThat(engineScenario.heldBecause()).isEqualTo(WHY);
    }

    @Test
    void itIsCountedUntilItIsGone() {
        assertThat(engineScenario.activity().tooComplex()).isEqualTo(1);

        engineScenario.happens(podGone("web-1"));

        assertThat(engineScenario.activity().tooComplex()).isZero();
    }

    @Test
    void aShorterOneIsEvictedAsAnyOther() {
        engineScenario
                .happens(podChanged("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")))
                .after(FORGIVENESS);

        assertThat(engineScenario.activity().tooComplex()).isZero();
        assertThat(engineScenario.evicted()).containsExactly("web-1");
    }
}
