package dev.holdfast.policies.plan.capacity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Reason;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests the message of a pod that no node would take, behind words about the pods that should have moved with it. */
class InfeasibilityTest {
    private static final String BEFORE = "there are nodes for only 1 of the pods; for the next pod, ";

    @Test
    void theMessageForTenantsGetsTheSameWordsInFrontOfIt() {
        Infeasibility next = new Infeasibility(
                Reason.CONTRADICTS,
                "policies secret and shop/own cannot both hold",
                Optional.of("they cannot both hold"));

        assertThat(next.after(Reason.DOMAIN_ADDED, BEFORE))
                .isEqualTo(new Infeasibility(
                        Reason.DOMAIN_ADDED,
                        BEFORE + "policies secret and shop/own cannot both hold",
                        Optional.of(BEFORE + "they cannot both hold")));
    }

    @Test
    void aMessageThatAllMayReadStaysOne() {
        assertThat(new Infeasibility(Reason.INFEASIBLE, "2 nodes are full").after(Reason.DOMAIN_ADDED, BEFORE))
                .isEqualTo(new Infeasibility(Reason.DOMAIN_ADDED, BEFORE + "2 nodes are full"));
    }
}
