package dev.holdfast.policies.index.pods;

import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.function.ObjIntConsumer;
import org.jspecify.annotations.Nullable;

/** Pods in no particular order, each of which knows its place, so that leaving takes no search. */
final class PodList implements Iterable<PodEntry> {
    private static final int FIRST_SIZE = 2;

    private final ObjIntConsumer<PodEntry> place;
    private @Nullable PodEntry[] pods = new @Nullable PodEntry[FIRST_SIZE];
    private int size;

    /** @param place notes a pod's place in this list */
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

    /** Takes out the pod at a place; the last one takes its place. */
    void remove(int at) {
        PodEntry last = get(--size);
        pods[at] = last;
        place.accept(last, at);
        pods[size] = null;
        if (size * 4 <= pods.length && pods.length > FIRST_SIZE) {
            pods = Arrays.copyOf(pods, Math.max(FIRST_SIZE, size * 2));
        }
    }

    /** {@return how many pods there is room for: never more than four times as many as there are, but for the first few} */
    int room() {
        return pods.length;
    }

    PodEntry get(int at) {
        return Objects.requireNonNull(pods[at]);
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** Shows the pods as they are listed; nothing may come or leave meanwhile. */
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
