package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.moving;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.defaultCpuChanged;
import static dev.holdfast.policies.testing.Changes.limitRangeChanged;
import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.Templates.app;
import static dev.holdfast.policies.testing.Templates.replicaSetFrom;
import static dev.holdfast.policies.testing.Templates.resizedTo;
import static dev.holdfast.policies.testing.Templates.template;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.PodTrait;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
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
                argumentSet(
                        "the quota counts memory of pods that request something, and the pod requests only CPU",
                        quotaChanged("q", "memory", 10, 1, "NotBestEffort"),
                        cpu(),
                        Optional.of("ResourceQuota q requires each pod to request memory, and the pod requests none")),
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
                                new Resources(0, 0, 1, 0, Map.of()),
                                new Resources(0, 0, 1, 0, Map.of()),
                                List.of(),
                                List.of())),
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

    private static PodRequirements with(PodRequirements.Container... containers) {
        return cpu().with(List.of(containers));
    }

    private static PodRequirements.Container container(
            String name, PodRequirements.Role role, Map<String, Long> requests, Map<String, Long> limits) {
        return new PodRequirements.Container(name, role, requests, limits);
    }

    private static Arguments unnamed(String name, String resource, String container, PodRequirements needs) {
        return argumentSet(
                name,
                quotaChanged("q", resource, 10, 1),
                needs,
                Optional.of("ResourceQuota q requires each container to name " + resource + ", and container "
                        + container + " names none"));
    }

    static Stream<Arguments> containers() {
        Map<String, Long> cpu = Map.of("cpu", 100L);
        Map<String, Long> memory = Map.of("memory", 100L);
        PodRequirements.Container web = container("web", PodRequirements.Role.APP, cpu, memory);
        PodRequirements.Container bare = container("bare", PodRequirements.Role.INIT, Map.of(), Map.of());
        PodRequirements.Container pod = container("", PodRequirements.Role.POD, cpu, Map.of());
        return Stream.of(
                unnamed("one of two containers requests no CPU", "requests.cpu", "bare", with(web, bare)),
                unnamed("a container has no limit of CPU", "limits.cpu", "web", with(web)),
                unnamed("one of two containers has no limit of memory", "limits.memory", "bare", with(web, bare)),
                unnamed("a container has a limit of memory and requests none", "memory", "web", with(web)),
                moves("all containers request CPU", quotaChanged("q", "cpu", 10, 1), with(web)),
                moves(
                        "a container requests 0: that is a request",
                        quotaChanged("q", "cpu", 10, 1),
                        NOTHING.with(List.of(container("web", PodRequirements.Role.APP, Map.of("cpu", 0L), Map.of())))),
                moves("all containers have a limit", quotaChanged("q", "limits.memory", 10, 1), with(web)),
                moves(
                        "a container has none of another resource",
                        quotaChanged("q", "limits.ephemeral-storage", 10, 1),
                        with(web)),
                moves(
                        "the pod names resources for all its containers",
                        quotaChanged("q", "limits.memory", 10, 1),
                        with(web, bare, pod)),
                moves(
                        "the quota may not be about the pod",
                        quotaChanged("q", "limits.cpu", 10, 1, "PriorityClass"),
                        with(web)),
                moves(
                        "containers that were not read, of a pod that requests CPU",
                        quotaChanged("q", "limits.cpu", 10, 1),
                        cpu().withUnreadContainers()));
    }

    static Stream<Arguments> scopes() {
        PodRequirements.Container bare = container("web", PodRequirements.Role.APP, Map.of(), Map.of());
        PodRequirements.Container zero =
                container("web", PodRequirements.Role.APP, Map.of("cpu", 0L), Map.of("memory", 0L));
        PodRequirements.Container gpu =
                container("web", PodRequirements.Role.APP, Map.of("example.com/gpu", 1L), Map.of());
        PodRequirements.Container limited =
                container("web", PodRequirements.Role.APP, Map.of(), Map.of("memory", 100L));
        PodRequirements.Container pod = container("", PodRequirements.Role.POD, Map.of("cpu", 100L), Map.of());
        ClusterEvent bestEffort = quotaChanged("q", "pods", 1, 2, "BestEffort");
        return Stream.of(
                refused("containers that name nothing, in a pod with overhead", bestEffort, with(bare), "pods", 1, 2),
                refused("containers that name only 0", bestEffort, with(zero), "pods", 1, 2),
                refused("containers that name only devices", bestEffort, with(gpu), "pods", 1, 2),
                moves("a container with a limit", bestEffort, with(bare, limited)),
                moves(
                        "containers that name nothing, in a pod that requests CPU as a whole",
                        bestEffort,
                        with(bare, pod)));
    }

    /** The pod is BestEffort. A LimitRange sets a request of its replacement, for which the quota has no room. */
    @Test
    void theRoomOfAPodOfAnotherScopeIsNotFree() {
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .pod(
                        "web",
                        on("n1"),
                        replicaOf("web"),
                        nodeSelector("disk", "ssd"),
                        needing(NOTHING.with(List.of(container("web", PodRequirements.Role.APP, Map.of(), Map.of())))))
                .with(quotaChanged("q", "pods", 5, 5, "NotBestEffort"))
                .with(defaultCpuChanged(100, 100))
                .build();

        Optional<Hold> hold =
                ShuffledPlanner.hold(new QuotaExceededCheck(), candidate(view, "web"), situation(view, new Moves()));

        assertThat(hold)
                .contains(Hold.untilChange(
                        Reason.QUOTA_EXCEEDED,
                        "ResourceQuota q would refuse the replacement: it allows 5 of pods, 5 are used, and the"
                                + " replacement needs 1 more than the pod"));
    }

    @Test
    void theReplacementsOfMovesInFlightNeedRoomToo() {
        PodTrait[] traits = {
            on("n1"), ownedBy("ReplicaSet", "web", "web"), nodeSelector("disk", "ssd"), resizedTo(1_000)
        };
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .with(replicaSetFrom("web", template(app(2_000))))
                .pod("a", traits)
                .pod("b", traits)
                .with(quotaChanged("q", "cpu", 5, 4))
                .build();
        Moves moves = new Moves();
        assertThat(ShuffledPlanner.hold(new QuotaExceededCheck(), candidate(view, "a"), situation(view, moves)))
                .isEmpty();

        moves.put(moving(candidate(view, "a"), "m", new Move.Stage.Confirming(NOW)));

        assertThat(ShuffledPlanner.hold(new QuotaExceededCheck(), candidate(view, "a"), situation(view, moves)))
                .as("the move of the pod itself")
                .isEmpty();
        assertThat(ShuffledPlanner.hold(new QuotaExceededCheck(), candidate(view, "b"), situation(view, moves)))
                .contains(Hold.untilChange(
                        Reason.QUOTA_EXCEEDED,
                        "ResourceQuota q would refuse the replacement: it allows 5 of cpu, 5 are used, and the"
                                + " replacement needs 1 more than the pod"));
    }

    static Stream<Arguments> defaults() {
        Map<String, Long> cpu = Map.of("cpu", 100L);
        PodRequirements named = with(container("web", PodRequirements.Role.APP, cpu, cpu));
        LimitRange.Item requests =
                new LimitRange.Item(LimitRange.Type.CONTAINER, Map.of(), Map.of(), Map.of(), cpu, Map.of());
        LimitRange.Item maximum =
                new LimitRange.Item(LimitRange.Type.CONTAINER, cpu, Map.of(), Map.of(), Map.of(), Map.of());
        return Stream.of(
                argumentSet("quota and default request come together", "requests.cpu", requests, NOTHING, false),
                argumentSet("no default limit for a quota of limits", "limits.cpu", requests, NOTHING, true),
                argumentSet("a LimitRange without a default", "requests.cpu", maximum, NOTHING, true),
                argumentSet("amounts of the pod's own", "requests.cpu", maximum, named, false),
                argumentSet(
                        "the default that set the request is gone",
                        "requests.cpu",
                        maximum,
                        named.withDefaults(),
                        true));
    }

    /** The template names nothing. */
    @ParameterizedTest
    @MethodSource("defaults")
    void aDefaultOfNowCountsAsNamed(String resource, LimitRange.Item now, PodRequirements needs, boolean held) {
        PodRequirements.Container bare = container("web", PodRequirements.Role.APP, Map.of(), Map.of());
        ReferenceCluster view = cluster()
                .node("n1", labels("disk", "hdd"))
                .with(replicaSetFrom("web", template(bare)))
                .pod(
                        "web",
                        on("n1"),
                        ownedBy("ReplicaSet", "web", "web"),
                        nodeSelector("disk", "ssd"),
                        needing(needs.containers().isEmpty() ? needs.with(List.of(bare)) : needs))
                .with(quotaChanged("q", resource, 10, 1))
                .with(limitRangeChanged("r", now))
                .build();

        Optional<Hold> hold =
                ShuffledPlanner.hold(new QuotaExceededCheck(), candidate(view, "web"), situation(view, new Moves()));

        assertThat(hold)
                .isEqualTo(
                        held
                                ? Optional.of(Hold.untilChange(
                                        Reason.QUOTA_EXCEEDED,
                                        "ResourceQuota q requires each container to name " + resource
                                                + ", and container web names none"))
                                : Optional.empty());
    }

    @ParameterizedTest
    @MethodSource({"rows", "containers", "scopes"})
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
