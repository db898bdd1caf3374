package dev.holdfast.policies.forgive;

import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

class ClocksTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Cause SEEN = new Cause.FoundAtStart();

    private final Clocks clocks = new Clocks();
    private final ViolationKey disk = key("web-1", "n1", "disk");
    private final ViolationKey gpu = key("web-1", "n1", "gpu");

    private static ViolationKey key(String pod, String node, String label) {
        return new ViolationKey(pod, node, nodeSelectorRule(label, "yes").identity());
    }

    private static Violation violation(ViolationKey key, int second) {
        return new Violation(key, START.plusSeconds(second), SEEN);
    }

    @Test
    void aStoppedClockLeavesTheOtherRuleOfThePodRunning() {
        clocks.put(violation(disk, 0));
        clocks.put(violation(gpu, 10));

        clocks.remove(disk);

        assertThat(clocks.find(disk)).isEmpty();
        assertThat(clocks.all()).containsExactly(violation(gpu, 10));
    }

    @Test
    void aRuleOfAPodIsFoundOnWhicheverNodeItBroke() {
        clocks.put(violation(disk, 0));

        assertThat(clocks.find("web-1", disk.rule())).contains(violation(disk, 0));
        assertThat(clocks.find("web-1", gpu.rule())).isEmpty();
        assertThat(clocks.find("web-2", disk.rule())).isEmpty();
    }

    @Test
    void theViolationsOfAPodAreThoseOfItsUidAlone() {
        clocks.put(violation(key("web", "n1", "disk"), 0));
        clocks.put(violation(gpu, 0));
        clocks.put(violation(disk, 0));
        ViolationKey zone = key("web-10", "n1", "zone");
        clocks.put(violation(zone, 0));

        assertThat(clocks.find("web-1", disk.rule())).contains(violation(disk, 0));
        assertThat(clocks.find("web-1", gpu.rule())).contains(violation(gpu, 0));
        assertThat(clocks.find("web-1", zone.rule())).isEmpty();
        assertThat(clocks.find("web", gpu.rule())).isEmpty();
    }

    @Test
    void aRestartSetsEveryBeginningAndKeepsEveryCause() {
        clocks.put(violation(disk, 0));
        clocks.put(violation(gpu, 10));

        clocks.restart(violation -> violation.since().plusSeconds(5));

        assertThat(clocks.all()).containsExactlyInAnyOrder(violation(disk, 5), violation(gpu, 15));
    }

    @Test
    void allViolationsComeByPodAndThenByKey() {
        ViolationKey other = key("web-0", "n1", "disk");
        clocks.put(violation(disk, 0));
        clocks.put(violation(other, 10));
        clocks.put(violation(gpu, 20));

        assertThat(clocks.all().stream().map(violation -> violation.key().podUid()))
                .containsExactly("web-1", "web-1", "web-0");
        assertThat(clocks.of("web-1")).isSortedAccordingTo(Comparator.comparing(Violation::key));
        assertThat(clocks.size()).isEqualTo(3);
    }

    @Test
    void aClockThatStartsAgainReplacesTheFirst() {
        clocks.put(violation(disk, 0));
        clocks.put(violation(disk, 10));

        assertThat(clocks.all()).containsExactly(violation(disk, 10));
        assertThat(clocks.size()).isOne();
    }
}
