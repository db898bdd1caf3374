package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ApiWords;
import dev.holdfast.operator.decode.meta.Conditions;
import dev.holdfast.operator.decode.meta.LabelBlock;
import dev.holdfast.operator.decode.meta.Metadata;
import dev.holdfast.operator.decode.meta.ObjectFields;
import dev.holdfast.operator.decode.protobuf.Gathered;
import dev.holdfast.operator.decode.protobuf.KnownIds;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.Region;
import dev.holdfast.operator.decode.protobuf.Remembered;
import dev.holdfast.operator.decode.protobuf.Words;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLife;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.Scheduling;
import java.util.Optional;

/** Reads a Pod of core/v1. Absent and empty fields mean what the API means by them. */
public final class PodDecoder implements ObjectDecoder<Pod> {
    private static final int SLOTS = 8 << 10;
    private static final int BUDGET = 4 << 20;

    private final Words words = new Words();
    private final Metadata metadata = new Metadata(words);
    private final Remembered<Scheduling> schedulings =
            new Remembered<>(SLOTS, BUDGET, fields -> SchedulingParts.read(fields, words));
    private final ProtoReader reader = new ProtoReader();
    private final Gathered scheduling = new Gathered();
    private final NeedsFields needs = new NeedsFields(reader, words);
    private final VolumeParts volumes = new VolumeParts(reader);
    private final Conditions conditions = new Conditions();

    private String nodeName = "";
    private int priority;
    private String restartPolicy = "";
    private boolean inSchedulingGroup;
    private String phase = "";

    @Override
    public Pod decode(Region object) throws MalformedException {
        return decode(object, KnownIds.NONE);
    }

    @Override
    public Pod decode(Region object, KnownIds known) throws MalformedException {
        clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFields.METADATA -> metadata.read(reader, known);
                case ObjectFields.SPEC -> spec();
                case ObjectFields.STATUS -> status();
                default -> reader.skip();
            }
        }
        if (conditions.resizeInfeasible()) {
            needs.mark(NeedsParts.INFEASIBLE);
        }
        String uid = metadata.uid(object);
        LabelBlock labels = metadata.ownLabels();
        String name = metadata.name(object);
        return new Pod(
                uid,
                new NamespacedName(metadata.namespace(object), name),
                metadata.resourceVersion(object),
                labels.labels().withNodePairsOf(metadata.nodePairs()),
                nodeName.isEmpty() ? Optional.empty() : Optional.of(nodeName),
                scheduling.isEmpty() ? Scheduling.anywhere() : scheduling.in(schedulings),
                needs.needs().withClaims(volumes.claims(name)),
                new PodLife(
                        ApiWords.phase(phase),
                        conditions.ready(),
                        metadata.creationTime(),
                        conditions.boundOr(metadata.creationTime()),
                        metadata.deletionTime(),
                        conditions.beingDisrupted()),
                new Protection(
                        metadata.controller(),
                        priority,
                        ApiWords.restartPolicy(restartPolicy),
                        metadata.mirror(),
                        inSchedulingGroup || labels.gangMember(),
                        volumes.local(),
                        metadata.marks()));
    }

    private void clear() {
        metadata.clear();
        scheduling.clear();
        needs.clear();
        volumes.clear();
        conditions.clear();
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
                case PodFields.Spec.CONTAINERS -> needs.container(NeedsParts.CONTAINER);
                case PodFields.Spec.RESTART_POLICY -> restartPolicy = words.of(reader);
                case PodFields.Spec.NODE_SELECTOR,
                        PodFields.Spec.AFFINITY,
                        PodFields.Spec.TOLERATIONS,
                        PodFields.Spec.TOPOLOGY_SPREAD_CONSTRAINTS -> scheduling.add(reader);
                case PodFields.Spec.NODE_NAME -> nodeName = words.of(reader);
                case PodFields.Spec.INIT_CONTAINERS -> needs.container(NeedsParts.INIT_CONTAINER);
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
                case PodFields.Status.PHASE -> phase = words.of(reader);
                case PodFields.Status.CONDITIONS -> conditions.read(reader);
                case PodFields.Status.CONTAINER_STATUSES, PodFields.Status.INIT_CONTAINER_STATUSES -> needs.status();
                case PodFields.Status.ALLOCATED_RESOURCES -> needs.take();
                case PodFields.Status.RESOURCES -> {
                    needs.mark(NeedsParts.KNOWN_IN_ALL);
                    needs.take();
                }
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
