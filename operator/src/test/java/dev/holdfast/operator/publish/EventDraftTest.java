package dev.holdfast.operator.publish;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.rule.PolicyId;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class EventDraftTest {
    private static EventDraft note(EventTarget target, EventReason reason, String rule, String message) {
        return new EventDraft(target, reason, Optional.of(Samples.POLICY), rule, message, Optional.empty());
    }

    private static final EventTarget POD = EventTarget.pod(Samples.violation().owner());

    @Test
    void theSameAgainHasTheSameName() {
        assertThat(note(POD, EventReason.PLACEMENT_VIOLATED, "ssd", "one").name())
                .isEqualTo(
                        note(POD, EventReason.PLACEMENT_VIOLATED, "ssd", "two").name())
                .matches("web-1\\.[0-9a-f]{16}");
    }

    @Test
    void anotherReasonRuleOrObjectHasAnotherName() {
        EventTarget sameNameLater = new EventTarget("v1", "Pod", Optional.of("shop"), "web-1", "another-uid");

        assertThat(Set.of(
                        note(POD, EventReason.PLACEMENT_VIOLATED, "ssd", "m").name(),
                        note(POD, EventReason.PLACEMENT_HEALED, "ssd", "m").name(),
                        note(POD, EventReason.PLACEMENT_VIOLATED, "zone", "m").name(),
                        note(sameNameLater, EventReason.PLACEMENT_VIOLATED, "ssd", "m")
                                .name()))
                .hasSize(4);
    }

    @Test
    void aLongNameAndALongMessageAreCut() {
        EventTarget pod = new EventTarget("v1", "Pod", Optional.of("shop"), "p".repeat(253), "uid");
        EventDraft note = note(pod, EventReason.PLACEMENT_VIOLATED, "ssd", "m".repeat(2_000));

        assertThat(note.name()).hasSize(253).startsWith("ppp");
        assertThat(note.message()).hasSize(1_024).endsWith("mm...");
    }

    @Test
    void eventsOfAClusterPolicyAreKeptInDefault() {
        assertThat(EventTarget.policy(PolicyId.cluster("audit"), "uid").eventNamespace())
                .isEqualTo("default");
        assertThat(EventTarget.policy(Samples.POLICY, "uid").eventNamespace()).isEqualTo("shop");
    }
}
