package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.meta.ConditionDecoder;
import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.PodSecurityDecoder;
import dev.holdfast.operator.decode.meta.PodVolumesDecoder;
import dev.holdfast.operator.decode.protobuf.ByteKeyedCache;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.FieldBuffer;
import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.operator.decode.requirements.ReadRequirements;
import dev.holdfast.operator.decode.requirements.RequirementsDecoder;
import dev.holdfast.operator.decode.requirements.RequirementsFields;
import dev.holdfast.operator.decode.scheduling.PodLimits;
import dev.holdfast.operator.decode.scheduling.SchedulingDecoder;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodScheduler;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decodes a Pod of core/v1. Absent and empty fields get the API's defaults, for example {@code restartPolicy: Always}.
 */
public final class PodDecoder implements ObjectDecoder<Pod> {
    private static final int SLOTS = 8 << 10;
    private static final int BUDGET = 4 << 20;

    /** The generation of a pod whose spec is unchanged since its creation. Binding to a node is no such change. */
    private static final long FIRST_GENERATION = 1;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache, PodLimits.LABELS);
    private final ByteKeyedCache<Scheduling> schedulings;
    private final ProtoReader reader = new ProtoReader();
    private final FieldBuffer scheduling = new FieldBuffer();
    private final RequirementsFields needs = new RequirementsFields(reader, stringCache);
    private final PodVolumesDecoder volumes = new PodVolumesDecoder(reader);
    private final PodSecurityDecoder security = new PodSecurityDecoder(reader);
    private final ConditionDecoder conditionDecoder = new ConditionDecoder();

    private String nodeName = "";
    private int priority;
    private String restartPolicy = "";
    private boolean inSchedulingGroup;
    private String schedulerName = "";
    private boolean gated;
    private boolean hostNetwork;
    private boolean resourceClaims;
    private boolean evictionResponder;
    private String nominatedNode = "";
    private String phase = "";

    /** Creates a decoder for which no pod prefers anything, and none has rules in an annotation. */
    public PodDecoder() {
        this(SchedulingScope.RULES, _ -> AnnotationRules.none());
    }

    /**
     * Creates a decoder.
     *
     * @param scope whether preferences are decoded
     * @param annotationRules parses the rules in the annotation of a pod; called once for pods of one template
     */
    public PodDecoder(SchedulingScope scope, Function<String, AnnotationRules> annotationRules) {
        this.schedulings = new ByteKeyedCache<>(
                SLOTS,
                BUDGET,
                bytes -> PodLimits.limited(SchedulingDecoder.read(bytes, scope, stringCache, annotationRules)));
    }

    /**
     * {@return the template from which a controller makes pods} The metadata is not read: some of its fields are empty.
     *
     * @param template a PodTemplateSpec, whose fields have the numbers of those of a pod
     * @throws MalformedException if the spec is no spec of a pod, for example if a quantity is no number
     */
    PodTemplate decodeTemplate(ByteSlice template) throws MalformedException {
        clear();
        needs.mark(RequirementsDecoder.OF_TEMPLATE);
        reader.open(template);
        while (reader.next()) {
            if (reader.field() == Fields.Pod.SPEC) {
                spec();
            } else {
                reader.skip();
            }
        }
        ReadRequirements requirements = needs.requirements().withClaims(volumes.claimsOfTemplate());
        Scheduling constraints = scheduling();
        Optional<String> node = Optional.of(nodeName).filter(it -> !it.isEmpty());
        return requirements
                .tooMany()
                .or(constraints::tooComplex)
                .map(PodTemplate::unread)
                .orElseGet(() -> new PodTemplate(
                        constraints,
                        requirements.podRequirements(),
                        node,
                        gated,
                        schedulerName(),
                        security.level(volumes.sources())));
    }

    @Override
    public Pod decode(ByteSlice object) throws MalformedException {
        return decode(object, KnownIds.NONE);
    }

    @Override
    public Pod decode(ByteSlice object, KnownIds known) throws MalformedException {
        clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Pod.METADATA -> metadataDecoder.read(reader, known);
                case Fields.Pod.SPEC -> spec();
                case Fields.Pod.STATUS -> status();
                default -> reader.skip();
            }
        }
        if (hostNetwork) {
            needs.mark(RequirementsDecoder.HOST_NETWORK);
        }
        if (conditionDecoder.resizeInfeasible()) {
            needs.mark(RequirementsDecoder.INFEASIBLE);
        }
        String uid = metadataDecoder.uid(object);
        LabelBlock labels = metadataDecoder.ownLabels();
        markSource();
        String name = metadataDecoder.name(object);
        ReadRequirements requirements = needs.requirements().withClaims(volumes.claims(name));
        Scheduling constraints = scheduling();
        return new Pod(
                uid,
                new NamespacedName(metadataDecoder.namespace(object), name),
                metadataDecoder.resourceVersion(object),
                labels.labels().withNodePairsOf(metadataDecoder.nodePairs()),
                nodeName.isEmpty() ? Optional.empty() : Optional.of(nodeName),
                labels.tooMany()
                        .or(requirements::tooMany)
                        .map(why -> Scheduling.tooComplex(why, constraints.podAntiAffinity()))
                        .orElse(constraints),
                requirements.podRequirements(),
                new PodLifecycle(
                        ApiConstants.phase(phase),
                        conditionDecoder.ready(),
                        metadataDecoder.creationTime(),
                        conditionDecoder.boundOr(metadataDecoder.creationTime()),
                        metadataDecoder.deletionTime(),
                        conditionDecoder.beingDisrupted()),
                new VictimProtection(
                        metadataDecoder.controller(),
                        priority,
                        ApiConstants.restartPolicy(restartPolicy),
                        metadataDecoder.mirror(),
                        inSchedulingGroup || labels.gangMember() || metadataDecoder.gangMember(),
                        volumes.hasLocalStorage(object),
                        new PodScheduler(schedulerName(), gated, nodeName.isEmpty() ? nominatedNode : ""),
                        resourceClaims,
                        evictionResponder,
                        security.level(volumes.sources()),
                        metadataDecoder.disruptionAnnotations()));
    }

    /**
     * Notes whether and how the next pod of the same controller may request something else than this one. A pod that
     * was never changed is what the controller would create, unless a user edited the template of its ReplicaSet. The
     * planner looks whether the ReplicaSet has a Deployment, which keeps the template. The labels of the pod do not
     * show this: a user can delete a Deployment without its ReplicaSets.
     */
    private void markSource() {
        if (metadataDecoder.controller().isEmpty() || needs.isEmpty()) {
            return;
        }
        // An autoscaler sets them after LimitRanges did.
        if (metadataDecoder.hasDefaults() && !metadataDecoder.autoscaled()) {
            needs.mark(RequirementsDecoder.DEFAULTS);
        }
        boolean isAsCreated = metadataDecoder.generation() == FIRST_GENERATION;
        if (isAsCreated && !metadataDecoder.controller().get().kind().equals("ReplicaSet")) {
            return;
        }
        if (isAsCreated) {
            needs.mark(RequirementsDecoder.LARGER);
        } else if (metadataDecoder.autoscaled()) {
            needs.mark(RequirementsDecoder.FROM_AUTOSCALER);
            if (metadataDecoder.generation() > FIRST_GENERATION) {
                needs.addAll(metadataDecoder.autoscalerNotes());
            }
        } else {
            needs.mark(
                    metadataDecoder.generation() > FIRST_GENERATION
                            ? RequirementsDecoder.FROM_TEMPLATE
                            : RequirementsDecoder.FROM_TEMPLATE_IF_KNOWN);
        }
    }

    private String schedulerName() {
        return schedulerName.isEmpty() ? VictimProtection.DEFAULT_SCHEDULER : schedulerName;
    }

    private Scheduling scheduling() throws MalformedException {
        if (metadataDecoder.rulesAreTooLong()) {
            scheduling.mark(SchedulingDecoder.RULES_TOO_LONG);
        }
        if (metadataDecoder.recordIsTooLong()) {
            scheduling.mark(SchedulingDecoder.RECORD_TOO_LONG);
        }
        if (scheduling.isEmpty() && metadataDecoder.annotationRules().isEmpty()) {
            return Scheduling.anywhere();
        }
        // One record for many pods: it is a part of what their constraints are cached by. So are rules.
        scheduling.addAll(metadataDecoder.injectedRules());
        scheduling.addAll(metadataDecoder.annotationRules());
        return scheduling.in(schedulings);
    }

    private void clear() {
        metadataDecoder.clear();
        scheduling.clear();
        needs.clear();
        volumes.clear();
        security.clear();
        conditionDecoder.clear();
        nodeName = "";
        priority = 0;
        restartPolicy = "";
        inSchedulingGroup = false;
        schedulerName = "";
        gated = false;
        hostNetwork = false;
        resourceClaims = false;
        evictionResponder = false;
        nominatedNode = "";
        phase = "";
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodSpec.VOLUMES -> volumes.read();
                case Fields.PodSpec.CONTAINERS -> needs.container(RequirementsDecoder.CONTAINER, security);
                case Fields.PodSpec.RESTART_POLICY -> restartPolicy = stringCache.of(reader);
                case Fields.PodSpec.NODE_SELECTOR,
                        Fields.PodSpec.AFFINITY,
                        Fields.PodSpec.TOLERATIONS,
                        Fields.PodSpec.TOPOLOGY_SPREAD_CONSTRAINTS -> scheduling.add(reader);
                case Fields.PodSpec.NODE_NAME -> nodeName = stringCache.of(reader);
                case Fields.PodSpec.INIT_CONTAINERS -> needs.container(RequirementsDecoder.INIT_CONTAINER, security);
                case Fields.PodSpec.HOST_NETWORK -> hostNetwork = security.hostNamespace();
                case Fields.PodSpec.HOST_PID, Fields.PodSpec.HOST_IPC -> security.hostNamespace();
                case Fields.PodSpec.SECURITY_CONTEXT -> security.ofPod();
                case Fields.PodSpec.SCHEDULER_NAME -> schedulerName = stringCache.of(reader);
                case Fields.PodSpec.SCHEDULING_GATES -> gated = isThere();
                case Fields.PodSpec.RESOURCE_CLAIMS -> resourceClaims = isThere();
                case Fields.PodSpec.PRIORITY -> priority = reader.int32();
                case Fields.PodSpec.OVERHEAD, Fields.PodSpec.RESOURCES -> needs.take();
                case Fields.PodSpec.SCHEDULING_GROUP -> inSchedulingGroup = isThere();
                case Fields.PodSpec.EVICTION_RESPONDERS -> evictionResponder = isThere();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    /** Reads a field of which only the presence counts. Returns true. */
    private boolean isThere() throws MalformedException {
        reader.value();
        return true;
    }

    private void status() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodStatus.NOMINATED_NODE_NAME -> nominatedNode = stringCache.of(reader);
                case Fields.PodStatus.PHASE -> phase = stringCache.of(reader);
                case Fields.PodStatus.CONDITIONS -> conditionDecoder.read(reader);
                case Fields.PodStatus.CONTAINER_STATUSES, Fields.PodStatus.INIT_CONTAINER_STATUSES -> needs.status();
                case Fields.PodStatus.ALLOCATED_RESOURCES -> needs.take();
                case Fields.PodStatus.RESOURCES -> {
                    needs.mark(RequirementsDecoder.KNOWN_IN_ALL);
                    needs.take();
                }
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
