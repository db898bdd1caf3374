package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.meta.MetadataDecoder;
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
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Decodes a PodDisruptionBudget of policy/v1. */
public final class BudgetDecoder implements ObjectDecoder<Versioned<DisruptionBudget>> {
    private static final byte[] ALWAYS_ALLOW = "AlwaysAllow".getBytes(StandardCharsets.UTF_8);
    private static final Pattern PERCENT = Pattern.compile("([0-9]{1,3})%");

    /** How many labels, expressions and values of the selector are read, and how many characters in them. */
    static final int MOST_PARTS = 128;

    static final int MOST_CHARACTERS = 4 << 10;

    private final StringCache stringCache = new StringCache();
    private final MetadataDecoder metadataDecoder = new MetadataDecoder(stringCache);
    private final ProtoReader reader = new ProtoReader();

    private SelectorParts selector = new SelectorParts(stringCache);
    private long observedGeneration;
    private int disruptionsAllowed;
    private int desiredHealthy;
    private int expectedPods;
    private boolean hasStatus;
    private boolean evictsUnhealthy;
    private DisruptionBudget.Limit limit = new DisruptionBudget.Limit.None();

    @Override
    public Versioned<DisruptionBudget> decode(ByteSlice object) throws MalformedException {
        metadataDecoder.clear();
        selector = new SelectorParts(stringCache);
        observedGeneration = 0;
        disruptionsAllowed = 0;
        desiredHealthy = 0;
        expectedPods = 0;
        hasStatus = false;
        evictsUnhealthy = false;
        limit = new DisruptionBudget.Limit.None();
        reader.open(object);
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodDisruptionBudget.METADATA -> metadataDecoder.read(reader);
                case Fields.PodDisruptionBudget.SPEC -> spec();
                case Fields.PodDisruptionBudget.STATUS -> status();
                default -> reader.skip();
            }
        }
        DisruptionBudget budget = new DisruptionBudget(
                metadataDecoder.uid(object),
                new NamespacedName(metadataDecoder.namespace(object), metadataDecoder.name(object)),
                limited(selector.selector()),
                isCurrent() ? disruptionsAllowed : 0,
                isCurrent() && expectedPods > 0 && desiredHealthy >= expectedPods,
                new DisruptionBudget.Spec(limit, evictsUnhealthy, hasStatus && isCurrent()));
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
            switch (reader.field()) {
                case Fields.PodDisruptionBudgetSpec.SELECTOR -> selector.read(reader);
                case Fields.PodDisruptionBudgetSpec.MIN_AVAILABLE ->
                    limit = limit(
                            DisruptionBudget.Limit.MinAvailable::new, DisruptionBudget.Limit.MinAvailablePercent::new);
                case Fields.PodDisruptionBudgetSpec.MAX_UNAVAILABLE ->
                    limit = limit(
                            DisruptionBudget.Limit.MaxUnavailable::new,
                            DisruptionBudget.Limit.MaxUnavailablePercent::new);
                case Fields.PodDisruptionBudgetSpec.UNHEALTHY_POD_EVICTION_POLICY ->
                    evictsUnhealthy = reader.is(ALWAYS_ALLOW);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    /**
     * {@return the limit of a number or percentage; the API server accepts no other text} Of the two values of an
     * {@code IntOrString}, that which is not meant is absent or empty.
     */
    private DisruptionBudget.Limit limit(
            IntFunction<DisruptionBudget.Limit> ofPods, IntFunction<DisruptionBudget.Limit> ofPercent)
            throws MalformedException {
        int pods = 0;
        String text = "";
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.IntOrString.INT_VAL -> pods = reader.int32();
                case Fields.IntOrString.STR_VAL -> text = reader.string();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        Matcher percent = PERCENT.matcher(text);
        if (percent.matches()) {
            return ofPercent.apply(Integer.parseInt(percent.group(1)));
        }
        return text.isEmpty() ? ofPods.apply(pods) : new DisruptionBudget.Limit.None();
    }

    private void status() throws MalformedException {
        hasStatus = true;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodDisruptionBudgetStatus.OBSERVED_GENERATION -> observedGeneration = reader.int64();
                case Fields.PodDisruptionBudgetStatus.DISRUPTIONS_ALLOWED -> disruptionsAllowed = reader.int32();
                case Fields.PodDisruptionBudgetStatus.DESIRED_HEALTHY -> desiredHealthy = reader.int32();
                case Fields.PodDisruptionBudgetStatus.EXPECTED_PODS -> expectedPods = reader.int32();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }
}
