package dev.holdfast.policies.engine.backlog;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.engine.TestPolicies.everywhere;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes.Part;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.move.ChangeCounter;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests what the ledger has of backlogs. Most hold pods p1, p2 and p3 of the namespaces bank and shop. */
class RememberedBacklogTest {
    private static final Instant WRITTEN = Instant.parse("2026-11-20T12:00:00Z");
    private static final List<String> NAMESPACES = List.of("bank", "shop");

    private static Optional<Part> part(boolean holdsAll, int mostNamespaces, int mostPods) {
        AddedViolations pods = new AddedViolations(PolicyId.cluster("all"));
        Stream.of("p3", "p1", "p2")
                .forEach(uid -> pods.count(new ViolationKey(uid, "n1", new RuleIdentity("0123456789abcdef"))));
        return new Backlog(
                        "backlog@1",
                        "it was edited",
                        1,
                        pods,
                        List.of(),
                        9,
                        2,
                        3,
                        holdsAll,
                        Set.copyOf(NAMESPACES),
                        Instant.EPOCH)
                .remembered(PolicyId.cluster("all"), 1, mostNamespaces, mostPods)
                .part();
    }

    @Test
    void theUidsOfThreePodsAreStoredIfThereIsRoomForThree() {
        assertThat(part(false, 2, 3)).contains(new Part(NAMESPACES, Optional.of(List.of("p1", "p2", "p3"))));
    }

    @Test
    void onlyTheNamespacesOfThreePodsAreStoredIfThereIsRoomForTwo() {
        assertThat(part(false, 2, 2)).contains(new Part(NAMESPACES, Optional.empty()));
    }

    @Test
    void aBacklogOfTwoNamespacesIsStoredAsOneOfAllPodsIfThereIsRoomForOne() {
        assertThat(part(false, 1, 3)).isEmpty();
    }

    @Test
    void aBacklogThatHoldsAllPodsIsStoredWithoutThem() {
        assertThat(part(true, 2, 3)).isEmpty();
    }

    private static boolean isHeld(String namespace, Instant created, Optional<List<String>> pods) {
        Pod pod = cluster()
                .node("n1")
                .pod("web-1", in(namespace), on("n1"), created(created))
                .build()
                .pods()
                .iterator()
                .next();
        return Backlog.held(pod, Set.copyOf(NAMESPACES), pods.map(Set::copyOf), WRITTEN);
    }

    @Test
    void aPodWithoutItsUidIsHeldOnlyIfItIsYoungerOrTheUidsAreUnknown() {
        assertThat(isHeld("shop", WRITTEN.plusSeconds(1), Optional.of(List.of("p1"))))
                .isTrue();
        assertThat(isHeld("shop", WRITTEN, Optional.of(List.of("p1")))).isFalse();
        assertThat(isHeld("shop", WRITTEN, Optional.empty())).isTrue();
        assertThat(isHeld("other", WRITTEN.plusSeconds(1), Optional.empty())).isFalse();
    }

    /** The ledger has only 500 of them, and the next process makes the others again. */
    @Test
    void noBacklogIsLiftedIfThereAreVeryMany() {
        LiveCluster cluster = elevenBroken();
        for (int i = 1; i <= 505; i++) {
            cluster.index().put(everywhere(enforcing("web-" + i, Duration.ofSeconds(60))));
        }
        Set<ViolationKey> present = new HashSet<>();
        cluster.index().forEachBroken((pod, rule) -> present.add(new ViolationKey(pod.uid(), "n1", rule.identity())));
        PolicyBacklogs before = backlogs(cluster);
        before.unseen(cluster.index().policies(), Optional.of("the operator began to enforce"), present, WRITTEN);
        assertThat(before.takenOver()).isEmpty();
        assertThat(before.news()).hasSize(505);

        PolicyBacklogs after = backlogs(cluster);
        after.recall(before.remembered(), WRITTEN, WRITTEN, present, WRITTEN.plusSeconds(10));

        assertThat(before.remembered()).hasSize(500);
        assertThat(cluster.index().policies())
                .hasSize(505)
                .allSatisfy(policy -> assertThat(present)
                        .hasSize(11)
                        .allSatisfy(violation -> assertThat(after.against(policy.id(), violation))
                                .isPresent()));
    }

    @Test
    void aForgottenPolicyLeavesNoEntryOfItsBacklog() {
        LiveCluster cluster = elevenBroken();
        cluster.index().put(everywhere(enforcing("one", Duration.ofSeconds(60))));
        cluster.index().put(everywhere(enforcing("other", Duration.ofSeconds(60))));
        Set<ViolationKey> present = new HashSet<>();
        cluster.index().forEachBroken((pod, rule) -> present.add(new ViolationKey(pod.uid(), "n1", rule.identity())));
        PolicyBacklogs backlogs = backlogs(cluster);
        backlogs.unseen(cluster.index().policies(), Optional.of("the operator began to enforce"), present, WRITTEN);
        assertThat(backlogs.size()).isEqualTo(2 * (11 + 11));

        backlogs.forget(PolicyId.cluster("one"));
        assertThat(backlogs.size()).isEqualTo(11 + 11);

        backlogs.forget(PolicyId.cluster("other"));
        assertThat(backlogs.size()).isZero();
    }

    private static PolicyBacklogs backlogs(LiveCluster cluster) {
        return new PolicyBacklogs(cluster.index(), BreakerSettings.defaults("holdfast"), new ChangeCounter());
    }

    private static LiveCluster elevenBroken() {
        ClusterBuilder facts = cluster().node("n1", labels("disk", "hdd"));
        IntStream.rangeClosed(1, 11).forEach(i -> facts.pod("web-" + i, on("n1"), nodeSelector("disk", "ssd")));
        LiveCluster cluster = new LiveCluster(Set.of());
        facts.facts().forEach(cluster::apply);
        return cluster;
    }
}
