package dev.holdfast.policies.model.view;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.stream.StreamSupport;

/**
 * A cluster view that hides some pods, to see how verdicts would change without them. The underlying view is not
 * copied.
 *
 * @param hidden accepts the pods to hide
 */
public record HidingView(ClusterView view, Predicate<Pod> hidden) implements ForwardingView {
    @Override
    public Optional<Pod> pod(String uid) {
        return view.pod(uid).filter(hidden.negate());
    }

    @Override
    public Collection<Pod> pods() {
        return shown(view.pods());
    }

    @Override
    public Collection<Pod> podsIn(String namespace) {
        return shown(view.podsIn(namespace));
    }

    @Override
    public Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return shown(view.podsWith(labels));
    }

    @Override
    public Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return shown(view.podsIn(namespace, labels));
    }

    @Override
    public Iterable<Pod> podsWithUnreadLabels() {
        return shown(view.podsWithUnreadLabels());
    }

    @Override
    public Iterable<Pod> podsWithUnreadLabels(String namespace) {
        return shown(view.podsWithUnreadLabels(namespace));
    }

    private Iterable<Pod> shown(Iterable<Pod> pods) {
        return () -> StreamSupport.stream(pods.spliterator(), false)
                .filter(hidden.negate())
                .iterator();
    }

    @Override
    public Collection<Pod> podsOn(String node) {
        return shown(view.podsOn(node));
    }

    private Collection<Pod> shown(Collection<Pod> pods) {
        Predicate<Pod> seen = hidden.negate();
        return new AbstractCollection<>() {
            @Override
            public Iterator<Pod> iterator() {
                return pods.stream().filter(seen).iterator();
            }

            @Override
            public Spliterator<Pod> spliterator() {
                return Spliterators.spliteratorUnknownSize(iterator(), 0);
            }

            @Override
            public int size() {
                return (int) pods.stream().filter(seen).count();
            }
        };
    }
}
