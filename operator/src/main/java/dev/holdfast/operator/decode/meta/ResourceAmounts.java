package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.MapEntry;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.operator.decode.protobuf.StringCache;
import dev.holdfast.policies.model.Resources;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Mutable exact amounts by resource name, used to add up resource requests. */
public final class ResourceAmounts {
    public static final String CPU = "cpu";
    public static final String MEMORY = "memory";
    private static final String EPHEMERAL_STORAGE = "ephemeral-storage";
    private static final String PODS = "pods";
    private static final int MILLI = 3;
    private static final BigDecimal LARGEST = BigDecimal.valueOf(Long.MAX_VALUE);

    private final Map<String, BigDecimal> byName = new TreeMap<>();

    /** {@return the amounts in consecutive map entries from resource name to quantity} */
    public static Resources ofEntries(ByteSlice fields, StringCache stringCache) throws MalformedException {
        ProtoReader reader = new ProtoReader();
        reader.open(fields);
        ResourceAmounts resourceAmounts = new ResourceAmounts();
        while (reader.next()) {
            resourceAmounts.read(reader, stringCache);
        }
        return resourceAmounts.resources();
    }

    /** Reads the reader's current field as a map entry. Of entries with the same resource name, the last one counts. */
    public void read(ProtoReader reader, StringCache stringCache) throws MalformedException {
        String name = "";
        BigDecimal amount = BigDecimal.ZERO;
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case MapEntry.KEY -> name = stringCache.of(reader);
                case MapEntry.VALUE -> amount = quantity(reader);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        put(name, amount);
    }

    public void put(String name, BigDecimal amount) {
        byName.put(name, amount);
    }

    private static BigDecimal quantity(ProtoReader reader) throws MalformedException {
        BigDecimal amount = BigDecimal.ZERO;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.Quantity.STRING) {
                amount = Quantity.of(reader.byteSlice());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return amount;
    }

    public boolean isEmpty() {
        return byName.isEmpty();
    }

    public ResourceAmounts copy() {
        return new ResourceAmounts().add(this);
    }

    /** Adds the other object's amount of each resource to the amount in this object, and returns this object. */
    public ResourceAmounts add(ResourceAmounts others) {
        others.byName.forEach((name, amount) -> byName.merge(name, amount, BigDecimal::add));
        return this;
    }

    /** Raises the amount of each resource to the other object's amount if that is larger, and returns this object. */
    public ResourceAmounts raise(ResourceAmounts others) {
        others.byName.forEach((name, amount) -> byName.merge(name, amount, BigDecimal::max));
        return this;
    }

    /**
     * Copies all amounts of the other object into this one, over existing amounts of the same resources, and returns
     * this object.
     */
    public ResourceAmounts replace(ResourceAmounts others) {
        byName.putAll(others.byName);
        return this;
    }

    /** {@return a copy with only the amounts whose resource names match} */
    public ResourceAmounts only(Predicate<String> names) {
        ResourceAmounts some = new ResourceAmounts();
        byName.forEach((name, amount) -> {
            if (names.test(name)) {
                some.byName.put(name, amount);
            }
        });
        return some;
    }

    /** {@return the exact amounts by resource name} */
    public Map<String, BigDecimal> byName() {
        return Map.copyOf(byName);
    }

    /** {@return the amounts in thousandths by resource name, rounded up; at most {@link Long#MAX_VALUE}} */
    public Map<String, Long> thousandths() {
        Map<String, Long> thousandths = new TreeMap<>();
        byName.forEach((name, amount) -> thousandths.put(name, whole(amount.movePointRight(MILLI))));
        return thousandths;
    }

    public Resources resources() {
        Map<String, Long> others = new TreeMap<>();
        byName.forEach((name, amount) -> {
            if (!name.equals(CPU)
                    && !name.equals(MEMORY)
                    && !name.equals(EPHEMERAL_STORAGE)
                    && !name.equals(PODS)
                    && amount.signum() > 0) {
                others.put(name, whole(amount));
            }
        });
        return new Resources(
                whole(amount(CPU).movePointRight(MILLI)),
                whole(amount(MEMORY)),
                whole(amount(EPHEMERAL_STORAGE)),
                whole(amount(PODS)),
                others);
    }

    private BigDecimal amount(String name) {
        return byName.getOrDefault(name, BigDecimal.ZERO);
    }

    private static long whole(BigDecimal amount) {
        return amount.setScale(0, RoundingMode.UP).min(LARGEST).longValue();
    }
}
