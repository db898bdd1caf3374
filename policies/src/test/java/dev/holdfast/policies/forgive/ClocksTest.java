package dev.holdfast.policies.forgive;

import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** When clocks start, go on and are forgotten. */
class ClocksTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Cause SEEN = new Cause.FoundAtStart();
    private static final Cause PLACED = new Cause.PodPlaced("n1");
    private static final Breach NO_SSD = new Breach.NodeMismatch("n1", "disk In [ssd]");
    private static final Breach NO_GPU = new Breach.NodeMismatch("n1", "gpu Exists");
    private static final Verdict UNDETERMINED = new Verdict.Undetermined(Reason.NODE_MISSING, "n1");

    private final Clocks clocks = new Clocks();
    private final ViolationKey disk = key("web-1", "n1", "disk");
    private final ViolationKey gpu = key("web-1", "n1", "gpu");

    private static ViolationKey key(String pod, String node, String label) {
        return new ViolationKey(pod, node, nodeSelectorRule(label, "yes").identity());
    }

    private Clocks.Change observe(ViolationKey key, Verdict verdict, int second) {
        return clocks.observe(key, verdict, SEEN, START.plusSeconds(second));
    }

    @Test
    void undetermined_interrupts_and_leaves_the_other_rule_of_the_pod_running() {
        observe(disk, new Verdict.Violated(NO_SSD), 0);
        observe(gpu, new Verdict.Violated(NO_GPU), 0);

        Clocks.Change change = observe(disk, UNDETERMINED, 30);
        observe(disk, new Verdict.Violated(NO_SSD), 40);

        assertThat(change).isEqualTo(new Clocks.Change.Stopped(new Violation(disk, START, SEEN, NO_SSD), UNDETERMINED));
        assertThat(clocks.find(disk)).contains(new Violation(disk, START.plusSeconds(40), SEEN, NO_SSD));
        assertThat(clocks.find(gpu)).contains(new Violation(gpu, START, SEEN, NO_GPU));
    }

    @Test
    void a_rule_that_is_broken_in_another_way_keeps_its_beginning_and_its_cause() {
        observe(disk, new Verdict.Violated(NO_SSD), 0);

        Clocks.Change change = clocks.observe(disk, new Verdict.Violated(NO_GPU), PLACED, START.plusSeconds(30));

        assertThat(change).isEqualTo(new Clocks.Change.Goes(new Violation(disk, START, SEEN, NO_GPU)));
    }

    @Test
    void satisfied_forgets_and_where_nothing_ran_nothing_happens() {
        observe(disk, new Verdict.Violated(NO_SSD), 0);

        assertThat(observe(disk, Verdict.satisfied(), 30)).isInstanceOf(Clocks.Change.Stopped.class);
        assertThat(observe(disk, Verdict.satisfied(), 31)).isEqualTo(new Clocks.Change.None());
        assertThat(clocks.all()).isEmpty();
    }

    @Test
    void the_violations_of_a_pod_are_those_of_its_uid_alone() {
        observe(key("web", "n1", "disk"), new Verdict.Violated(NO_SSD), 0);
        observe(gpu, new Verdict.Violated(NO_GPU), 0);
        observe(disk, new Verdict.Violated(NO_SSD), 0);
        observe(key("web-10", "n1", "disk"), new Verdict.Violated(NO_SSD), 0);

        assertThat(clocks.of("web-1")).extracting(Violation::key).containsExactlyInAnyOrder(disk, gpu);
    }
}
