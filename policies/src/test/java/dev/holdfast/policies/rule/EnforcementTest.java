package dev.holdfast.policies.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which edits of an enforcement allow more evictions than before. */
class EnforcementTest {
    private static final Enforcement BEFORE = enforcement(Mode.ENFORCE, 60, WhenInfeasible.WAIT);

    private static Enforcement enforcement(Mode mode, int seconds, WhenInfeasible whenInfeasible) {
        return new Enforcement(mode, Duration.ofSeconds(seconds), whenInfeasible);
    }

    private static WhenInfeasible after(int seconds) {
        return WhenInfeasible.evictAfter(Duration.ofSeconds(seconds));
    }

    private static Enforcement rebalancing() {
        return new Enforcement(BEFORE.mode(), BEFORE.forgiveness(), BEFORE.whenInfeasible(), WhenDomainAdded.REBALANCE);
    }

    private static Enforcement lowestPriority() {
        return new Enforcement(
                BEFORE.mode(),
                BEFORE.forgiveness(),
                BEFORE.whenInfeasible(),
                BEFORE.whenDomainAdded(),
                VictimChoice.LOWEST_PRIORITY);
    }

    static Stream<Arguments> edits() {
        return Stream.of(
                argumentSet("none", BEFORE, BEFORE, false),
                argumentSet("Audit to Enforce", enforcement(Mode.AUDIT, 60, WhenInfeasible.WAIT), BEFORE, true),
                argumentSet("Enforce to Audit", BEFORE, enforcement(Mode.AUDIT, 60, WhenInfeasible.WAIT), false),
                argumentSet("a second shorter", BEFORE, enforcement(Mode.ENFORCE, 59, WhenInfeasible.WAIT), true),
                argumentSet("a second longer", BEFORE, enforcement(Mode.ENFORCE, 61, WhenInfeasible.WAIT), false),
                argumentSet("Wait to Evict", BEFORE, enforcement(Mode.ENFORCE, 60, WhenInfeasible.EVICT), true),
                argumentSet("Evict to Wait", enforcement(Mode.ENFORCE, 60, WhenInfeasible.EVICT), BEFORE, false),
                argumentSet("Wait to EvictAfter", BEFORE, enforcement(Mode.ENFORCE, 60, after(600)), true),
                argumentSet("EvictAfter to Wait", enforcement(Mode.ENFORCE, 60, after(600)), BEFORE, false),
                argumentSet(
                        "EvictAfter to Evict",
                        enforcement(Mode.ENFORCE, 60, after(600)),
                        enforcement(Mode.ENFORCE, 60, WhenInfeasible.EVICT),
                        true),
                argumentSet(
                        "Evict to EvictAfter",
                        enforcement(Mode.ENFORCE, 60, WhenInfeasible.EVICT),
                        enforcement(Mode.ENFORCE, 60, after(600)),
                        false),
                argumentSet(
                        "a second less to EvictAfter",
                        enforcement(Mode.ENFORCE, 60, after(600)),
                        enforcement(Mode.ENFORCE, 60, after(599)),
                        true),
                argumentSet(
                        "a second more to EvictAfter",
                        enforcement(Mode.ENFORCE, 60, after(600)),
                        enforcement(Mode.ENFORCE, 60, after(601)),
                        false),
                argumentSet("new domains: Hold to Rebalance", BEFORE, rebalancing(), true),
                argumentSet("new domains: Rebalance to Hold", rebalancing(), BEFORE, false),
                argumentSet("the rule owner to the lowest priority", BEFORE, lowestPriority(), true),
                argumentSet("lowest priority to rule owner: others may be moved now", lowestPriority(), BEFORE, true),
                argumentSet(
                        "longer, but Wait to Evict",
                        BEFORE,
                        enforcement(Mode.ENFORCE, 600, WhenInfeasible.EVICT),
                        true));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void anEditGoesFurtherIfItAllowsAnythingNew(Enforcement before, Enforcement after, boolean further) {
        assertThat(after.isWiderThan(before)).isEqualTo(further);
    }
}
