package dev.holdfast.operator.observe;

import static java.util.Objects.requireNonNullElse;

import com.github.benmanes.caffeine.cache.Interner;
import dev.holdfast.operator.decode.ApiWords;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Needs;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLife;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLife;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** Turns objects of the API server into facts. What many pods share is shared between their facts. */
final class CoreFacts {
    private final Interner<Scheduling> schedulings = Interner.newWeakInterner();
    private final Interner<Labels> labelSets = Interner.newWeakInterner();
    private final Interner<Controller> controllers = Interner.newWeakInterner();
    private final Interner<String> names = Interner.newWeakInterner();

    Pod pod(SlimPod pod) {
        ObjectMeta metadata = pod.getMetadata();
        SlimPod.Spec spec = pod.spec;
        Labels labels = labels(metadata);
        return new Pod(
                metadata.getUid(),
                name(metadata),
                version(pod),
                labels,
                Optional.ofNullable(spec.nodeName())
                        .filter(node -> !node.isEmpty())
                        .map(names::intern),
                schedulings.intern(SchedulingReader.scheduling(spec)),
                Needs.none(),
                life(pod),
                new Protection(
                        controller(metadata),
                        requireNonNullElse(spec.priority(), 0),
                        ApiWords.restartPolicy(requireNonNullElse(spec.restartPolicy(), "")),
                        orEmpty(metadata.getAnnotations()).containsKey(ApiWords.MIRROR),
                        spec.schedulingGroup() != null || ApiWords.gangMember(labels),
                        false));
    }

    Node node(SlimNode node) {
        return new Node(
                node.getMetadata().getName(),
                node.getMetadata().getUid(),
                version(node),
                labels(node.getMetadata()),
                orEmpty(node.spec.taints()).stream().map(CoreFacts::taint).toList(),
                Boolean.TRUE.equals(node.spec.unschedulable()),
                new NodeLife(SlimCondition.ready(node.status.conditions()), Optional.empty(), Instant.EPOCH),
                Resources.none());
    }

    Namespace namespace(SlimNamespace namespace) {
        return new Namespace(
                names.intern(namespace.getMetadata().getName()), version(namespace), labels(namespace.getMetadata()));
    }

    Owner owner(SlimOwner owner) {
        ObjectMeta metadata = owner.getMetadata();
        Integer replicas = owner.spec.replicas();
        return new Owner(
                metadata.getUid(),
                HasMetadata.getKind(owner.getClass()),
                name(metadata),
                controller(metadata),
                replicas == null ? OptionalInt.empty() : OptionalInt.of(replicas));
    }

    DisruptionBudget budget(SlimBudget budget) {
        ObjectMeta metadata = budget.getMetadata();
        long seen = requireNonNullElse(budget.status.observedGeneration(), 0L);
        boolean current = seen >= requireNonNullElse(metadata.getGeneration(), 0L);
        return new DisruptionBudget(
                metadata.getUid(),
                name(metadata),
                SchedulingReader.selector(budget.spec.selector()),
                current ? requireNonNullElse(budget.status.disruptionsAllowed(), 0) : 0);
    }

    /** {@return the object's version, which since Kubernetes 1.35 is promised to be a number that grows} */
    static long version(HasMetadata object) {
        return Long.parseLong(object.getMetadata().getResourceVersion());
    }

    private NamespacedName name(ObjectMeta metadata) {
        return new NamespacedName(names.intern(metadata.getNamespace()), metadata.getName());
    }

    private Labels labels(ObjectMeta metadata) {
        return labelSets.intern(Labels.of(orEmpty(metadata.getLabels())));
    }

    private Optional<Controller> controller(ObjectMeta metadata) {
        return orEmpty(metadata.getOwnerReferences()).stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst()
                .map(owner -> controllers.intern(new Controller(owner.getKind(), owner.getName(), owner.getUid())));
    }

    private static PodLife life(SlimPod pod) {
        ObjectMeta metadata = pod.getMetadata();
        return new PodLife(
                ApiWords.phase(requireNonNullElse(pod.status.phase(), "")),
                SlimCondition.ready(pod.status.conditions()),
                time(metadata.getCreationTimestamp()).orElse(Instant.EPOCH),
                time(metadata.getDeletionTimestamp()));
    }

    private static Taint taint(io.fabric8.kubernetes.api.model.Taint taint) {
        return new Taint(
                requireNonNullElse(taint.getKey(), ""),
                requireNonNullElse(taint.getValue(), ""),
                requireNonNullElse(taint.getEffect(), ""));
    }

    private static Optional<Instant> time(@Nullable String timestamp) {
        return Optional.ofNullable(timestamp).map(Instant::parse);
    }

    static <T> List<T> orEmpty(@Nullable List<T> list) {
        return requireNonNullElse(list, List.of());
    }

    static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return requireNonNullElse(map, Map.of());
    }
}
