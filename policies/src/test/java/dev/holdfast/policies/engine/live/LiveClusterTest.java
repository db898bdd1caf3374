package dev.holdfast.policies.engine.live;

import static dev.holdfast.policies.testing.Changes.deploymentChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetChangedIn;
import static dev.holdfast.policies.testing.Changes.replicaSetGone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which pods are below Deployment {@code web} and its ReplicaSets {@code old} and {@code new}. */
class LiveClusterTest {
    private final LiveCluster cluster = new LiveCluster(Set.of());

    private void given(ClusterEvent... events) {
        List.of(events).forEach(cluster::apply);
    }

    private List<String> below(String uid) {
        return cluster.podsBelow(cluster.owner(uid).orElseThrow()).stream()
                .map(pod -> pod.name().name())
                .sorted()
                .toList();
    }

    private void deployed() {
        given(
                podChanged("a", replicaOf("old")),
                replicaSetChanged("web", "old", 1),
                deploymentChanged("web", DisruptionAnnotations.none()),
                replicaSetChanged("web", "new", 2),
                podChanged("b", replicaOf("new")),
                podChanged("c", replicaOf("new")),
                podChanged("other"),
                podChanged("forged", in("bank"), replicaOf("new")));
    }

    @Test
    void podsOfAllReplicaSetsAreBelowTheDeployment() {
        deployed();

        assertThat(below("deployment-web")).containsExactly("a", "b", "c");
        assertThat(below("new")).containsExactly("b", "c");
    }

    @Test
    void aPodThatIsGoneOrOrphanedIsBelowNothing() {
        deployed();
        given(podGone("b"), podChanged("c"));

        assertThat(below("deployment-web")).containsExactly("a");
        assertThat(below("new")).isEmpty();
    }

    @Test
    void aPodThatAnotherReplicaSetAdoptsIsBelowThatOne() {
        deployed();
        given(podChanged("a", replicaOf("new")));

        assertThat(below("old")).isEmpty();
        assertThat(below("new")).containsExactly("a", "b", "c");
    }

    @Test
    void aReplicaSetThatIsGoneOrOrphanedIsBelowNothing() {
        deployed();
        given(replicaSetGone("old"), replicaSetChangedIn("shop", "new"));

        assertThat(below("deployment-web")).isEmpty();
        assertThat(below("new")).containsExactly("b", "c");
    }

    @Test
    void veryManyPodsOfOneControllerComeAndGo() {
        given(replicaSetChanged("web", "new", 300));
        IntStream.range(0, 300).forEach(i -> given(podChanged("pod-" + i, replicaOf("new"))));
        IntStream.range(1, 300).forEach(i -> given(podGone("pod-" + i)));

        assertThat(below("new")).containsExactly("pod-0");
    }
}
