package dev.holdfast.policies.engine.backlog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** Tests which violations of pods p1 and p2 count, by rules a and b. */
class AddedViolationsTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final Instant LATER = NOON.plus(Duration.ofMinutes(10));
    private static final ViolationKey P1_A = key("p1", "aaaaaaaaaaaaaaaa");
    private static final ViolationKey P1_B = key("p1", "bbbbbbbbbbbbbbbb");
    private static final ViolationKey P2_A = key("p2", "aaaaaaaaaaaaaaaa");

    private final AddedViolations added = new AddedViolations(PolicyId.cluster("all"));

    private static ViolationKey key(String pod, String rule) {
        return new ViolationKey(pod, "n1", new RuleIdentity(rule));
    }

    @Test
    void aPodWithTwoViolationsCountsOnceUntilBothEnd() {
        added.add(P1_A, NOON);
        added.add(P1_B, NOON);
        added.add(P2_A, NOON);
        assertThat(added.pods()).isEqualTo(2);
        assertThat(added.podUids()).containsExactly("p1", "p2");

        added.remove(P1_B);
        assertThat(added.pods()).isEqualTo(2);
        added.remove(P1_A);
        added.remove(P1_A);
        assertThat(added.pods()).isEqualTo(1);
        assertThat(added.violations()).containsExactly(P2_A);
    }

    @Test
    void aViolationThatComesAgainCountsOnceAndFromThen() {
        added.add(P1_A, NOON);
        added.retire(P1_A);
        added.add(P1_A, LATER);
        assertThat(added.pods()).isEqualTo(1);
        assertThat(added.size()).isEqualTo(1);

        added.forgetBefore(LATER);
        assertThat(added.has(P1_A)).isTrue();
    }

    @Test
    void aPodIsGoneIfNoneOfItsViolationsCountsFromWhenItsLastOneCame() {
        added.add(P1_A, NOON);
        added.add(P1_B, LATER);
        added.add(P2_A, NOON);
        added.retire(P1_A);
        assertThat(added.gone()).isEmpty();

        added.retireAll(key -> !key.equals(P2_A));
        assertThat(added.gone()).containsExactly(LATER);
        assertThat(added.pods()).isEqualTo(1);
        assertThat(added.size()).isEqualTo(3);

        added.restore();
        assertThat(added.gone()).isEmpty();
        assertThat(added.pods()).isEqualTo(2);
        assertThat(added.violations()).containsExactly(P1_A, P1_B, P2_A);
    }

    @Test
    void whatCountsWithoutHavingComeIsForgottenFirst() {
        added.add(P1_A, NOON);
        added.count(P1_A);
        added.count(P2_A);
        assertThat(added.pods()).isEqualTo(2);

        added.forgetBefore(NOON);
        assertThat(added.violations()).containsExactly(P1_A);
        assertThat(added.pods()).isEqualTo(1);
    }

    @Test
    void aRetiredViolationThatCountsAgainHasComeWhenItCame() {
        added.add(P1_A, NOON);
        added.retireAll(_ -> true);
        added.count(P1_A);
        added.retireAll(_ -> true);
        assertThat(added.gone()).containsExactly(NOON);

        added.forgetBefore(LATER);
        assertThat(added.size()).isZero();
    }

    @Test
    void aViolationThatNeverCameIsNotRememberedOnceItNoLongerCounts() {
        added.count(P1_A);
        added.count(P1_B);
        added.retire(P1_A);
        added.retireAll(_ -> true);
        assertThat(added.size()).isZero();
    }
}
