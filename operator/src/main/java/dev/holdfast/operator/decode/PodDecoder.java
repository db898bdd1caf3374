package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.operator.decode.meta.ConditionFields;
import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.MetadataFields;
import dev.holdfast.operator.decode.meta.ObjectFields;
import dev.holdfast.operator.decode.protobuf.ByteKeyedCache;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.FieldBuffer;
import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import java.util.Optional;

/** Decodes a Pod of core/v1. Absent and empty fields get the defaults of the API. */
public final class PodDecoder implements ObjectDecoder<Pod> {
    private static final int SLOTS = 8 << 10;
    private static final int BUDGET = 4 << 20;

    private final StringCache stringCache = new StringCache();
    private final MetadataFields metadataFields = new MetadataFields(stringCache);
    private final ByteKeyedCache<Scheduling> schedulings =
            new ByteKeyedCache<>(SLOTS, BUDGET, fields -> SchedulingParts.read(fields, stringCache));
    private final ProtoReader reader = new ProtoReader();
    private final FieldBuffer scheduling = new FieldBuffer();
    private final RequirementsFields needs = new RequirementsFields(reader, stringCache);
    private final VolumeParts volumes = new VolumeParts(reader);
    private final ConditionFields conditionFields = new ConditionFields();

    private String nodeName = "";
    private int priority;
    private String restartPolicy = "";
    private boolean inSchedulingGroup;
    private String phase = "";

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
                case ObjectFields.METADATA -> metadataFields.read(reader, known);
                case ObjectFields.SPEC -> spec();
                case ObjectFields.STATUS -> status();
                default -> reader.skip();
            }
        }
        if (conditionFields.resizeInfeasible()) {
            needs.mark(RequirementsDecoder.INFEASIBLE);
        }
        String uid = metadataFields.uid(object);
        LabelBlock labels = metadataFields.ownLabels();
        String name = metadataFields.name(object);
        return new Pod(
                uid,
                new NamespacedName(metadataFields.namespace(object), name),
                metadataFields.resourceVersion(object),
                labels.labels().withNodePairsOf(metadataFields.nodePairs()),
                nodeName.isEmpty() ? Optional.empty() : Optional.of(nodeName),
                scheduling.isEmpty() ? Scheduling.anywhere() : scheduling.in(schedulings),
                needs.podRequirements().withClaims(volumes.claims(name)),
                new PodLifecycle(
                        ApiConstants.phase(phase),
                        conditionFields.ready(),
                        metadataFields.creationTime(),
                        conditionFields.boundOr(metadataFields.creationTime()),
                        metadataFields.deletionTime(),
                        conditionFields.beingDisrupted()),
                new VictimProtection(
                        metadataFields.controller(),
                        priority,
                        ApiConstants.restartPolicy(restartPolicy),
                        metadataFields.mirror(),
                        inSchedulingGroup || labels.gangMember(),
                        volumes.local(),
                        metadataFields.disruptionAnnotations()));
    }

    private void clear() {
        metadataFields.clear();
        scheduling.clear();
        needs.clear();
        volumes.clear();
        conditionFields.clear();
        nodeName = "";
        priority = 0;
        restartPolicy = "";
        inSchedulingGroup = false;
        phase = "";
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case PodFields.Spec.VOLUMES -> volumes.read();
                case PodFields.Spec.CONTAINERS -> needs.container(RequirementsDecoder.CONTAINER);
                case PodFields.Spec.RESTART_POLICY -> restartPolicy = stringCache.of(reader);
                case PodFields.Spec.NODE_SELECTOR,
                        PodFields.Spec.AFFINITY,
                        PodFields.Spec.TOLERATIONS,
                        PodFields.Spec.TOPOLOGY_SPREAD_CONSTRAINTS -> scheduling.add(reader);
                case PodFields.Spec.NODE_NAME -> nodeName = stringCache.of(reader);
                case PodFields.Spec.INIT_CONTAINERS -> needs.container(RequirementsDecoder.INIT_CONTAINER);
                case PodFields.Spec.PRIORITY -> priority = reader.int32();
                case PodFields.Spec.OVERHEAD, PodFields.Spec.RESOURCES -> needs.take();
                case PodFields.Spec.SCHEDULING_GROUP -> {
                    reader.value();
                    inSchedulingGroup = true;
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
                case PodFields.Status.PHASE -> phase = stringCache.of(reader);
                case PodFields.Status.CONDITIONS -> conditionFields.read(reader);
                case PodFields.Status.CONTAINER_STATUSES, PodFields.Status.INIT_CONTAINER_STATUSES -> needs.status();
                case PodFields.Status.ALLOCATED_RESOURCES -> needs.take();
                case PodFields.Status.RESOURCES -> {
                    needs.mark(RequirementsDecoder.KNOWN_IN_ALL);
                    needs.take();
                }
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
