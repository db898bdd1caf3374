package dev.holdfast.policies.engine.backlog;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Tests which violations a backlog holds while violations join it, end and grow old. The cluster policies {@code all}
 * and {@code other} select the pods with the label {@code tier: front}; each such pod violates its nodeSelector on n1.
 * At most 10 pods of a policy need no acknowledgement.
 */
class PolicyBacklogsTest {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final PolicyId ALL = PolicyId.cluster("all");
    private static final PolicyId OTHER = PolicyId.cluster("other");

    private final LiveCluster cluster = new LiveCluster(Set.of());
    private final PolicyBacklogs backlogs =
            new PolicyBacklogs(cluster.index(), BreakerSettings.defaults("holdfast"), new ChangeCounter());

    @BeforeEach
    void elevenPodsViolateTheRulesOfBothPolicies() {
        cluster().node("n1", labels("disk", "hdd")).facts().forEach(cluster::apply);
        for (PolicyId policy : List.of(ALL, OTHER)) {
            cluster.index()
                    .put(PolicyDraft.of(policy, Mode.ENFORCE)
                            .pods(matcher(matchLabels("tier", "front")))
                            .podRules(Map.of(
                                    RuleKind.NODE_AFFINITY,
                                    new Enforcement(Mode.ENFORCE, Duration.ofMinutes(1), WhenInfeasible.WAIT)))
                            .policy());
        }
        IntStream.rangeClosed(1, 11).forEach(i -> broken("web-" + i));
    }

    private void broken(String name, PodTrait... more) {
        List<PodTrait> traits = new ArrayList<>(List.of(
                on("n1"), labels("tier", "front"), nodeSelector("disk", "ssd"), created(START.minusSeconds(60))));
        traits.addAll(List.of(more));
        cluster.apply(podChanged(name, traits.toArray(PodTrait[]::new)));
    }

    private ViolationKey key(String pod) {
        return new ViolationKey(
                pod, "n1", cluster.index().rulesOf(pod).getFirst().identity());
    }

    /** The violations of these pods come under a policy in one event. */
    private void widened(PolicyId policy, Instant now, int from, int to) {
        IntStream.rangeClosed(from, to).forEach(i -> widened(policy, "web-" + i));
        backlogs.decide(now);
    }

    private void widened(PolicyId policy, String pod) {
        backlogs.widened(policy, key(pod), () -> "a pause ended");
    }

    private boolean holds(PolicyId policy, String pod) {
        return backlogs.against(policy, key(pod)).isPresent();
    }

    private List<BrakeReport.Change> changes() {
        return backlogs.news().stream()
                .map(report -> ((BacklogReport) report).change())
                .toList();
    }

    @Test
    void aNewPodJoinsABacklogThatHoldsAPodOfItsNamespace() {
        widened(ALL, START, 1, 11);
        broken("lab-1", in("lab"));
        broken("lab-2", in("lab"), created(START.plusSeconds(5)));
        backlogs.begin(key("lab-2"));
        assertThat(holds(ALL, "lab-2")).as("before a pod of lab joined").isFalse();

        widened(ALL, "lab-1");
        backlogs.decide(START.plusSeconds(10));
        backlogs.begin(key("lab-2"));

        assertThat(holds(ALL, "lab-1")).isTrue();
        assertThat(holds(ALL, "lab-2")).isTrue();
    }

    @Test
    void aViolationThatComesAgainDuringTheBacklogCountsFromThenOn() {
        widened(ALL, START, 1, 11);
        widened(ALL, START.plus(Duration.ofMinutes(50)), 1, 10);
        backlogs.end(key("web-11"));
        assertThat(changes()).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);

        backlogs.sweep(START.plus(Duration.ofMinutes(70)));
        broken("web-12");
        widened(ALL, START.plus(Duration.ofMinutes(71)), 12, 12);

        assertThat(holds(ALL, "web-1"))
                .as("ten pods within an hour and one more")
                .isTrue();
    }

    @Test
    void theBacklogsOfTwoPoliciesCountAViolationEachForItself() {
        widened(ALL, START, 1, 11);
        widened(OTHER, START, 1, 11);
        assertThat(backlogs.size()).isEqualTo(4 * 11);

        backlogs.forget(ALL);
        broken("web-12");
        widened(ALL, START, 1, 12);
        assertThat(holds(ALL, "web-1")).isTrue();
        assertThat(holds(OTHER, "web-1")).isTrue();

        backlogs.end(key("web-1"));
        assertThat(holds(ALL, "web-2")).as("11 of 12 are left").isTrue();
        assertThat(holds(OTHER, "web-2")).as("10 of 11 are left").isFalse();
    }

    @Test
    void aPodThatLeftABacklogCountsInTheNextOne() {
        broken("web-12");
        broken("web-13");
        widened(ALL, START, 1, 12);
        ViolationKey leaving = key("web-1");
        broken("web-1", labels("tier", "back"));
        backlogs.requestsChanged(leaving);
        backlogs.decide(START.plusSeconds(1));
        backlogs.end(key("web-2"));
        assertThat(changes()).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);

        broken("web-1");
        widened(ALL, START.plusSeconds(2), 13, 13);

        assertThat(holds(ALL, "web-1")).isTrue();
    }

    @Test
    void aBacklogEndsWhenItsGonePodsAreAnHourOld() {
        widened(ALL, START, 1, 5);
        IntStream.rangeClosed(1, 5).forEach(i -> cluster.apply(podGone("web-" + i)));
        widened(ALL, START.plus(Duration.ofMinutes(30)), 6, 11);
        assertThat(holds(ALL, "web-6")).as("6 pods beside 5 within an hour").isTrue();

        backlogs.sweep(START.plus(Duration.ofMinutes(60)));
        assertThat(holds(ALL, "web-6")).as("after exactly an hour").isTrue();

        backlogs.sweep(START.plus(Duration.ofMinutes(61)));
        assertThat(holds(ALL, "web-6")).isFalse();
        assertThat(changes()).containsExactly(BrakeReport.Change.OPENED, BrakeReport.Change.HEALED);
    }

    @Test
    void aBacklogForgetsNoViolationHoweverOldItIs() {
        widened(ALL, START, 1, 11);

        backlogs.sweep(START.plus(Duration.ofHours(2)));

        assertThat(holds(ALL, "web-1")).isTrue();
        assertThat(backlogs.against(ALL))
                .hasValueSatisfying(hold -> assertThat(hold.message())
                        .startsWith("since a pause ended, the policy would move 11 of its 11 pods, more than 10: "));
    }

    @Test
    void withoutABacklogViolationsAreForgottenAfterAnHour() {
        widened(ALL, START, 1, 5);
        assertThat(backlogs.size()).isEqualTo(5);

        backlogs.sweep(START.plus(Duration.ofMinutes(61)));

        assertThat(backlogs.size()).isZero();
    }
}
