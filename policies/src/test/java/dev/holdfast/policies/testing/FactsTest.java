package dev.holdfast.policies.testing;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.nodeTerm;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.pod;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.evictionResponder;
import static dev.holdfast.policies.testing.PodTraits.gangMember;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.localStorage;
import static dev.holdfast.policies.testing.PodTraits.mirror;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.needing;
import static dev.holdfast.policies.testing.PodTraits.nodeAffinity;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.restartPolicy;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PodTraits.toleratingAny;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeLifecycle;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.VictimProtection;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FactsTest {
    @Test
    void aPodOfWhichOnlyTheNameIsSaidRunsReadyAndUnboundUnderItsName() {
        assertThat(pod("web-1"))
                .isEqualTo(new Pod(
                        "web-1",
                        new NamespacedName("shop", "web-1"),
                        1,
                        Labels.none(),
                        Optional.empty(),
                        Scheduling.anywhere(),
                        PodRequirements.none(),
                        new PodLifecycle(Phase.RUNNING, true, Instant.EPOCH, Instant.EPOCH, Optional.empty(), false),
                        new VictimProtection(Optional.empty(), 0, RestartPolicy.ALWAYS, false, false, false)));
    }

    @Test
    void aClusterHoldsWhatIsSaidOfIt() {
        ReferenceCluster referenceCluster = cluster()
                .node("n1", zone("a"), labels("disk", "ssd"), tainted("gpu", "", "NoSchedule"), cordoned(), notReady())
                .namespace("bank", labels("team", "blue"))
                .pod(
                        "web-1",
                        uid("u1"),
                        resourceVersion(7),
                        in("bank"),
                        on("n1"),
                        labels("app", "web"),
                        priority(5),
                        notReady(),
                        ownedBy("ReplicaSet", "web", "rs1"),
                        apartFrom(term(app("web"), ZONE)))
                .build();
        assertThat(referenceCluster.nodes())
                .containsExactly(new Node(
                        "n1",
                        "n1",
                        1,
                        Labels.of(ZONE, "a", "disk", "ssd"),
                        List.of(new Taint("gpu", "", "NoSchedule")),
                        true,
                        new NodeLifecycle(false, Optional.empty(), Instant.EPOCH.minusSeconds(3_600), Optional.empty()),
                        NodeTraits.ROOM));
        assertThat(referenceCluster.namespaces()).containsExactly(new Namespace("bank", 1, Labels.of("team", "blue")));
        assertThat(referenceCluster.pods())
                .containsExactly(new Pod(
                        "u1",
                        new NamespacedName("bank", "web-1"),
                        7,
                        Labels.of("app", "web"),
                        Optional.of("n1"),
                        new Scheduling(
                                Labels.none(),
                                Optional.empty(),
                                List.of(),
                                List.of(term(app("web"), ZONE)),
                                List.of(),
                                List.of()),
                        PodRequirements.none(),
                        new PodLifecycle(Phase.RUNNING, false, Instant.EPOCH, Instant.EPOCH, Optional.empty(), false),
                        new VictimProtection(
                                Optional.of(new Controller("ReplicaSet", "web", "rs1")),
                                5,
                                RestartPolicy.ALWAYS,
                                false,
                                false,
                                false)));
    }

    @Test
    void aPodLikeAnotherDiffersInItsNameAndInWhatIsSaidLater() {
        Pod web = pod(
                "web-1",
                uid("u1"),
                resourceVersion(7),
                in("bank"),
                on("n1"),
                labels("tier", "front"),
                nodeSelector("disk", "ssd"),
                nodeAffinity(nodeTerm(expression("gpu", "Exists"))),
                near(term(app("cache"), ZONE)),
                apartFrom(term(app("batch"), ZONE)),
                spread(maxSkew(1, ZONE, app("web"))),
                toleratingAny("gpu", "NoSchedule"),
                phase(Phase.PENDING),
                created(Instant.EPOCH.plusSeconds(5)),
                terminating(),
                replicaOf("web"),
                priority(5),
                restartPolicy(RestartPolicy.NEVER),
                mirror(),
                gangMember(),
                localStorage(),
                evictionResponder(),
                needing(PodRequirements.none().withClaims(List.of("data"))));

        assertThat(pod("web-1", uid("u1"), resourceVersion(7), like(web))).isEqualTo(web);
        Pod next = pod("web-2", like(web), on("n2"), labels("new", "label"));
        assertThat(next)
                .isEqualTo(new Pod(
                        "web-2",
                        new NamespacedName("bank", "web-2"),
                        1,
                        Labels.of("app", "web", "new", "label", "tier", "front"),
                        Optional.of("n2"),
                        web.scheduling(),
                        web.podRequirements(),
                        web.life(),
                        web.victimProtection()));
    }

    @Test
    void aReplicaHasTheLabelAndTheControllerOfItsSet() {
        ReferenceCluster referenceCluster =
                cluster().replicaSet("web", 2).pod("web-1", replicaOf("web")).build();

        Pod web = referenceCluster.pod("web-1").orElseThrow();
        assertThat(web.labels()).isEqualTo(Labels.of("app", "web"));
        Controller set = web.victimProtection().controller().orElseThrow();
        assertThat(set).isEqualTo(new Controller("ReplicaSet", "web", "web"));
        assertThat(referenceCluster.owner("shop", set.uid()).orElseThrow().replicas())
                .hasValue(2);
    }
}
