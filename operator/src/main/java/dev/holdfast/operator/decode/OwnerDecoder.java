package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.StatefulSetRevisions;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Decodes a workload object (Deployment, ReplicaSet, StatefulSet, Job): its metadata, its desired replicas, whether it
 * creates pods, and the revisions of a StatefulSet. Metadata, spec and status have the same field numbers in all four.
 */
public final class OwnerDecoder implements ObjectDecoder<Versioned<Owner>> {
    /** How many characters of the message of a condition are kept. */
    private static final int MOST_OF_MESSAGE = 300;

    private static final String REPLICA_SET = "ReplicaSet";

    private static final String JOB = "Job";
    private static final String PARALLEL = "Parallel";
    private static final String DEPLOYMENT = "Deployment";
    private static final String STATEFUL_SET = "StatefulSet";
    private static final String ON_DELETE = "OnDelete";

    private final String kind;

    /** Field number of {@code replicas} in the spec; {@link ProtoReader#NO_FIELD} if they are not read. */
    private final int replicasField;

    /** Field number of {@code template} in the spec; {@link ProtoReader#NO_FIELD} if it is not read. */
    private final int templateField;

    private final PodDecoder podDecoder;
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(new StringCache());
    private final ProtoReader reader = new ProtoReader();

    /** The desired replicas: 1 if the spec does not set them. Empty without a spec, and for a Job. */
    private OptionalInt replicas = OptionalInt.empty();

    private Optional<ByteSlice> template = Optional.empty();
    private boolean suspended;
    private boolean parallel;
    private boolean onDelete;
    private int partition;
    private int firstOrdinal;
    private long observedGeneration;
    private String currentRevision = "";
    private String updateRevision = "";
    private Optional<String> replicaFailure = Optional.empty();

    private OwnerDecoder(String kind, int replicasField, int templateField, SchedulingScope scope) {
        this.podDecoder = new PodDecoder(scope, _ -> AnnotationRules.none());
        this.kind = kind;
        this.replicasField = replicasField;
        this.templateField = templateField;
    }

    /** {@return a decoder of a ReplicaSet of apps/v1} */
    public static OwnerDecoder ofReplicaSets(SchedulingScope scope) {
        return new OwnerDecoder(REPLICA_SET, Fields.ReplicaSetSpec.REPLICAS, Fields.ReplicaSetSpec.TEMPLATE, scope);
    }

    /**
     * {@return a decoder of a Deployment of apps/v1} The Deployment has no controller, because it is a workload of its
     * own whatever object made it.
     */
    public static OwnerDecoder ofDeployments() {
        return new OwnerDecoder(
                DEPLOYMENT, Fields.DeploymentSpec.REPLICAS, ProtoReader.NO_FIELD, SchedulingScope.RULES);
    }

    /** {@return a decoder of a StatefulSet of apps/v1} */
    public static OwnerDecoder ofStatefulSets(SchedulingScope scope) {
        return new OwnerDecoder(STATEFUL_SET, Fields.StatefulSetSpec.REPLICAS, Fields.StatefulSetSpec.TEMPLATE, scope);
    }

    /** {@return a decoder of a Job of batch/v1} */
    public static OwnerDecoder ofJobs(SchedulingScope scope) {
        return new OwnerDecoder(JOB, ProtoReader.NO_FIELD, Fields.JobSpec.TEMPLATE, scope);
    }

    @Override
    public Versioned<Owner> decode(ByteSlice object) throws MalformedException {
        clear();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Deployment.METADATA -> metadataDecoder.read(reader);
                case Fields.Deployment.SPEC -> spec();
                case Fields.Deployment.STATUS -> status();
                default -> reader.skip();
            }
        }
        Owner owner = new Owner(
                metadataDecoder.uid(object),
                kind,
                new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object)),
                kind.equals(DEPLOYMENT) ? Optional.empty() : metadataDecoder.controller(),
                replicas,
                metadataDecoder.disruptionAnnotations(),
                ofStatefulSet() ? Optional.of(revisions()) : Optional.empty(),
                podCreation());
        return new Versioned<>(metadataDecoder.resourceVersion(object), owner);
    }

    private boolean ofStatefulSet() {
        return kind.equals(STATEFUL_SET);
    }

    private PodCreation podCreation() {
        PodCreation read = new PodCreation(
                metadataDecoder.deletionTime().isPresent(),
                suspended,
                ofStatefulSet() && !parallel,
                replicaFailure,
                podTemplate());
        return read.equals(PodCreation.atOnce()) ? PodCreation.atOnce() : read;
    }

    /** {@return what the object makes pods from; empty if it makes none, or has no template} */
    private Optional<PodTemplate> podTemplate() {
        if (template.isEmpty() || replicas.equals(OptionalInt.of(0))) {
            return Optional.empty();
        }
        try {
            return Optional.of(podDecoder.decodeTemplate(template.get()));
        } catch (MalformedException e) {
            return Optional.of(PodTemplate.unread(e.what()));
        }
    }

    private StatefulSetRevisions revisions() {
        boolean observed = observedGeneration >= metadataDecoder.generation();
        return new StatefulSetRevisions(observed, onDelete, partition, firstOrdinal, currentRevision, updateRevision);
    }

    private void clear() {
        metadataDecoder.clear();
        replicas = OptionalInt.empty();
        template = Optional.empty();
        suspended = false;
        parallel = false;
        onDelete = false;
        partition = 0;
        firstOrdinal = 0;
        observedGeneration = 0;
        currentRevision = "";
        updateRevision = "";
        replicaFailure = Optional.empty();
    }

    private void spec() throws MalformedException {
        replicas = replicasField == ProtoReader.NO_FIELD ? OptionalInt.empty() : OptionalInt.of(1);
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == replicasField) {
                replicas = OptionalInt.of(reader.int32());
            } else if (reader.field() == templateField) {
                template = Optional.of(reader.byteSlice());
            } else if (kind.equals(JOB) && reader.field() == Fields.JobSpec.SUSPEND) {
                suspended = reader.bool();
            } else if (ofStatefulSet() && reader.field() == Fields.StatefulSetSpec.POD_MANAGEMENT_POLICY) {
                parallel = reader.string().equals(PARALLEL);
            } else if (ofStatefulSet() && reader.field() == Fields.StatefulSetSpec.UPDATE_STRATEGY) {
                updateStrategy();
            } else if (ofStatefulSet() && reader.field() == Fields.StatefulSetSpec.ORDINALS) {
                ordinals();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void updateStrategy() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.StatefulSetUpdateStrategy.TYPE ->
                    onDelete = reader.string().equals(ON_DELETE);
                case Fields.StatefulSetUpdateStrategy.ROLLING_UPDATE -> rollingUpdate();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void rollingUpdate() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.RollingUpdateStatefulSetStrategy.PARTITION) {
                partition = reader.int32();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void ordinals() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.StatefulSetOrdinals.START) {
                firstOrdinal = reader.int32();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void status() throws MalformedException {
        if (kind.equals(REPLICA_SET)) {
            statusOfReplicaSet();
        } else if (ofStatefulSet()) {
            statusOfStatefulSet();
        } else {
            reader.skip();
        }
    }

    private void statusOfReplicaSet() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.ReplicaSetStatus.CONDITIONS) {
                condition();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    /** Reads a condition, except {@code FailedDelete}: a pod that cannot be deleted stops no replacement. */
    private void condition() throws MalformedException {
        String type = "";
        String status = "";
        String reason = "";
        String message = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ReplicaSetCondition.TYPE -> type = reader.string();
                case Fields.ReplicaSetCondition.STATUS -> status = reader.string();
                case Fields.ReplicaSetCondition.REASON -> reason = reader.string();
                case Fields.ReplicaSetCondition.MESSAGE -> message = reader.string();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        if (type.equals("ReplicaFailure") && status.equals("True") && !reason.equals("FailedDelete")) {
            replicaFailure = Optional.of(beginning(message));
        }
    }

    /** {@return the message on one line; if it is too long, its beginning and three dots} */
    private static String beginning(String message) {
        String line = message.codePoints()
                .map(it -> Character.isISOControl(it) ? ' ' : it)
                .limit(MOST_OF_MESSAGE + 1L)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return line.codePointCount(0, line.length()) <= MOST_OF_MESSAGE
                ? line
                : line.substring(0, line.offsetByCodePoints(0, MOST_OF_MESSAGE)) + "...";
    }

    private void statusOfStatefulSet() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.StatefulSetStatus.OBSERVED_GENERATION -> observedGeneration = reader.int64();
                case Fields.StatefulSetStatus.CURRENT_REVISION -> currentRevision = reader.string();
                case Fields.StatefulSetStatus.UPDATE_REVISION -> updateRevision = reader.string();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
