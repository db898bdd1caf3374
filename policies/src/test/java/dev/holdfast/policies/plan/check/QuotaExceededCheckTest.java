package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the hold of pods whose replacement a ResourceQuota would refuse. */
class QuotaExceededCheckTest {
    private static final PodRequirements NOTHING = PodRequirements.none();

    private static PodRequirements requesting(long milliCpu, long memory, Map<String, Long> others, String... claims) {
        Resources resources = new Resources(milliCpu, memory, 0, 0, others);
        return new PodRequirements(resources, resources, List.of(), List.of(claims));
    }

    private static PodRequirements cpu() {
        return requesting(100, 0, Map.of());
    }

    private static Arguments moves(String name, ClusterEvent quota, PodRequirements needs) {
        return argumentSet(name, quota, needs, Optional.empty());
    }

    private static Arguments refused(
            String name, ClusterEvent quota, PodRequirements needs, String resource, int hard, int used) {
        return argumentSet(
                name,
                quota,
                needs,
                Optional.of("ResourceQuota q would refuse the replacement: it allows " + hard + " of " + resource
                        + ", and " + used + " are used"));
    }

    private static Arguments exceeded(String name, String resource, PodRequirements needs) {
        return refused(name, quotaChanged("q", resource, 1, 2), needs, resource, 1, 2);
    }

    private static Arguments unused(String name, String resource, PodRequirements needs) {
        return moves(name, quotaChanged("q", resource, 1, 2), needs);
    }

    private static ClusterEvent of(String namespace, Map<String, BigDecimal> used) {
        return new ClusterEvent.QuotaChanged(new ResourceQuota(
                "q", new NamespacedName(namespace, "q"), Set.of(), Map.of("pods", BigDecimal.ONE), used));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                moves("a quota with room", quotaChanged("q", "pods", 10, 4), NOTHING),
                argumentSet(
                        "a quota with more limits than Holdfast reads",
                        new ClusterEvent.QuotaChanged(ResourceQuota.unread("q", new NamespacedName("shop", "q"))),
                        cpu(),
                        Optional.of("ResourceQuota q may refuse the replacement: it has more limits than Holdfast"
                                + " reads")),
                moves(
                        "a full quota: the pod's own room is free once it is gone",
                        quotaChanged("q", "pods", 5, 5),
                        NOTHING),
                exceeded("more pods than the quota allows", "pods", NOTHING),
                exceeded("more pods than the quota allows, counted as objects", "count/pods", NOTHING),
                refused("a quota of 0", quotaChanged("q", "pods", 0, 1), NOTHING, "pods", 0, 1),
                moves("a quota whose status was never written", of("shop", Map.of()), NOTHING),
                moves("an exceeded quota of another namespace", of("other", Map.of("pods", BigDecimal.TEN)), NOTHING),
                exceeded("too much CPU is requested", "requests.cpu", cpu()),
                exceeded("too much CPU is requested, by the older name", "cpu", cpu()),
                argumentSet(
                        "the quota counts CPU, and the pod requests none",
                        quotaChanged("q", "requests.cpu", 10, 1),
                        NOTHING,
                        Optional.of("ResourceQuota q requires each pod to request requests.cpu, and the pod requests"
                                + " none")),
                argumentSet(
                        "the quota counts memory, and the pod requests none",
                        quotaChanged("q", "memory", 10, 1),
                        cpu(),
                        Optional.of("ResourceQuota q requires each pod to request memory, and the pod requests none")),
                moves(
                        "the quota counts memory of pods that it may not be about, and the pod requests none",
                        quotaChanged("q", "memory", 10, 1, "PriorityClass"),
                        cpu()),
                exceeded("too much memory is requested", "requests.memory", requesting(0, 1, Map.of())),
                exceeded("the limits of all pods are too high", "limits.memory", NOTHING),
                unused("too many devices of a kind that the pod does not use", "requests.example.com/gpu", cpu()),
                exceeded(
                        "too many devices of a kind that the pod uses",
                        "requests.example.com/gpu",
                        requesting(0, 0, Map.of("example.com/gpu", 1L))),
                exceeded("too many huge pages", "hugepages-2Mi", requesting(0, 0, Map.of("hugepages-2Mi", 1L))),
                unused("too much local storage, and the pod requests none", "requests.ephemeral-storage", cpu()),
                exceeded(
                        "too much local storage, and the pod requests some",
                        "requests.ephemeral-storage",
                        new PodRequirements(
                                new Resources(0, 0, 1, 0, Map.of()), Resources.none(), List.of(), List.of())),
                unused(
                        "too many claims, and those of the pod stay",
                        "persistentvolumeclaims",
                        requesting(0, 0, Map.of(), "data")),
                exceeded(
                        "too many claims, and one of the pod is made with it",
                        "persistentvolumeclaims",
                        requesting(0, 0, Map.of(), "web-scratch")),
                exceeded(
                        "too much storage of a class, and a claim of the pod is made with it",
                        "fast.storageclass.storage.k8s.io/requests.storage",
                        requesting(0, 0, Map.of(), "web-scratch")),
                unused("too many services", "count/services", cpu()),
                moves(
                        "an exceeded quota for pods that request nothing",
                        quotaChanged("q", "pods", 1, 2, "BestEffort"),
                        cpu()),
                refused(
                        "an exceeded quota for pods that request nothing, as this one",
                        quotaChanged("q", "pods", 1, 2, "BestEffort"),
                        NOTHING,
                        "pods",
                        1,
                        2),
                moves(
                        "an exceeded quota for pods that request something",
                        quotaChanged("q", "pods", 1, 2, "NotBestEffort"),
                        NOTHING),
                refused(
                        "an exceeded quota with a scope that the operator does not know",
                        quotaChanged("q", "pods", 1, 2, "PriorityClass"),
                        NOTHING,
                        "pods",
                        1,
                        2));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aQuota(ClusterEvent quota, PodRequirements needs, Optional<String> message) {
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .pod("web", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"), needing(needs))
                .with(quota)
                .build();

        Optional<Hold> hold =
                ShuffledPlanner.hold(new QuotaExceededCheck(), candidate(view, "web"), situation(view, new Moves()));

        assertThat(hold).isEqualTo(message.map(it -> Hold.untilChange(Reason.QUOTA_EXCEEDED, it)));
    }
}
