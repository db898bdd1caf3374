package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.meta.ConditionDecoder;
import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;
import dev.holdfast.operator.decode.protobuf.ByteKeyedCache;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.FieldBuffer;
import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
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

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache, PodLimits.LABELS);
    private final ByteKeyedCache<Scheduling> schedulings;
    private final ProtoReader reader = new ProtoReader();
    private final FieldBuffer scheduling = new FieldBuffer();
    private final RequirementsFields needs = new RequirementsFields(reader, stringCache);
    private final VolumeParts volumes = new VolumeParts(reader);
    private final ConditionDecoder conditionDecoder = new ConditionDecoder();

    private String nodeName = "";
    private int priority;
    private String restartPolicy = "";
    private boolean inSchedulingGroup;
    private String schedulerName = "";
    private boolean resourceClaims;
    private boolean evictionResponder;
    private String phase = "";

    /** Creates a decoder for which no pod has rules in an annotation. */
    public PodDecoder() {
        this(_ -> AnnotationRules.none());
    }

    /**
     * Creates a decoder.
     *
     * @param annotationRules parses the rules in the annotation of a pod; called once for pods of one template
     */
    public PodDecoder(Function<String, AnnotationRules> annotationRules) {
        this.schedulings = new ByteKeyedCache<>(
                SLOTS, BUDGET, fields -> PodLimits.limited(SchedulingParts.read(fields, stringCache, annotationRules)));
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
                case ObjectFieldNumbers.METADATA -> metadataDecoder.read(reader, known);
                case ObjectFieldNumbers.SPEC -> spec();
                case ObjectFieldNumbers.STATUS -> status();
                default -> reader.skip();
            }
        }
        if (conditionDecoder.resizeInfeasible()) {
            needs.mark(RequirementsDecoder.INFEASIBLE);
        }
        String uid = metadataDecoder.uid(object);
        LabelBlock labels = metadataDecoder.ownLabels();
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
                        volumes.hasLocalStorage(),
                        schedulerName.isEmpty() ? VictimProtection.DEFAULT_SCHEDULER : schedulerName,
                        resourceClaims,
                        evictionResponder,
                        metadataDecoder.disruptionAnnotations()));
    }

    private Scheduling scheduling() throws MalformedException {
        if (metadataDecoder.rulesAreTooLong()) {
            scheduling.mark(SchedulingParts.RULES_TOO_LONG);
        }
        if (metadataDecoder.recordIsTooLong()) {
            scheduling.mark(SchedulingParts.RECORD_TOO_LONG);
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
        conditionDecoder.clear();
        nodeName = "";
        priority = 0;
        restartPolicy = "";
        inSchedulingGroup = false;
        schedulerName = "";
        resourceClaims = false;
        evictionResponder = false;
        phase = "";
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFieldNumbers.Spec.VOLUMES -> volumes.read();
                case PodFieldNumbers.Spec.CONTAINERS -> needs.container(RequirementsDecoder.CONTAINER);
                case PodFieldNumbers.Spec.RESTART_POLICY -> restartPolicy = stringCache.of(reader);
                case PodFieldNumbers.Spec.NODE_SELECTOR,
                        PodFieldNumbers.Spec.AFFINITY,
                        PodFieldNumbers.Spec.TOLERATIONS,
                        PodFieldNumbers.Spec.TOPOLOGY_SPREAD_CONSTRAINTS -> scheduling.add(reader);
                case PodFieldNumbers.Spec.NODE_NAME -> nodeName = stringCache.of(reader);
                case PodFieldNumbers.Spec.INIT_CONTAINERS -> needs.container(RequirementsDecoder.INIT_CONTAINER);
                case PodFieldNumbers.Spec.SCHEDULER_NAME -> schedulerName = stringCache.of(reader);
                case PodFieldNumbers.Spec.RESOURCE_CLAIMS -> {
                    reader.value();
                    resourceClaims = true;
                }
                case PodFieldNumbers.Spec.PRIORITY -> priority = reader.int32();
                case PodFieldNumbers.Spec.OVERHEAD, PodFieldNumbers.Spec.RESOURCES -> needs.take();
                case PodFieldNumbers.Spec.SCHEDULING_GROUP -> {
                    reader.value();
                    inSchedulingGroup = true;
                }
                case PodFieldNumbers.Spec.EVICTION_RESPONDERS -> {
                    reader.value();
                    evictionResponder = true;
                }
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void status() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFieldNumbers.Status.PHASE -> phase = stringCache.of(reader);
                case PodFieldNumbers.Status.CONDITIONS -> conditionDecoder.read(reader);
                case PodFieldNumbers.Status.CONTAINER_STATUSES, PodFieldNumbers.Status.INIT_CONTAINER_STATUSES ->
                    needs.status();
                case PodFieldNumbers.Status.ALLOCATED_RESOURCES -> needs.take();
                case PodFieldNumbers.Status.RESOURCES -> {
                    needs.mark(RequirementsDecoder.KNOWN_IN_ALL);
                    needs.take();
                }
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
