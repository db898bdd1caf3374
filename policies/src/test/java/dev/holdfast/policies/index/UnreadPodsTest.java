package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.unreadLabels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;

/** The index finds the pods whose labels were not read without a test of all pods. */
class UnreadPodsTest {
    private final Index index = new Index(Set.of(), new Told());

    private void happens(ClusterEvent... events) {
        Stream.of(events).forEach(index::apply);
    }

    private static List<String> names(Iterable<Pod> pods) {
        return StreamSupport.stream(pods.spliterator(), false)
                .map(pod -> pod.namespace() + "/" + pod.name().name())
                .sorted()
                .toList();
    }

    @Test
    void podsAreFoundUntilTheyGoOrTheirLabelsCanBeRead() {
        happens(
                podChanged("web", on("n1"), labels("app", "web")),
                podChanged("odd", on("n1"), unreadLabels()),
                podChanged("more", on("n2"), unreadLabels()),
                podChanged("other", on("n1"), in("data"), unreadLabels()));

        assertThat(names(index.view().podsWithUnreadLabels())).containsExactly("data/other", "shop/more", "shop/odd");
        assertThat(names(index.view().podsWithUnreadLabels("shop"))).containsExactly("shop/more", "shop/odd");
        assertThat(names(index.view().podsWithUnreadLabels("none"))).isEmpty();

        happens(podGone("more"), podChanged("odd", on("n1"), labels("app", "odd")));

        assertThat(names(index.view().podsWithUnreadLabels())).containsExactly("data/other");
        assertThat(names(index.view().podsWithUnreadLabels("shop"))).isEmpty();
    }
}
