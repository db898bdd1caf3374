package dev.holdfast.policies.plan.move;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.plan.move.TurnHistory.Turn;
import dev.holdfast.policies.rule.PolicyId;
import org.junit.jupiter.api.Test;

/** Which namespaces, and policies within them, were served last. */
class TurnHistoryTest {
    private final TurnHistory history = new TurnHistory();

    private static Turn turn(String namespace, String policy) {
        return new Turn(namespace, PolicyId.cluster(policy));
    }

    @Test
    void aNamespaceIsServedByEachOfItsPolicies() {
        history.served(turn("a", "first"));
        history.served(turn("b", "first"));
        history.served(turn("a", "second"));

        assertThat(history.last("a")).isEqualTo(3);
        assertThat(history.last("b")).isEqualTo(2);
        assertThat(history.last("c")).isZero();
        assertThat(history.last(turn("a", "first"))).isEqualTo(1);
        assertThat(history.last(turn("a", "second"))).isEqualTo(3);
    }

    @Test
    void tenThousandAreRememberedThoseServedLast() {
        history.served(turn("a", "policy"));
        history.served(turn("b", "policy"));
        history.served(turn("a", "policy"));
        for (int i = 1; i <= 9_999; i++) {
            history.served(turn("n" + i, "policy"));
        }

        assertThat(history.last("b")).isZero();
        assertThat(history.last("a")).isEqualTo(3);
        assertThat(history.last(turn("a", "policy"))).isEqualTo(3);
    }
}
