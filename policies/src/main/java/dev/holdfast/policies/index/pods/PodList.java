package dev.holdfast.policies.index.pods;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** A list of pods in no particular order. Each pod stores its position in the list, so that removal needs no search. */
final class PodList implements Iterable<PodEntry> {
    private static final int FIRST_SIZE = 2;

    private final ObjIntConsumer<PodEntry> place;
    private @Nullable PodEntry[] pods = new @Nullable PodEntry[FIRST_SIZE];
    private int size;

    /** @param place stores the position of a pod in this list, in a field of the pod */
    PodList(ObjIntConsumer<PodEntry> place) {
        this.place = place;
    }

    void add(PodEntry pod) {
        if (size == pods.length) {
            pods = Arrays.copyOf(pods, size * 2);
        }
        pods[size] = pod;
        place.accept(pod, size++);
    }

    /** Removes the pod at a position; the last pod of the list moves to that position. */
    void remove(int at) {
        PodEntry last = get(--size);
        pods[at] = last;
        place.accept(last, at);
        pods[size] = null;
        if (size * 4 <= pods.length && pods.length > FIRST_SIZE) {
            pods = Arrays.copyOf(pods, Math.max(FIRST_SIZE, size * 2));
        }
    }

    /** {@return how many pods fit without a resize; in a long list, at most four times as many as it contains} */
    int room() {
        return pods.length;
    }

    PodEntry get(int at) {
        return Objects.requireNonNull(pods[at]);
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Iterates over the pods; the list must not be changed meanwhile. */
    @Override
    public Iterator<PodEntry> iterator() {
        return new Iterator<>() {
            private int next;

            @Override
            public boolean hasNext() {
                return next < size;
            }

            @Override
            public PodEntry next() {
                if (next == size) {
                    throw new NoSuchElementException();
                }
                return get(next++);
            }
        };
    }
}
