package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.CsiNode;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.LimitRange;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests of the API paths and events of owners and budgets. Other tests cover pods, nodes and namespaces. */
class ProtobufKindTest {
    private static final NamespacedName WEB = new NamespacedName("shop", "web");

    static Stream<Arguments> kinds() {
        Message two = message().number(1, 2);
        return Stream.of(
                argumentSet(
                        "Deployments",
                        WatchedKind.DEPLOYMENTS,
                        ProtobufKind.deployments(),
                        "/apis/apps/v1/deployments",
                        two,
                        owner("Deployment", OptionalInt.of(2)),
                        new ClusterEvent.OwnerGone("u-1")),
                argumentSet(
                        "ReplicaSets",
                        WatchedKind.REPLICA_SETS,
                        ProtobufKind.replicaSets(SchedulingScope.RULES),
                        "/apis/apps/v1/replicasets",
                        two,
                        owner("ReplicaSet", OptionalInt.of(2)),
                        new ClusterEvent.OwnerGone("u-1")),
                argumentSet(
                        "StatefulSets",
                        WatchedKind.STATEFUL_SETS,
                        ProtobufKind.statefulSets(SchedulingScope.RULES),
                        "/apis/apps/v1/statefulsets",
                        two,
                        owner("StatefulSet", OptionalInt.of(2)),
                        new ClusterEvent.OwnerGone("u-1")),
                argumentSet(
                        "Jobs",
                        WatchedKind.JOBS,
                        ProtobufKind.jobs(SchedulingScope.RULES),
                        "/apis/batch/v1/jobs",
                        two,
                        owner("Job", OptionalInt.empty()),
                        new ClusterEvent.OwnerGone("u-1")),
                argumentSet(
                        "disruption budgets",
                        WatchedKind.BUDGETS,
                        ProtobufKind.budgets(),
                        "/apis/policy/v1/poddisruptionbudgets",
                        message().part(2, message()),
                        new ClusterEvent.BudgetChanged(new DisruptionBudget(
                                "u-1",
                                WEB,
                                Optional.of(LabelSelector.everything()),
                                0,
                                false,
                                new DisruptionBudget.Spec(new DisruptionBudget.Limit.None(), false, false))),
                        new ClusterEvent.BudgetGone("u-1")),
                argumentSet(
                        "CSINodes",
                        WatchedKind.CSI_NODES,
                        ProtobufKind.csiNodes(),
                        "/apis/storage.k8s.io/v1/csinodes",
                        message().part(1, message().text(1, "example.com")),
                        new ClusterEvent.CsiNodeChanged(new CsiNode("web", Map.of("example.com", OptionalInt.empty()))),
                        new ClusterEvent.CsiNodeGone("web")),
                argumentSet(
                        "quotas",
                        WatchedKind.QUOTAS,
                        ProtobufKind.quotas(),
                        "/api/v1/resourcequotas",
                        message().text(2, "BestEffort"),
                        new ClusterEvent.QuotaChanged(
                                new ResourceQuota("u-1", WEB, Set.of("BestEffort"), Map.of(), Map.of())),
                        new ClusterEvent.QuotaGone("u-1")),
                argumentSet(
                        "LimitRanges",
                        WatchedKind.LIMIT_RANGES,
                        ProtobufKind.limitRanges(),
                        "/api/v1/limitranges",
                        message().part(1, message().text(1, "Pod")),
                        new ClusterEvent.LimitRangeChanged(new LimitRange(
                                "u-1",
                                WEB,
                                List.of(new LimitRange.Item(
                                        LimitRange.Type.POD, Map.of(), Map.of(), Map.of(), Map.of(), Map.of())))),
                        new ClusterEvent.LimitRangeGone("u-1")));
    }

    private static ClusterEvent owner(String kind, OptionalInt replicas) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "u-1",
                kind,
                WEB,
                Optional.empty(),
                replicas,
                DisruptionAnnotations.none(),
                kind.equals("StatefulSet")
                        ? Optional.of(new StatefulSetRevisions(false, false, 0, 0, "", ""))
                        : Optional.empty(),
                new PodCreation(false, false, kind.equals("StatefulSet"))));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void whatComesAndGoesIsTold(
            WatchedKind watchedKind,
            ProtobufKind protobufKind,
            String path,
            Message spec,
            ClusterEvent changed,
            ClusterEvent gone)
            throws MalformedException {
        List<ClusterEvent> told = new ArrayList<>();
        SeenObjects seenObjects = new SeenObjects(watchedKind, () -> Instant.EPOCH, told::add);

        KindReader<?> reader = protobufKind.reader();

        reader.changed(seenObjects, object(5, spec));
        reader.changed(seenObjects, object(5, spec));
        reader.deleted(seenObjects, object(8, spec));

        assertThat(protobufKind.path()).isEqualTo(path);
        assertThat(told).containsExactly(changed, gone);
        assertThat(seenObjects.reached()).isEqualTo(8);
    }

    private static ByteSlice object(long version, Message spec) {
        Message metadata = message()
                .text(1, "web")
                .text(3, "shop")
                .text(5, "u-1")
                .text(6, Long.toString(version))
                .number(7, 1);
        return new ByteSlice(message().part(1, metadata).part(2, spec).bytes());
    }
}
