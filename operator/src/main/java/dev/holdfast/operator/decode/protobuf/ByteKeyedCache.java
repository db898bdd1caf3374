package dev.holdfast.operator.decode.protobuf;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Cache of decoded values. The key of a value is the bytes from which it was decoded. The hash of a key selects two
 * neighbouring slots; the key is stored in one of them.
 *
 * <p>If other keys are in both slots, the first lookup of a key only notes its hash. The second lookup stores the key
 * in place of another one. If a third key was noted there in between, the second lookup counts as a first. So a rare
 * key is not copied and replaces no other entry.
 *
 * <p>When all keys together would exceed a fixed number of bytes (the budget), the cache is cleared.
 *
 * @param <V> the decoded value; immutable
 */
public final class ByteKeyedCache<V> {
    /** Decodes a value from bytes. */
    @FunctionalInterface
    public interface Reading<V> {
        V read(ByteSlice bytes) throws MalformedException;
    }

    private static final class Entry<V> {
        private final long hash;
        private final byte[] bytes;
        private final V value;

        private Entry(long hash, byte[] bytes, V value) {
            this.hash = hash;
            this.bytes = bytes;
            this.value = value;
        }

        private boolean is(long otherHash, byte[] other, int from, int to) {
            return hash == otherHash && Arrays.equals(bytes, 0, bytes.length, other, from, to);
        }
    }

    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    private static final long MIX = 0x9E3779B97F4A7C15L;

    /** A key is not stored if it is longer than the budget (the bytes allowed for all keys) divided by this number. */
    private static final int PART = 64;

    private static final int NOWHERE = -1;

    private final Reading<V> reading;
    private final @Nullable Entry<V>[] slots;

    /**
     * For each slot, part of the hash of the last key that was not stored because this slot and its neighbour were
     * taken. A key that comes again is stored.
     */
    private final int[] refused;

    private final int budget;
    private int held;

    /**
     * An empty cache.
     *
     * @param slots the number of slots, a power of two
     * @param budget the maximum number of bytes of all keys together
     * @param reading decodes the value of a key that is not in the cache
     */
    @SuppressWarnings({"unchecked", "rawtypes"}) // There are no generic arrays.
    public ByteKeyedCache(int slots, int budget, Reading<V> reading) {
        this.reading = reading;
        this.slots = new Entry[slots];
        this.refused = new int[slots];
        this.budget = budget;
    }

    /**
     * Returns the value of the bytes from {@code from} to {@code to} (exclusive). Decodes the bytes only if their value
     * is not in the cache.
     *
     * @param offset the offset of these bytes in the response body, for error messages
     */
    public V of(byte[] bytes, int from, int to, long offset) throws MalformedException {
        long hash = hash(bytes, from, to);
        int slot = (int) (hash >>> 32) & (slots.length - 1);
        Entry<V> known = slots[slot];
        if (known != null && known.is(hash, bytes, from, to)) {
            return known.value;
        }
        Entry<V> beside = slots[beside(slot)];
        if (beside != null && beside.is(hash, bytes, from, to)) {
            return beside.value;
        }
        V value = reading.read(new ByteSlice(bytes, from, to, offset));
        if (to - from <= budget / PART) {
            int place = place(slot, (int) hash);
            if (place != NOWHERE) {
                remember(place, new Entry<>(hash, Arrays.copyOfRange(bytes, from, to), value));
            }
        }
        return value;
    }

    private int beside(int slot) {
        return (slot ^ 1) & (slots.length - 1);
    }

    /**
     * Returns the slot in which to store a key that is not in the cache; {@link #NOWHERE} if the key is not to be
     * stored.
     *
     * @param slot the preferred one of the key's two slots
     * @param hash the lower half of the key's hash
     */
    private int place(int slot, int hash) {
        if (slots[slot] == null) {
            return slot;
        }
        if (slots[beside(slot)] == null) {
            return beside(slot);
        }
        boolean again = refused[slot] == hash;
        refused[slot] = hash;
        return again ? slot : NOWHERE;
    }

    private void remember(int slot, Entry<V> entry) {
        Entry<V> replaced = slots[slot];
        held += entry.bytes.length - (replaced == null ? 0 : replaced.bytes.length);
        if (held > budget) {
            Arrays.fill(slots, null);
            held = entry.bytes.length;
        }
        slots[slot] = entry;
    }

    private static long hash(byte[] bytes, int from, int to) {
        long hash = (long) to - from;
        long other = MIX;
        int at = from;
        // The two products do not depend on each other, so a processor computes them at once.
        for (; at + 2 * Long.BYTES <= to; at += 2 * Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at));
            other = mix(other ^ (long) LONGS.get(bytes, at + Long.BYTES));
        }
        hash ^= other;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            hash = mix(hash ^ (long) LONGS.get(bytes, at));
        }
        long rest = 0;
        for (; at < to; at++) {
            rest = rest << Byte.SIZE | (bytes[at] & 0xff);
        }
        return mix(hash ^ rest);
    }

    private static long mix(long value) {
        long product = value * MIX;
        return product ^ (product >>> 29);
    }
}
