package dev.holdfast.policies.engine;

import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.deploymentChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.marks;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.controls.KeepAnnotations;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import dev.holdfast.policies.plan.move.Workload;
import org.junit.jupiter.api.Test;

/**
 * Tests what an owner reference is worth that names a workload object of another namespace: nothing. Pod {@code own} is
 * of ReplicaSet {@code web} of Deployment {@code web} in namespace {@code shop}. A tenant of namespace {@code bank} has
 * created pod {@code forged} with the same owner reference.
 */
class ForgedOwnerTest {
    private static final ReferenceCluster CLUSTER = cluster()
            .node("n1", labels("disk", "hdd"))
            .node("n2", labels("disk", "ssd"))
            .replicaSet("web", 1)
            .with(deploymentChanged("web", marks("holdfast.dev/keep", "true")))
            .with(statefulSetChanged("db", 1, new StatefulSetRevisions(true, true, 0, 0, "old", "new")))
            .pod("own", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
            .pod("forged", in("bank"), on("n1"), replicaOf("web"), nodeSelector("disk", "ssd"))
            .pod("forged-0", in("bank"), on("n1"), ownedBy("StatefulSet", "db", "db"), nodeSelector("disk", "ssd"))
            .build();

    private static Pod pod(String name) {
        return CLUSTER.pod(name).orElseThrow();
    }

    private static Workload workload(String pod) {
        return Workload.of(pod(pod), CLUSTER).orElseThrow();
    }

    @Test
    void theWorkloadOfThePodIsNotTheOneAboveTheObjectThatItNames() {
        assertThat(workload("own"))
                .isEqualTo(new Workload("deployment-web", "Deployment", new NamespacedName("shop", "web")));
        assertThat(workload("forged")).isEqualTo(new Workload("web", "ReplicaSet", new NamespacedName("bank", "web")));
    }

    @Test
    void theWorkloadThatThePodNamesHasAnotherIdentity() {
        assertThat(Workload.Id.of(pod("forged"), CLUSTER)).contains(new Workload.Id("bank", "web"));
        assertThat(workload("own").id()).isEqualTo(new Workload.Id("shop", "deployment-web"));
        assertThat(Workload.Id.of(pod("own"), CLUSTER)).contains(workload("own").id());
    }

    @Test
    void theReplicasThatTheObjectWantsAreNotOfThePod() {
        ReplicaCounts counts = new ReplicaCounts(CLUSTER);

        assertThat(counts.all(workload("own"))).isOne();
        assertThat(counts.desired(workload("own"))).isOne();
        assertThat(counts.desired(workload("forged"))).isOne();
    }

    @Test
    void theAnnotationsOfTheObjectDoNotKeepThePod() {
        assertThat(KeepAnnotations.of(pod("own"), CLUSTER))
                .extracting(KeepAnnotations.AnnotatedObject::whose)
                .containsExactly("Deployment shop/web");
        assertThat(KeepAnnotations.of(pod("forged"), CLUSTER)).isEmpty();
    }

    @Test
    void theRevisionsOfTheObjectDoNotHoldThePod() {
        assertThat(Checks.all().firstHold(candidate(CLUSTER, "forged-0"), situation(CLUSTER, new Moves())))
                .isEmpty();
    }

    @Test
    void futileMovesOfThePodCountForItsOwnNamespace() {
        assertThat(MoveHistory.Owner.of(pod("own"))).contains(new MoveHistory.Owner("shop", "web"));
        assertThat(MoveHistory.Owner.of(pod("forged"))).contains(new MoveHistory.Owner("bank", "web"));
    }

    @Test
    void eventsAboutThePodAreNotOnTheDeploymentAboveTheObject() {
        EngineScenario engineScenario = EngineScenario.begin(cluster()
                .node("n1")
                .replicaSet("web", 1)
                .pod("own", on("n1"), replicaOf("web"))
                .pod("forged", in("bank"), on("n1"), replicaOf("web")));

        assertThat(engineScenario.engine.controllerAbove(BoundPod.of(pod("own"))))
                .contains(new Controller("Deployment", "web", "deployment-web"));
        assertThat(engineScenario.engine.controllerAbove(BoundPod.of(pod("forged"))))
                .isEmpty();
    }

    @Test
    void thePodDoesNotHoldThePodsOfTheWorkloadAsUnsettled() {
        EngineScenario engineScenario = EngineScenario.begin(
                cluster()
                        .node("n1", labels("disk", "ssd"))
                        .node("n2", labels("disk", "ssd"))
                        .replicaSet("web", 1)
                        .pod("own", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                TestPolicies.enforcing());
        engineScenario.happens(nodeChanged("n1", labels("disk", "hdd")));

        engineScenario
                .afterSeconds(50)
                .happens(podChanged("forged-1", in("bank"), replicaOf("web")))
                .happens(podChanged("forged-2", in("bank"), ownedBy("Deployment", "web", "deployment-web")))
                .afterSeconds(10);

        assertThat(engineScenario.evicted()).containsExactly("own");
    }
}
