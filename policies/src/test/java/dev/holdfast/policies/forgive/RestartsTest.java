package dev.holdfast.policies.forgive;

import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestartsTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final PolicyId WEB = PolicyId.namespaced("shop", "web");
    private static final PolicyId ALL = PolicyId.cluster("all");
    private static final ViolationKey DISK =
            new ViolationKey("web-1", "n1", nodeSelectorRule("disk", "ssd").identity());

    private final Restarts restarts = new Restarts();

    @Test
    void eachPolicyHasItsOwnLastRestart() {
        restarts.restart(DISK, WEB, START);
        restarts.restart(DISK, ALL, START.plusSeconds(5));
        restarts.restart(DISK, WEB, START.plusSeconds(9));

        assertThat(restarts.of(DISK, WEB)).isEqualTo(START.plusSeconds(9));
        assertThat(restarts.of(DISK, ALL)).isEqualTo(START.plusSeconds(5));
        assertThat(restarts.size()).isOne();
    }

    @Test
    void aForgivenessThatNeverRestartedCountsFromTheBeginning() {
        restarts.restart(DISK, WEB, START);

        assertThat(restarts.of(DISK, ALL)).isEqualTo(Instant.MIN);
    }

    @Test
    void onlyTheRestartsOfRetainedPoliciesAreLeft() {
        restarts.replace(DISK, Map.of(WEB, START, ALL, START));

        restarts.retain(DISK, ALL::equals);

        assertThat(restarts.of(DISK, ALL)).isEqualTo(START);
        assertThat(restarts.of(DISK, WEB)).isEqualTo(Instant.MIN);
    }

    @Test
    void aViolationWithoutRestartsTakesNoMemory() {
        restarts.restart(DISK, WEB, START);
        restarts.retain(DISK, ALL::equals);
        assertThat(restarts.size()).isZero();

        restarts.restart(DISK, WEB, START);
        restarts.replace(DISK, Map.of());
        assertThat(restarts.size()).isZero();
    }
}
