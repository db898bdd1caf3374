package dev.holdfast.policies.index;

import dev.holdfast.policies.model.Pod;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.List;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.StreamSupport;

/** Pods as they are listed in some places, read there: nothing is copied. */
final class Listing extends AbstractCollection<Pod> {
    private final List<? extends Iterable<PodEntry>> places;

    Listing(List<? extends Iterable<PodEntry>> places) {
        this.places = places;
    }

    @Override
    public Iterator<Pod> iterator() {
        return places.stream()
                .flatMap(place -> StreamSupport.stream(place.spliterator(), false))
                .map(entry -> entry.pod)
                .iterator();
    }

    /** Without asking for the size first, which takes a walk of its own. */
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
