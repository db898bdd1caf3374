package dev.holdfast.policies.forgive;

import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class DeadlinesTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final RuleIdentity RULE = nodeSelectorRule("disk", "ssd").identity();

    private final Deadlines deadlines = new Deadlines();
    private final ViolationKey a = new ViolationKey("a", "n1", RULE);
    private final ViolationKey b = new ViolationKey("b", "n1", RULE);
    private final ViolationKey c = new ViolationKey("c", "n1", RULE);

    private static Instant at(int second) {
        return START.plusSeconds(second);
    }

    @BeforeEach
    void three() {
        deadlines.put(c, at(10));
        deadlines.put(b, at(20));
        deadlines.put(a, at(20));
    }

    @Test
    void dueIsWhatHasItsDeadlineNowOrBeforeFirstDueFirst() {
        assertThat(deadlines.dueAt(at(9))).isEmpty();
        assertThat(deadlines.dueAt(at(10))).containsExactly(c);
        assertThat(deadlines.dueAt(at(20))).containsExactly(c, a, b);
    }

    @Test
    void betweenTwoLooksComesDueWhatWasNotDueAtTheFirst() {
        assertThat(deadlines.dueBetween(Instant.MIN, at(10))).containsExactly(c);
        assertThat(deadlines.dueBetween(at(10), at(19))).isEmpty();
        assertThat(deadlines.dueBetween(at(10), at(20))).containsExactly(a, b);
        assertThat(deadlines.dueBetween(at(20), at(30))).isEmpty();
    }

    @Test
    void theNextDeadlineIsTheFirstThatIsNotDueYet() {
        assertThat(deadlines.nextAfter(at(0))).contains(at(10));
        assertThat(deadlines.nextAfter(at(10))).contains(at(20));
        assertThat(deadlines.nextAfter(at(20))).isEmpty();
    }

    @Test
    void aDeadlineSetAgainReplacesTheOneBefore() {
        deadlines.put(c, at(30));

        assertThat(deadlines.of(c)).isEqualTo(at(30));
        assertThat(deadlines.dueAt(at(20))).containsExactly(a, b);
        assertThat(deadlines.size()).isEqualTo(3);
    }

    @Test
    void whatIsRemovedIsNotDueAndRemovingItTwiceIsNoMatter() {
        deadlines.remove(c);
        deadlines.remove(c);

        assertThat(deadlines.first()).contains(at(20));
        assertThat(deadlines.size()).isEqualTo(2);
    }
}
