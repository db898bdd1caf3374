package dev.holdfast.operator.decode;

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

    private String nodeName = "";
    private int priority;
    private String restartPolicy = "";
    private boolean inSchedulingGroup;
    private String phase = "";
    private boolean ready;

    @Override
    public Pod decode(Region object) throws MalformedException {
        clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case 1 -> metadata.read(reader);
                case 2 -> spec();
                case 3 -> status();
                default -> reader.skip();
            }
        }
        LabelBlock labels = metadata.labels();
        return new Pod(
                metadata.uid(object),
                new NamespacedName(metadata.namespace(object), metadata.name(object)),
                metadata.resourceVersion(object),
                labels.labels(),
                nodeName.isEmpty() ? Optional.empty() : Optional.of(nodeName),
                scheduling.isEmpty() ? Scheduling.anywhere() : scheduling.in(schedulings),
                new PodLife(ApiWords.phase(phase), ready, metadata.creationTime(), metadata.deletionTime()),
                new Protection(
                        metadata.controller(),
                        priority,
                        ApiWords.restartPolicy(restartPolicy),
                        metadata.mirror(),
                        inSchedulingGroup || labels.gangMember()));
    }

    private void clear() {
        metadata.clear();
        scheduling.clear();
        nodeName = "";
        priority = 0;
        restartPolicy = "";
        inSchedulingGroup = false;
        phase = "";
        ready = false;
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case 3 -> restartPolicy = words.of(reader);
                case SchedulingParts.NODE_SELECTOR,
                        SchedulingParts.AFFINITY,
                        SchedulingParts.TOLERATIONS,
                        SchedulingParts.TOPOLOGY_SPREAD -> scheduling.add(reader);
                case 10 -> nodeName = words.of(reader);
                case 25 -> priority = reader.int32();
                case 43 -> {
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
                case 1 -> phase = words.of(reader);
                case 2 -> ready |= Conditions.ready(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
