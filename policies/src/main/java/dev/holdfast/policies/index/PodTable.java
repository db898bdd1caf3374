package dev.holdfast.policies.index;

import java.util.Arrays;
import java.util.Iterator;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * All pods by UID. An open table without an object for each of them beside the entry itself: at a million pods a map of
 * the JDK would take 32 MiB more.
 */
final class PodTable implements Iterable<PodEntry> {
    private static final int FIRST_SIZE = 64;

    /** A power of two long and at most half full; a pod stands at the first free place from its hash on. */
    private @Nullable PodEntry[] table = new @Nullable PodEntry[FIRST_SIZE];

    private int size;

    Optional<PodEntry> get(String uid) {
        return Optional.ofNullable(table[place(table, uid)]);
    }

    /** {@return the first pod at a place of the table or after it; places beyond its end begin anew} */
    Optional<PodEntry> at(int place) {
        int first = place & (table.length - 1);
        for (int at = first; size > 0; at = next(at)) {
            PodEntry pod = table[at];
            if (pod != null) {
                return Optional.of(pod);
            }
        }
        return Optional.empty();
    }

    /** Adds a pod whose UID is not yet there. */
    void add(PodEntry pod) {
        if (size * 2 >= table.length) {
            resize(table.length * 2);
        }
        table[place(table, pod.pod.uid())] = pod;
        size++;
    }

    /** Takes out the pod with this UID, and moves up those that stand behind it only because it stood there. */
    void remove(String uid) {
        int gap = place(table, uid);
        if (table[gap] == null) {
            return;
        }
        table[gap] = null;
        size--;
        for (int at = next(gap); ; at = next(at)) {
            PodEntry pod = table[at];
            if (pod == null) {
                break;
            }
            table[at] = null;
            table[place(table, pod.pod.uid())] = pod;
        }
        if (table.length > FIRST_SIZE && size * 8 < table.length) {
            resize(table.length / 2);
        }
    }

    /** Shows all pods in no particular order; none may come or leave meanwhile. */
    @Override
    public Iterator<PodEntry> iterator() {
        return Arrays.stream(table).filter(Objects::nonNull).iterator();
    }

    int size() {
        return size;
    }

    private void resize(int length) {
        @Nullable PodEntry[] wider = new @Nullable PodEntry[length];
        for (PodEntry pod : table) {
            if (pod != null) {
                wider[place(wider, pod.pod.uid())] = pod;
            }
        }
        table = wider;
    }

    /** {@return where the pod stands, or would stand} */
    private static int place(@Nullable PodEntry[] table, String uid) {
        int hash = uid.hashCode();
        int at = (hash ^ (hash >>> 16)) & (table.length - 1);
        for (PodEntry pod = table[at]; pod != null && !pod.pod.uid().equals(uid); pod = table[at]) {
            at = (at + 1) & (table.length - 1);
        }
        return at;
    }

    private int next(int at) {
        return (at + 1) & (table.length - 1);
    }
}
