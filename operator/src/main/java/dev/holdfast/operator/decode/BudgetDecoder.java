package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.MetadataDecoder;
import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;
import dev.holdfast.operator.decode.meta.PartCount;
import dev.holdfast.operator.decode.meta.SelectorParts;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ObjectDecoder;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.NamespacedName;
import java.util.Optional;

/**
 * Decodes a PodDisruptionBudget of policy/v1. Source of the field numbers: {@code policy/v1/generated.proto} in
 * k8s.io/api 0.37.1.
 */
public final class BudgetDecoder implements ObjectDecoder<Versioned<DisruptionBudget>> {
    /** Protobuf field number of {@code selector} in the spec. */
    private static final int SELECTOR = 2;

    /** How many labels, expressions and values of the selector are read, and how many characters in them. */
    static final int MOST_PARTS = 128;

    static final int MOST_CHARACTERS = 4 << 10;

    /**
     * Protobuf field number of {@code observedGeneration} in the status; the next constants are other fields of the
     * status.
     */
    private static final int OBSERVED_GENERATION = 1;

    private static final int DISRUPTIONS_ALLOWED = 3;
    private static final int DESIRED_HEALTHY = 5;
    private static final int EXPECTED_PODS = 6;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    private SelectorParts selector = new SelectorParts(stringCache);
    private long observedGeneration;
    private int disruptionsAllowed;
    private int desiredHealthy;
    private int expectedPods;

    @Override
    public Versioned<DisruptionBudget> decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        selector = new SelectorParts(stringCache);
        observedGeneration = 0;
        disruptionsAllowed = 0;
        desiredHealthy = 0;
        expectedPods = 0;
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case ObjectFieldNumbers.METADATA -> metadataDecoder.read(reader);
                case ObjectFieldNumbers.SPEC -> spec();
                case ObjectFieldNumbers.STATUS -> status();
                default -> reader.skip();
            }
        }
        DisruptionBudget budget = new DisruptionBudget(
                metadataDecoder.uid(object),
                new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object)),
                limited(selector.selector()),
                isCurrent() ? disruptionsAllowed : 0,
                isCurrent() && expectedPods > 0 && desiredHealthy >= expectedPods);
        return new Versioned<>(metadataDecoder.resourceVersion(object), budget);
    }

    /** {@return this selector; one that selects all pods of the namespace if it has more parts than Holdfast reads} */
    private static Optional<LabelSelector> limited(Optional<LabelSelector> read) {
        PartCount count = new PartCount();
        count.add(read);
        return count.exceeds(MOST_PARTS, MOST_CHARACTERS) ? Optional.of(LabelSelector.everything()) : read;
    }

    /**
     * {@return whether the status is up to date: the disruption controller has observed the budget's current
     * generation}
     */
    private boolean isCurrent() {
        return observedGeneration >= metadataDecoder.generation();
    }

    private void spec() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == SELECTOR) {
                selector.read(reader);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void status() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case OBSERVED_GENERATION -> observedGeneration = reader.int64();
                case DISRUPTIONS_ALLOWED -> disruptionsAllowed = reader.int32();
                case DESIRED_HEALTHY -> desiredHealthy = reader.int32();
                case EXPECTED_PODS -> expectedPods = reader.int32();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
