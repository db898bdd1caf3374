package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.protobuf.KnownIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Of each object its id, its version, and a mark. An open table, without an object for each of them and findable by the bytes
 * of an id: with 150,000 pods a map takes 5 MiB more, and an id is looked up for each event.
 */
final class VersionTable implements KnownIds {
    /** Of no object: any version is another one. */
    static final long NONE = -1;

    private static final int FIRST_SIZE = 16;

    /** A power of two long and at most three quarters full; an id stands at the first free place from its hash on. */
    private @Nullable String[] ids = new @Nullable String[FIRST_SIZE];

    private long[] versions = new long[FIRST_SIZE];
    private int[] marks = new int[FIRST_SIZE];
    private int size;

    int size() {
        return size;
    }

    /**
     * Marks an object, which may be new, and gives it a version.
     *
     * @return its version before; {@link #NONE} if it is new, or forgotten
     */
    long put(String id, long version, int mark) {
        if ((size + 1) * 4L > ids.length * 3L) {
            resize(ids.length * 2);
        }
        int at = place(id);
        boolean known = ids[at] != null;
        long before = known ? versions[at] : NONE;
        if (!known) {
            ids[at] = id;
            size++;
        }
        versions[at] = version;
        marks[at] = mark;
        return before;
    }

    /** {@return whether there was such an object; there is none any more} */
    boolean remove(String id) {
        int gap = place(id);
        if (ids[gap] == null) {
            return false;
        }
        ids[gap] = null;
        size--;
        // What stands behind it only because it stood there moves up.
        for (int at = next(gap); ; at = next(at)) {
            String moved = ids[at];
            if (moved == null) {
                break;
            }
            ids[at] = null;
            stand(moved, versions[at], marks[at]);
        }
        if (ids.length > FIRST_SIZE && size * 8L < ids.length) {
            resize(ids.length / 2);
        }
        return true;
    }

    /** {@return the ids of all objects with another mark} */
    List<String> withoutMark(int mark) {
        List<String> others = new ArrayList<>();
        for (int at = 0; at < ids.length; at++) {
            String id = ids[at];
            if (id != null && marks[at] != mark) {
                others.add(id);
            }
        }
        return others;
    }

    /** Forgets all versions, but no object. */
    void forgetVersions() {
        Arrays.fill(versions, NONE);
    }

    @Override
    public String id(byte[] bytes, int from, int to) {
        int hash = 0;
        int signs = 0;
        for (int i = from; i < to; i++) {
            hash = 31 * hash + bytes[i];
            signs |= bytes[i];
        }
        if (signs >= 0) {
            int at = first(hash);
            for (String id = ids[at]; id != null; id = ids[at]) {
                if (is(id, bytes, from, to)) {
                    return id;
                }
                at = next(at);
            }
        }
        return KnownIds.NONE.id(bytes, from, to);
    }

    private static boolean is(String id, byte[] ascii, int from, int to) {
        if (id.length() != to - from) {
            return false;
        }
        for (int i = from; i < to; i++) {
            if (id.charAt(i - from) != ascii[i]) {
                return false;
            }
        }
        return true;
    }

    private void resize(int length) {
        @Nullable String[] ofIds = ids;
        long[] ofVersions = versions;
        int[] ofMarks = marks;
        ids = new @Nullable String[length];
        versions = new long[length];
        marks = new int[length];
        for (int at = 0; at < ofIds.length; at++) {
            String id = ofIds[at];
            if (id != null) {
                stand(id, ofVersions[at], ofMarks[at]);
            }
        }
    }

    private void stand(String id, long version, int mark) {
        int at = place(id);
        ids[at] = id;
        versions[at] = version;
        marks[at] = mark;
    }

    /** {@return where the id stands, or would stand} */
    private int place(String id) {
        int at = first(id.hashCode());
        for (String there = ids[at]; there != null && !there.equals(id); there = ids[at]) {
            at = next(at);
        }
        return at;
    }

    /** @param hash as strings have it, which is the same for the bytes of ASCII */
    private int first(int hash) {
        return (hash ^ (hash >>> 16)) & (ids.length - 1);
    }

    private int next(int at) {
        return (at + 1) & (ids.length - 1);
    }
}
