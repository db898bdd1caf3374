package dev.holdfast.policies.model.view;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import java.util.AbstractCollection;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A cluster view that shows additional pods, for example pods that will be bound soon. The underlying view is not
 * copied.
 *
 * @param added the additional pods, usually few; the underlying view must not contain them
 */
public record AddingView(ClusterView view, List<Pod> added) implements ForwardingView {
    public AddingView {
        added = List.copyOf(added);
    }

    @Override
    public Optional<Pod> pod(String uid) {
        return view.pod(uid)
                .or(() -> added.stream().filter(pod -> pod.uid().equals(uid)).findFirst());
    }

    @Override
    public Collection<Pod> pods() {
        return with(view.pods(), _ -> true);
    }

    @Override
    public Collection<Pod> podsIn(String namespace) {
        return with(view.podsIn(namespace), pod -> pod.namespace().equals(namespace));
    }

    @Override
    public Iterable<Pod> podsWith(Predicate<Labels> labels) {
        return with(view.podsWith(labels), pod -> labels.test(pod.labels()));
    }

    @Override
    public Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
        return with(
                view.podsIn(namespace, labels), pod -> pod.namespace().equals(namespace) && labels.test(pod.labels()));
    }

    @Override
    public Iterable<Pod> podsWithUnreadLabels() {
        return with(view.podsWithUnreadLabels(), pod -> pod.labels().areUnread());
    }

    @Override
    public Iterable<Pod> podsWithUnreadLabels(String namespace) {
        return with(
                view.podsWithUnreadLabels(namespace),
                pod -> pod.namespace().equals(namespace) && pod.labels().areUnread());
    }

    @Override
    public Collection<Pod> podsOn(String node) {
        return with(view.podsOn(node), pod -> pod.isOn(node));
    }

    private Collection<Pod> with(Iterable<Pod> pods, Predicate<Pod> more) {
        List<Pod> also = added.stream().filter(more).toList();
        return new AbstractCollection<>() {
            @Override
            public Iterator<Pod> iterator() {
                return Stream.concat(StreamSupport.stream(pods.spliterator(), false), also.stream())
                        .iterator();
            }

            @Override
            public Spliterator<Pod> spliterator() {
                return Spliterators.spliteratorUnknownSize(iterator(), 0);
            }

            @Override
            public int size() {
                return (int) StreamSupport.stream(pods.spliterator(), false).count() + also.size();
            }
        };
    }
}
