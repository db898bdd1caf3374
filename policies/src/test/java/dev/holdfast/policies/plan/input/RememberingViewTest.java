package dev.holdfast.policies.plan.input;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.in;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.view.ForwardingView;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** Tests which answers of a cluster are remembered. */
class RememberingViewTest {
    private final List<String> asked = new ArrayList<>();
    private final RememberingView view = new RememberingView(new Asked(cluster()
            .pod("web", labels("app", "web"))
            .pod("api", labels("app", "api"))
            .pod("far", in("data"), labels("app", "web"))
            .build()));

    /** A cluster that notes each question for pods with certain labels. */
    private final class Asked implements ForwardingView {
        private final ClusterView view;

        Asked(ClusterView view) {
            this.view = view;
        }

        @Override
        public ClusterView view() {
            return view;
        }

        @Override
        public Iterable<Pod> podsWith(Predicate<Labels> labels) {
            asked.add("everywhere");
            return view.podsWith(labels);
        }

        @Override
        public Iterable<Pod> podsIn(String namespace, Predicate<Labels> labels) {
            asked.add(namespace);
            return view.podsIn(namespace, labels);
        }
    }

    @Test
    void thePodsOfAnEqualSelectorAreFoundOnce() {
        assertThat(view.podsWith(matcher(app("web")))).extracting(Pod::uid).containsExactlyInAnyOrder("web", "far");
        assertThat(view.podsWith(matcher(app("web")))).extracting(Pod::uid).containsExactlyInAnyOrder("web", "far");

        assertThat(asked).containsExactly("everywhere");
    }

    @Test
    void anotherSelectorIsAnotherQuestion() {
        assertThat(view.podsWith(matcher(app("web")))).hasSize(2);
        assertThat(view.podsWith(matcher(app("api")))).extracting(Pod::uid).containsExactly("api");

        assertThat(asked).hasSize(2);
    }

    @Test
    void anotherNamespaceIsAnotherQuestion() {
        assertThat(view.podsIn("shop", matcher(app("web"))))
                .extracting(Pod::uid)
                .containsExactly("web");
        assertThat(view.podsIn("data", matcher(app("web"))))
                .extracting(Pod::uid)
                .containsExactly("far");
        assertThat(view.podsIn("data", matcher(app("web"))))
                .extracting(Pod::uid)
                .containsExactly("far");

        assertThat(asked).containsExactly("shop", "data");
    }
}
