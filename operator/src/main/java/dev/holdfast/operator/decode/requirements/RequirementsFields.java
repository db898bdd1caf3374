package dev.holdfast.operator.decode.requirements;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.PodSecurityDecoder;
import dev.holdfast.operator.decode.protobuf.ByteKeyedCache;
import dev.holdfast.operator.decode.protobuf.FieldBuffer;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;

/**
 * Collects the fields of a pod that determine its resource requests and host ports. All pods of one template usually
 * have the same bytes in these fields. So the bytes are the key under which the decoded requirements are cached. All
 * other fields of the containers are skipped.
 */
public final class RequirementsFields {
    private static final int SLOTS = 8 << 10;
    private static final int BUDGET = 4 << 20;

    private final ProtoReader reader;
    private final FieldBuffer fields = new FieldBuffer();
    private final ByteKeyedCache<ReadRequirements> known;

    /** Creates a collector of the fields that this reader reads. */
    public RequirementsFields(ProtoReader reader, StringCache stringCache) {
        this.reader = reader;
        this.known = new ByteKeyedCache<>(
                SLOTS, BUDGET, bytes -> ReadRequirements.of(RequirementsDecoder.read(bytes, stringCache)));
    }

    /** Forgets the fields of the pod before. */
    public void clear() {
        fields.clear();
    }

    /** {@return whether the pod has no containers and nothing else that requests anything} */
    public boolean isEmpty() {
        return fields.isEmpty();
    }

    /** {@return the requirements of the pod, decoded from the collected fields} */
    public ReadRequirements requirements() throws MalformedException {
        return fields.isEmpty() ? ReadRequirements.NONE : fields.in(known);
    }

    /** Adds the reader's current field unchanged. */
    public void take() throws MalformedException {
        fields.add(reader);
    }

    /**
     * Adds an artificial field, which no pod has, to tell {@link RequirementsDecoder} something about the pod. For
     * example, 105 says that the resize is infeasible.
     *
     * @param mark the number of the artificial field, a constant of {@code RequirementsDecoder}
     */
    public void mark(int mark) {
        fields.mark(mark);
    }

    /** Adds the fields of another buffer, whose numbers differ from those of all collected fields of a pod. */
    public void addAll(FieldBuffer others) {
        fields.addAll(others);
    }

    /**
     * Adds the name, ports, resources and restart policy of the container at the reader's current field.
     *
     * @param mark the number of an artificial field to add first; it says whether this is an app or an init container
     * @param security reads what the Pod Security Standards are about
     */
    public void container(int mark, PodSecurityDecoder security) throws MalformedException {
        fields.mark(mark);
        security.beginContainer();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Container.PORTS -> {
                    int from = reader.fieldStart();
                    security.port();
                    fields.add(reader, from);
                }
                case Fields.Container.NAME, Fields.Container.RESOURCES, Fields.Container.RESTART_POLICY ->
                    fields.add(reader);
                case Fields.Container.SECURITY_CONTEXT -> security.ofContainer();
                case Fields.Container.LIVENESS_PROBE,
                        Fields.Container.READINESS_PROBE,
                        Fields.Container.STARTUP_PROBE -> security.handlers(Fields.Probe.PROBE_HANDLER);
                case Fields.Container.LIFECYCLE -> security.handlers(Fields.Lifecycle.PRE_STOP);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        security.endContainer();
    }

    /**
     * Adds the name and resources of the container status at the reader's current field. Adds an artificial field
     * first, so that they are not taken for fields of the container before.
     */
    public void status() throws MalformedException {
        fields.mark(RequirementsDecoder.STATUS);
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ContainerStatus.NAME,
                        Fields.ContainerStatus.ALLOCATED_RESOURCES,
                        Fields.ContainerStatus.RESOURCES -> fields.add(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
