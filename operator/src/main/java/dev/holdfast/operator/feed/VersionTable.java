package dev.holdfast.operator.feed;

import dev.holdfast.operator.decode.protobuf.KnownIds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Hash table from object id to resourceVersion and mark (the number of the last list with the object). The table uses
 * open addressing without entry objects: with 150,000 pods a {@link java.util.HashMap} takes 5 MiB more. The decoder of
 * each event needs the id as a {@link String}: the table finds a known id by its ASCII bytes, so that no new string is
 * created.
 */
final class VersionTable implements KnownIds {
    /**
     * The version of an object that is new or whose version was forgotten. The resourceVersions of the API server are
     * never negative.
     */
    static final long NONE = -1;

    private static final int FIRST_SIZE = 16;

    /**
     * The ids, each at the index that its hash gives or, if that was taken, at the next free index. A free index has
     * {@code null}. The length is a power of two, and at most three quarters of it are in use.
     */
    private @Nullable String[] ids = new @Nullable String[FIRST_SIZE];

    private long[] versions = new long[FIRST_SIZE];
    private int[] marks = new int[FIRST_SIZE];
    private int size;

    int size() {
        return size;
    }

    /**
     * Adds an object, or updates its version and mark.
     *
     * @param mark the number of the list that contains the object
     * @return its previous version; {@link #NONE} if the object is new or its version was forgotten, and less than that
     *     if the version is in doubt
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

    /** Removes the object, and returns whether it was in the table. */
    boolean remove(String id) {
        int gap = place(id);
        if (ids[gap] == null) {
            return false;
        }
        ids[gap] = null;
        size--;
        // Entries after the gap move up, so that a search still finds them.
        for (int at = next(gap); ; at = next(at)) {
            String moved = ids[at];
            if (moved == null) {
                break;
            }
            ids[at] = null;
            insert(moved, versions[at], marks[at]);
        }
        if (ids.length > FIRST_SIZE && size * 8L < ids.length) {
            resize(ids.length / 2);
        }
        return true;
    }

    /**
     * {@return the ids of all objects that the list with this number did not contain, in no particular order}
     *
     * @param mark the number of the list
     */
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

    /** Sets all versions to {@link #NONE} and keeps the objects. */
    void forgetVersions() {
        Arrays.fill(versions, NONE);
    }

    /** Puts all known versions in doubt, until the next {@link #put} of their object. */
    void doubtVersions() {
        for (int at = 0; at < versions.length; at++) {
            versions[at] = doubted(versions[at]);
        }
    }

    /** {@return the form of a version in doubt: less than {@link #NONE}, so that the version can be restored} */
    private static long doubted(long version) {
        return version > 0 ? ~version : version;
    }

    /** {@return the version that {@link #put} returned, without the doubt} */
    static long withoutDoubt(long version) {
        return version < NONE ? ~version : version;
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
                insert(id, ofVersions[at], ofMarks[at]);
            }
        }
    }

    private void insert(String id, long version, int mark) {
        int at = place(id);
        ids[at] = id;
        versions[at] = version;
        marks[at] = mark;
    }

    /** {@return the index of the id in {@link #ids}; if it is not there, the free index where it would be added} */
    private int place(String id) {
        int at = first(id.hashCode());
        for (String there = ids[at]; there != null && !there.equals(id); there = ids[at]) {
            at = next(at);
        }
        return at;
    }

    /**
     * {@return the index in {@link #ids} at which the search for an id begins}
     *
     * @param hash the {@link String#hashCode} of the id, which {@link #id} computes from ASCII bytes, without a string
     */
    private int first(int hash) {
        return (hash ^ (hash >>> 16)) & (ids.length - 1);
    }

    private int next(int at) {
        return (at + 1) & (ids.length - 1);
    }
}
