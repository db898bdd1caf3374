package dev.holdfast.operator.offline.check.watch;

import static dev.holdfast.operator.offline.check.watch.WatchedShop.HDD;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.SSD;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.START;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.changed;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.pod;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.policy;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.read;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.watched;
import static dev.holdfast.operator.offline.check.watch.WatchedShop.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.policies.model.ClusterEvent;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What changes of objects and policies lead to in a cluster whose pods want an SSD. */
class WatchedClusterTest {
    private static final String AUDIT = policy("keep", "mode: Audit", "");
    private static final String OTHERS =
            policy("others", "mode: Audit", "").replace("podSelector: {}", "podSelector: {matchLabels: {app: none}}");
    private static final String ENFORCE = policy("keep", "mode: Enforce, forgivenessSeconds: 600", "");
    private static final String OTHER_POLICIES = ": other policies select the pod, or none does";

    static Stream<Arguments> objects() {
        String web = pod("web", "n1", "");
        return Stream.of(
                argumentSet("nothing of interest", HDD, changed(web), List.of()),
                argumentSet(
                        "the label of its node comes back",
                        HDD,
                        changed(SSD),
                        List.of("ENDED web: label disk of node n1 changed hdd -> ssd")),
                argumentSet(
                        "the label of its node changes",
                        SSD,
                        changed(HDD),
                        List.of("BEGAN web: label disk of node n1 changed ssd -> hdd")),
                argumentSet(
                        "it is gone", HDD, new ClusterEvent.PodGone("uid-web"), List.of("ENDED web: the pod is gone")),
                argumentSet(
                        "it is being deleted",
                        HDD,
                        changed(pod("web", "n1", ", deletionTimestamp: \"2026-11-20T12:00:00Z\"")),
                        List.of("ENDED web: the pod is being deleted")),
                argumentSet(
                        "its node is gone",
                        HDD,
                        new ClusterEvent.NodeGone("n1"),
                        List.of("ENDED web: no verdict is possible: node n1 was removed")),
                argumentSet(
                        "it is no longer listed",
                        HDD,
                        changed(web.replace("labels: {", "labels: {hidden: yes1, ")),
                        List.of("ENDED web: the pod no longer has the labels of --selector")),
                argumentSet(
                        "a pod comes that is not listed",
                        HDD,
                        changed(pod("db", "n1", "").replace("labels: {", "labels: {hidden: yes1, ")),
                        List.of()),
                argumentSet(
                        "another pod comes",
                        HDD,
                        changed(pod("db", "n1", "")),
                        List.of("BEGAN db: the pod was bound to n1")));
    }

    @ParameterizedTest
    @MethodSource("objects")
    void aChangeOfAnObjectIsToldWithItsCause(String node, ClusterEvent event, List<String> expected) {
        for (ReadCluster policies : List.of(read(), read(AUDIT))) {
            WatchedCluster cluster = watched(false, read(node, pod("web", "n1", ""), text(policies)));

            assertThat(words(cluster.apply(event, START))).isEqualTo(expected);
            assertThat(words(cluster.apply(event, START))).as("the same again").isEmpty();
        }
    }

    private static String text(ReadCluster policies) {
        return policies.policyObjects().stream()
                .map(Object::toString)
                .findFirst()
                .orElse("");
    }

    static Stream<Arguments> policies() {
        return Stream.of(
                argumentSet("the first policy selects it", false, "", AUDIT, List.of()),
                argumentSet(
                        "the first policy selects others", false, "", OTHERS, List.of("ENDED web" + OTHER_POLICIES)),
                argumentSet("the last policy is gone", false, OTHERS, "", List.of("BEGAN web" + OTHER_POLICIES)),
                argumentSet("a policy of others, beside the pod's own rules", true, "", OTHERS, List.of()),
                argumentSet("only the status changes", false, AUDIT, policy("keep", "mode: Audit", "{}"), List.of()),
                argumentSet(
                        "another policy selects it",
                        false,
                        OTHERS,
                        AUDIT,
                        List.of("BEGAN web: policy shop/keep requested the rule")),
                argumentSet(
                        "the policy is disabled",
                        false,
                        AUDIT,
                        policy("keep", "mode: Disabled", ""),
                        List.of("ENDED web: policy shop/keep no longer requests the rule")));
    }

    @ParameterizedTest
    @MethodSource("policies")
    void aChangeOfPoliciesIsToldAsCheckWouldListIt(
            boolean ownRules, String before, String after, List<String> expected) {
        WatchedCluster cluster = watched(ownRules, read(HDD, pod("web", "n1", ""), before));

        assertThat(words(cluster.put(read(after), START))).isEqualTo(expected);
    }

    @Test
    void aPodThatAPolicyBeginsToSelectIsNoLongerHeldToItsOwnRules() {
        String none = policy("keep", "mode: Audit, podRules: [{kind: PodAffinity}]", "")
                .replace("podSelector: {}", "podSelector: {matchLabels: {tier: a}}");
        WatchedCluster cluster = watched(true, read(HDD, pod("web", "n1", ""), none));

        assertThat(words(
                        cluster.apply(changed(pod("web", "n1", "").replace("labels: {", "labels: {tier: a, ")), START)))
                .containsExactly("ENDED web" + OTHER_POLICIES);
    }

    @Test
    void aPodWhoseNodeAPolicyBeginsToSelectIsNoLongerHeldToItsOwnRules() {
        String none = policy("keep", "nodeSelector: {matchLabels: {pool: a}}, podRules: [{kind: PodAffinity}]", "");
        WatchedCluster cluster = watched(true, read(HDD, pod("web", "n1", ""), none));

        assertThat(words(cluster.apply(changed(HDD.replace("labels: {", "labels: {pool: a, ")), START)))
                .containsExactly("ENDED web" + OTHER_POLICIES);
    }

    @Test
    void whatBeginsWhileWatchedIsDueWhenItsForgivenessHasPassed() {
        WatchedCluster cluster = watched(false, read(SSD, pod("web", "n1", ""), ENFORCE));
        assertThat(cluster.nextDue()).isEmpty();

        List<ViolationChange> began = cluster.apply(changed(HDD), START);

        assertThat(began).extracting(it -> it.violation().state()).containsExactly(ViolationState.ENFORCED);
        assertThat(cluster.due(START)).isEmpty();
        assertThat(cluster.nextDue()).contains(START.plusSeconds(600));
        assertThat(cluster.due(START.plusSeconds(599))).isEmpty();
        List<ViolationChange> due = cluster.due(START.plusSeconds(600));
        assertThat(words(due)).containsExactly("DUE web: the forgiveness has passed");
        assertThat(due).extracting(it -> it.violation().state()).containsExactly(ViolationState.DUE);
        assertThat(cluster.due(START.plusSeconds(601))).isEmpty();
        assertThat(cluster.nextDue()).isEmpty();
    }

    @Test
    void anAnnotationOfThePodLengthensTheForgiveness() {
        String patient = pod("web", "n1", ", annotations: {holdfast.dev/forgiveness-seconds: \"3600\"}");
        WatchedCluster cluster = watched(false, read(SSD, patient, ENFORCE));

        cluster.apply(changed(HDD), START);

        assertThat(cluster.nextDue()).contains(START.plus(Duration.ofHours(1)));
    }

    @Test
    void withoutForgivenessItIsDueAtOnce() {
        WatchedCluster cluster = watched(
                false, read(SSD, pod("web", "n1", ""), policy("keep", "mode: Enforce, forgivenessSeconds: 0", "")));

        cluster.apply(changed(HDD), START);

        assertThat(words(cluster.due(START))).containsExactly("DUE web: the forgiveness has passed");
    }

    @Test
    void ofWhatWasThereAtTheStartOnlyTheStatusOfAPolicySaysWhenItIsDue() {
        WatchedCluster cluster = watched(false, read(HDD, pod("web", "n1", ""), ENFORCE));
        assertThat(cluster.nextDue()).isEmpty();

        String deadline = "{pod: web, node: n1, rule: NodeAffinity, deadlineTime: \"2026-11-20T12:05:00Z\"}";
        assertThat(cluster.put(read(policy("keep", "mode: Enforce, forgivenessSeconds: 600", deadline)), START))
                .isEmpty();

        assertThat(cluster.nextDue()).contains(START.plusSeconds(300));
        assertThat(words(cluster.due(START.plusSeconds(300)))).containsExactly("DUE web: the forgiveness has passed");
    }

    @Test
    void whatIsDueAtTheStartIsNotToldAgain() {
        WatchedCluster cluster = watched(
                false, read(HDD, pod("web", "n1", ""), policy("keep", "mode: Enforce, forgivenessSeconds: 0", "")));

        assertThat(cluster.due(START)).isEmpty();
        assertThat(cluster.nextDue()).isEmpty();
    }

    @Test
    void anAuditedViolationIsNeverDue() {
        WatchedCluster cluster = watched(
                false, read(SSD, pod("web", "n1", ""), policy("keep", "mode: Audit, forgivenessSeconds: 0", "")));

        cluster.apply(changed(HDD), START);

        assertThat(cluster.nextDue()).isEmpty();
    }

    @Test
    void anExceptionPutsOffWhenItIsDue() {
        String excepted = policy(
                "keep",
                "mode: Enforce, forgivenessSeconds: 600, exceptions: [{name: move, podSelector: {}, reason: move,"
                        + " expirationTime: \"2026-11-20T13:00:00Z\"}]",
                "");
        WatchedCluster cluster = watched(false, read(SSD, pod("web", "n1", ""), excepted));

        List<ViolationChange> began = cluster.apply(changed(HDD), START);

        assertThat(began).extracting(it -> it.violation().state()).containsExactly(ViolationState.EXCEPTED);
        assertThat(cluster.nextDue()).contains(START.plus(Duration.ofHours(1)));
    }
}
