package dev.holdfast.policies.model;

import static dev.holdfast.policies.testing.Changes.namespaceChanged;
import static dev.holdfast.policies.testing.Changes.namespaceGone;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.nodeGone;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Changes.replicaSetGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.namespace;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.view.HidingView;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ReferenceClusterTest {
    @Test
    void factsAreFoundInOrderWhateverTheOrderTheyCameIn() {
        ReferenceCluster referenceCluster = cluster()
                .pod("c", on("n2"))
                .node("n2")
                .pod("a", on("n1"))
                .namespace("shop", labels())
                .pod("b", in("bank"), on("n1"))
                .node("n1")
                .namespace("bank", labels())
                .pod("d")
                .build();
        assertThat(referenceCluster.pods()).extracting(Pod::uid).containsExactly("a", "b", "c", "d");
        assertThat(referenceCluster.podsIn("shop")).extracting(Pod::uid).containsExactly("a", "c", "d");
        assertThat(referenceCluster.podsIn("nowhere")).isEmpty();
        assertThat(referenceCluster.podsOn("n1")).extracting(Pod::uid).containsExactly("a", "b");
        assertThat(referenceCluster.podsOn("nowhere")).isEmpty();
        assertThat(referenceCluster.nodes()).extracting(Node::name).containsExactly("n1", "n2");
        assertThat(referenceCluster.namespaces()).extracting(Namespace::name).containsExactly("bank", "shop");
    }

    @Test
    void aPodThatChangesIsKnownOnceByWhatItIsNow() {
        ReferenceCluster referenceCluster =
                cluster().pod("web", labels("app", "web")).build();
        referenceCluster.apply(podChanged("web", on("n1"), resourceVersion(2)));
        assertThat(referenceCluster.pods()).containsExactly(pod("web", on("n1"), resourceVersion(2)));
        assertThat(referenceCluster.podsIn("shop")).hasSize(1);
        assertThat(referenceCluster.podsOn("n1")).hasSize(1);
        assertThat(referenceCluster.pod("web")).contains(pod("web", on("n1"), resourceVersion(2)));
    }

    @Test
    void aPodThatIsGoneIsFoundNowhere() {
        ReferenceCluster referenceCluster = cluster().pod("web", on("n1")).build();
        referenceCluster.apply(podGone("web"));
        assertThat(referenceCluster.pod("web")).isEmpty();
        assertThat(referenceCluster.pods()).isEmpty();
        assertThat(referenceCluster.podsIn("shop")).isEmpty();
        assertThat(referenceCluster.podsOn("n1")).isEmpty();
    }

    @Test
    void aPodThatGoesLeavesTheOneThatTookItsName() {
        ReferenceCluster referenceCluster = cluster()
                .pod("web-0", uid("u1"), on("n1"))
                .pod("web-0", uid("u2"), on("n1"))
                .build();
        referenceCluster.apply(podGone("u1"));
        assertThat(referenceCluster.pods()).containsExactly(pod("web-0", uid("u2"), on("n1")));
        assertThat(referenceCluster.podsOn("n1")).containsExactly(pod("web-0", uid("u2"), on("n1")));
    }

    @Test
    void whatWasNeverKnownMayGo() {
        ReferenceCluster referenceCluster =
                cluster().pod("web", on("n1")).node("n1").build();
        referenceCluster.apply(podGone("other"));
        referenceCluster.apply(nodeGone("n2"));
        referenceCluster.apply(namespaceGone("shop"));
        referenceCluster.apply(new ClusterEvent.OwnerGone("rs"));
        referenceCluster.apply(new ClusterEvent.BudgetGone("pdb"));
        assertThat(referenceCluster.pods()).hasSize(1);
        assertThat(referenceCluster.nodes()).hasSize(1);
    }

    @Test
    void aNodeOrNamespaceMadeAgainIsKnownByItsLastLabelsAlone() {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .namespace("shop", labels("team", "red"))
                .build();
        referenceCluster.apply(nodeGone("n1"));
        assertThat(referenceCluster.node("n1")).isEmpty();
        referenceCluster.apply(nodeChanged("n1", labels("gpu", "a100")));
        referenceCluster.apply(namespaceChanged("shop", labels("team", "blue")));
        assertThat(referenceCluster.node("n1").orElseThrow().labels()).isEqualTo(Labels.of("gpu", "a100"));
        assertThat(referenceCluster.namespace("shop").orElseThrow().labels()).isEqualTo(Labels.of("team", "blue"));
        referenceCluster.apply(namespaceGone("shop"));
        assertThat(referenceCluster.namespace("shop")).isEmpty();
    }

    @Test
    void ownersAndBudgetsComeChangeAndGo() {
        ReferenceCluster referenceCluster = cluster()
                .replicaSet("web", "rs1", 3)
                .budget("keep", app("web"), 1)
                .build();
        assertThat(referenceCluster.owner("shop", "rs1").orElseThrow().replicas())
                .hasValue(3);
        assertThat(referenceCluster.owner("shop", "web")).isEmpty();
        assertThat(referenceCluster.owner("bank", "rs1")).isEmpty();
        assertThat(referenceCluster.budgetsIn("shop"))
                .containsExactly(referenceCluster.budget("keep").orElseThrow());
        assertThat(referenceCluster.budgetsIn("bank")).isEmpty();
        referenceCluster.apply(replicaSetGone("rs1"));
        referenceCluster.apply(new ClusterEvent.BudgetGone("keep"));
        assertThat(referenceCluster.owner("shop", "rs1")).isEmpty();
        assertThat(referenceCluster.budget("keep")).isEmpty();
        assertThat(referenceCluster.budgetsIn("shop")).isEmpty();
    }

    static Stream<Arguments> counting() {
        return Stream.of(
                argumentSet("W-2: a bound pod counts on its node", pod("p", on("n1")), true),
                argumentSet("W-2: a pod that waits for a node counts nowhere", pod("p"), false),
                argumentSet("W-1: a finished pod counts nowhere", pod("p", on("n1"), phase(Phase.SUCCEEDED)), false),
                argumentSet("W-3: a pod on a node without object counts nowhere", pod("p", on("n2")), false),
                argumentSet("W-4: a terminating pod counts on its node", pod("p", on("n1"), terminating()), true));
    }

    @ParameterizedTest
    @MethodSource("counting")
    void nodeCounting(Pod pod, boolean counts) {
        ReferenceCluster referenceCluster = cluster().node("n1").build();
        assertThat(referenceCluster.countedNode(pod)).isEqualTo(counts ? Optional.of(node("n1")) : Optional.empty());
    }

    @Test
    void aHidingViewLeavesSomePodsOutAndNothingElse() {
        ReferenceCluster referenceCluster = cluster()
                .node("n1")
                .namespace("shop", labels())
                .replicaSet("web", "rs1", 3)
                .pod("a", on("n1"))
                .pod("b", on("n1"))
                .build();
        HidingView view = new HidingView(referenceCluster, pod -> pod.uid().equals("a"));
        assertThat(view.pod("a")).isEmpty();
        assertThat(view.pod("b")).contains(pod("b", on("n1")));
        assertThat(view.pods()).containsExactly(pod("b", on("n1")));
        assertThat(view.podsIn("shop")).containsExactly(pod("b", on("n1")));
        assertThat(view.podsOn("n1")).containsExactly(pod("b", on("n1")));
        assertThat(view.nodes()).containsExactly(node("n1"));
        assertThat(view.node("n1")).contains(node("n1"));
        assertThat(view.namespaces()).containsExactly(namespace("shop", labels()));
        assertThat(view.namespace("shop")).contains(namespace("shop", labels()));
        assertThat(view.owner("shop", "rs1")).isEqualTo(referenceCluster.owner("shop", "rs1"));
    }

    @Test
    void systemCriticalBeginsAtTwoBillion() {
        assertThat(pod("p", priority(2_000_000_000)).victimProtection().systemCritical())
                .isTrue();
        assertThat(pod("p", priority(1_999_999_999)).victimProtection().systemCritical())
                .isFalse();
    }
}
