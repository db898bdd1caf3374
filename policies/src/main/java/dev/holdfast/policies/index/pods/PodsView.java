package dev.holdfast.policies.index.pods;

import dev.holdfast.policies.model.Pod;
import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Spliterator;
import java.util.Spliterators;

/** A live view of the pods in several lists; nothing is copied. */
final class PodsView extends AbstractCollection<Pod> {
    private final List<? extends Iterable<PodEntry>> places;

    PodsView(List<? extends Iterable<PodEntry>> places) {
        this.places = places;
    }

    /** This iterator is not built from streams, because an iterator over a stream of streams buffers elements. */
    @Override
    public Iterator<Pod> iterator() {
        Iterator<? extends Iterable<PodEntry>> rest = places.iterator();
        return new Iterator<>() {
            private Iterator<PodEntry> here = Collections.emptyIterator();

            @Override
            public boolean hasNext() {
                while (!here.hasNext() && rest.hasNext()) {
                    here = rest.next().iterator();
                }
                return here.hasNext();
            }

            @Override
            public Pod next() {
                if (!hasNext()) {
                    throw new NoSuchElementException();
                }
                return here.next().pod;
            }
        };
    }

    /** {@return a spliterator without a known size, because counting the pods takes an iteration of its own} */
    @Override
    public Spliterator<Pod> spliterator() {
        return Spliterators.spliteratorUnknownSize(iterator(), 0);
    }

    @Override
    public int size() {
        int size = 0;
        for (Iterator<Pod> pods = iterator(); pods.hasNext(); pods.next()) {
            size++;
        }
        return size;
    }
}
