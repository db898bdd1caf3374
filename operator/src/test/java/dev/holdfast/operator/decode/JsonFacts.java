package dev.holdfast.operator.decode;

import static java.util.Objects.requireNonNullElse;
import static java.util.Objects.requireNonNullElseGet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.requirements.JsonNeeds;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.model.injected.InjectedRules;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.NodeCondition;
import io.fabric8.kubernetes.api.model.NodeSpec;
import io.fabric8.kubernetes.api.model.NodeStatus;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodCondition;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodStatus;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.ReplicaSet;
import io.fabric8.kubernetes.api.model.apps.StatefulSet;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetSpec;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetStatus;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reference reader: reads API objects from JSON with the fabric8 model, for comparison with those decoded from
 * protobuf.
 */
public final class JsonFacts {
    private final ObjectMapper json = new ObjectMapper();
    private final KubernetesSerialization fabric8 = new KubernetesSerialization();

    /** {@return the JSON of an object or a list} */
    public JsonNode read(byte[] body) throws IOException {
        return json.readTree(body);
    }

    /**
     * {@return the items of a list as model records, in the order of the list}
     *
     * @param fact makes the model record of one item
     */
    public <T> List<T> items(byte[] list, Function<JsonNode, T> fact) throws IOException {
        List<T> made = new ArrayList<>();
        read(list).path("items").forEach(item -> made.add(fact.apply(item)));
        return made;
    }

    private <T extends HasMetadata> T as(JsonNode object, Class<T> type) {
        return fabric8.unmarshal(object.toString(), type);
    }

    public Pod pod(JsonNode object) {
        io.fabric8.kubernetes.api.model.Pod pod = as(object, io.fabric8.kubernetes.api.model.Pod.class);
        ObjectMeta metadata = pod.getMetadata();
        PodSpec spec = requireNonNullElseGet(pod.getSpec(), PodSpec::new);
        Labels labels = labels(metadata);
        return new Pod(
                metadata.getUid(),
                name(metadata),
                version(metadata),
                labels,
                Optional.ofNullable(spec.getNodeName()).filter(node -> !node.isEmpty()),
                InjectedRules.parse(orEmpty(metadata.getAnnotations()).getOrDefault(InjectedRules.ANNOTATION, ""))
                        .in(JsonScheduling.of(spec))
                        .withAnnotationRules(annotationRules(metadata)),
                JsonNeeds.of(object),
                life(metadata, requireNonNullElseGet(pod.getStatus(), PodStatus::new)),
                new VictimProtection(
                        controller(metadata),
                        requireNonNullElse(spec.getPriority(), 0),
                        ApiConstants.restartPolicy(requireNonNullElse(spec.getRestartPolicy(), "")),
                        orEmpty(metadata.getAnnotations()).containsKey(ApiConstants.MIRROR),
                        object.path("spec").has("schedulingGroup")
                                || ApiConstants.gangMember(labels)
                                || ApiConstants.GANG_ANNOTATIONS.stream()
                                        .anyMatch(orEmpty(metadata.getAnnotations())::containsKey),
                        JsonNeeds.localStorage(object),
                        scheduler(object),
                        !object.path("spec").path("resourceClaims").isEmpty(),
                        !object.path("spec").path("evictionResponders").isEmpty(),
                        JsonSecurity.level(object.path("spec")),
                        marks(metadata)));
    }

    private static PodScheduler scheduler(JsonNode object) {
        JsonNode spec = object.path("spec");
        boolean bound = !spec.path("nodeName").asText().isEmpty();
        return new PodScheduler(
                spec.path("schedulerName").asText(VictimProtection.DEFAULT_SCHEDULER),
                !spec.path("schedulingGates").isEmpty(),
                bound ? "" : object.at("/status/nominatedNodeName").asText());
    }

    private static AnnotationRules annotationRules(ObjectMeta metadata) {
        return Optional.ofNullable(orEmpty(metadata.getAnnotations()).get(AnnotationRules.ANNOTATION))
                .map(AnnotationRulesParser::parse)
                .orElseGet(AnnotationRules::none);
    }

    private static DisruptionAnnotations marks(ObjectMeta metadata) {
        return DisruptionAnnotations.of(orEmpty(metadata.getAnnotations()));
    }

    private static PodLifecycle life(ObjectMeta metadata, PodStatus status) {
        Instant created = time(metadata.getCreationTimestamp()).orElse(Instant.EPOCH);
        return new PodLifecycle(
                ApiConstants.phase(requireNonNullElse(status.getPhase(), "")),
                status.getConditions().stream().anyMatch(it -> isTrue(it, "Ready")),
                created,
                status.getConditions().stream()
                        .filter(it -> isTrue(it, "PodScheduled"))
                        .reduce((_, last) -> last)
                        .flatMap(it -> time(it.getLastTransitionTime()))
                        .orElse(created),
                time(metadata.getDeletionTimestamp()),
                status.getConditions().stream().anyMatch(it -> isTrue(it, "DisruptionTarget")));
    }

    private static boolean isTrue(PodCondition condition, String type) {
        return type.equals(condition.getType()) && "True".equals(condition.getStatus());
    }

    public Node node(JsonNode object) {
        io.fabric8.kubernetes.api.model.Node node = as(object, io.fabric8.kubernetes.api.model.Node.class);
        ObjectMeta metadata = node.getMetadata();
        NodeSpec spec = requireNonNullElseGet(node.getSpec(), NodeSpec::new);
        return new Node(
                metadata.getName(),
                metadata.getUid(),
                version(metadata),
                labels(metadata),
                spec.getTaints().stream().map(JsonFacts::taint).toList(),
                Boolean.TRUE.equals(spec.getUnschedulable()),
                life(metadata, requireNonNullElseGet(node.getStatus(), NodeStatus::new)),
                JsonNeeds.allocatable(object));
    }

    private static NodeLifecycle life(ObjectMeta metadata, NodeStatus status) {
        List<NodeCondition> ready = status.getConditions().stream()
                .filter(it -> "Ready".equals(it.getType()))
                .toList();
        return new NodeLifecycle(
                ready.stream().anyMatch(it -> "True".equals(it.getStatus())),
                ready.stream().reduce((_, last) -> last).flatMap(it -> time(it.getLastTransitionTime())),
                time(metadata.getCreationTimestamp()).orElse(Instant.EPOCH),
                time(metadata.getDeletionTimestamp()),
                condition(status.getConditions()));
    }

    private static NodeLifecycle.Condition condition(List<NodeCondition> conditions) {
        return Stream.of(NodeLifecycle.Condition.values())
                .filter(it -> conditions.stream()
                        .anyMatch(one -> it.type().equals(one.getType()) && "True".equals(one.getStatus())))
                .findFirst()
                .orElseGet(() -> Stream.of(NodeLifecycle.Condition.values())
                        .filter(it -> conditions.stream()
                                .anyMatch(one -> it.type().equals(one.getType()) && !"False".equals(one.getStatus())))
                        .findFirst()
                        .map(_ -> NodeLifecycle.Condition.UNKNOWN)
                        .orElse(NodeLifecycle.Condition.NONE));
    }

    private static Taint taint(io.fabric8.kubernetes.api.model.Taint taint) {
        return new Taint(
                requireNonNullElse(taint.getKey(), ""),
                requireNonNullElse(taint.getValue(), ""),
                requireNonNullElse(taint.getEffect(), ""));
    }

    public Namespace namespace(JsonNode object) {
        ObjectMeta metadata =
                as(object, io.fabric8.kubernetes.api.model.Namespace.class).getMetadata();
        return new Namespace(metadata.getName(), version(metadata), labels(metadata), marks(metadata));
    }

    public Versioned<Owner> deployment(JsonNode object) {
        Deployment owner = as(object, Deployment.class);
        return owner(owner, Optional.ofNullable(owner.getSpec()).map(it -> it.getReplicas()), Optional.empty());
    }

    public Versioned<Owner> replicaSet(JsonNode object) {
        ReplicaSet owner = as(object, ReplicaSet.class);
        Versioned<Owner> plain =
                owner(owner, Optional.ofNullable(owner.getSpec()).map(it -> it.getReplicas()), Optional.empty());
        Optional<String> failure = StreamSupport.stream(
                        object.path("status").path("conditions").spliterator(), false)
                .filter(it -> it.path("type").asText().equals("ReplicaFailure")
                        && it.path("status").asText().equals("True"))
                .map(it -> it.path("message").asText())
                .findFirst();
        return withTemplate(
                new Versioned<>(plain.resourceVersion(), plain.object().withReplicaFailure(failure)), object);
    }

    public Versioned<Owner> statefulSet(JsonNode object) {
        StatefulSet owner = as(object, StatefulSet.class);
        return withTemplate(
                owner(
                        owner,
                        Optional.ofNullable(owner.getSpec()).map(it -> it.getReplicas()),
                        Optional.of(revisions(object))),
                object);
    }

    private static StatefulSetRevisions revisions(JsonNode object) {
        JsonNode strategy = object.path("spec").path("updateStrategy");
        JsonNode status = object.path("status");
        return new StatefulSetRevisions(
                status.path("observedGeneration").asLong()
                        >= object.path("metadata").path("generation").asLong(),
                strategy.path("type").asText().equals("OnDelete"),
                strategy.path("rollingUpdate").path("partition").asInt(),
                object.path("spec").path("ordinals").path("start").asInt(),
                status.path("currentRevision").asText(),
                status.path("updateRevision").asText());
    }

    public Versioned<Owner> job(JsonNode object) {
        return withTemplate(owner(as(object, Job.class), Optional.empty(), Optional.empty()), object);
    }

    private Versioned<Owner> withTemplate(Versioned<Owner> plain, JsonNode object) {
        Owner owner = plain.object();
        if (owner.replicas().equals(OptionalInt.of(0))
                || object.at("/spec/template").isMissingNode()) {
            return plain;
        }
        JsonNode spec = object.at("/spec/template/spec");
        PodTemplate template = new PodTemplate(
                JsonScheduling.of(fabric8.unmarshal(spec.toString(), PodSpec.class)),
                JsonNeeds.ofTemplate(object.at("/spec/template")),
                Optional.empty(),
                !spec.path("schedulingGates").isEmpty(),
                spec.path("schedulerName").asText(VictimProtection.DEFAULT_SCHEDULER),
                JsonSecurity.level(spec));
        return new Versioned<>(
                plain.resourceVersion(), owner.with(owner.podCreation().withTemplate(template)));
    }

    private static Versioned<Owner> owner(
            HasMetadata object, Optional<Integer> replicas, Optional<StatefulSetRevisions> revisions) {
        ObjectMeta metadata = object.getMetadata();
        return new Versioned<>(
                version(metadata),
                new Owner(
                        metadata.getUid(),
                        HasMetadata.getKind(object.getClass()),
                        name(metadata),
                        controller(metadata),
                        replicas.map(OptionalInt::of).orElse(OptionalInt.empty()),
                        marks(metadata),
                        revisions,
                        new PodCreation(
                                metadata.getDeletionTimestamp() != null,
                                object instanceof Job job
                                        && job.getSpec() != null
                                        && Boolean.TRUE.equals(job.getSpec().getSuspend()),
                                object instanceof StatefulSet set
                                        && (set.getSpec() == null
                                                || !"Parallel"
                                                        .equals(set.getSpec().getPodManagementPolicy())))));
    }

    public Versioned<DisruptionBudget> budget(JsonNode object) {
        PodDisruptionBudget budget = as(object, PodDisruptionBudget.class);
        ObjectMeta metadata = budget.getMetadata();
        PodDisruptionBudgetStatus status = requireNonNullElseGet(budget.getStatus(), PodDisruptionBudgetStatus::new);
        boolean current = requireNonNullElse(status.getObservedGeneration(), 0L)
                >= requireNonNullElse(metadata.getGeneration(), 0L);
        return new Versioned<>(
                version(metadata),
                new DisruptionBudget(
                        metadata.getUid(),
                        name(metadata),
                        Optional.ofNullable(budget.getSpec())
                                .flatMap(spec -> JsonScheduling.selector(spec.getSelector())),
                        current ? requireNonNullElse(status.getDisruptionsAllowed(), 0) : 0,
                        current && neverAllows(status),
                        new DisruptionBudget.Spec(
                                Optional.ofNullable(budget.getSpec())
                                        .map(JsonFacts::limit)
                                        .orElse(new DisruptionBudget.Limit.None()),
                                object.at("/spec/unhealthyPodEvictionPolicy")
                                        .asText()
                                        .equals("AlwaysAllow"),
                                object.has("status") && current)));
    }

    private static DisruptionBudget.Limit limit(PodDisruptionBudgetSpec spec) {
        if (spec.getMinAvailable() != null) {
            return limit(
                    spec.getMinAvailable(),
                    DisruptionBudget.Limit.MinAvailable::new,
                    DisruptionBudget.Limit.MinAvailablePercent::new);
        }
        return spec.getMaxUnavailable() == null
                ? new DisruptionBudget.Limit.None()
                : limit(
                        spec.getMaxUnavailable(),
                        DisruptionBudget.Limit.MaxUnavailable::new,
                        DisruptionBudget.Limit.MaxUnavailablePercent::new);
    }

    private static DisruptionBudget.Limit limit(
            IntOrString value,
            IntFunction<DisruptionBudget.Limit> ofPods,
            IntFunction<DisruptionBudget.Limit> ofPercent) {
        return value.getStrVal() == null
                ? ofPods.apply(value.getIntVal())
                : ofPercent.apply(Integer.parseInt(value.getStrVal().replace("%", "")));
    }

    private static boolean neverAllows(PodDisruptionBudgetStatus status) {
        int expected = requireNonNullElse(status.getExpectedPods(), 0);
        return expected > 0 && requireNonNullElse(status.getDesiredHealthy(), 0) >= expected;
    }

    private static long version(ObjectMeta metadata) {
        return Long.parseLong(metadata.getResourceVersion());
    }

    private static NamespacedName name(ObjectMeta metadata) {
        return new NamespacedName(metadata.getNamespace(), metadata.getName());
    }

    private static Labels labels(ObjectMeta metadata) {
        return Labels.of(orEmpty(metadata.getLabels()));
    }

    private static Optional<Controller> controller(ObjectMeta metadata) {
        return metadata.getOwnerReferences().stream()
                .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                .findFirst()
                .map(owner -> new Controller(owner.getKind(), owner.getName(), owner.getUid()));
    }

    private static Optional<Instant> time(@Nullable String timestamp) {
        return Optional.ofNullable(timestamp).map(Instant::parse);
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return requireNonNullElse(map, Map.of());
    }
}
