package dev.holdfast.operator.offline.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.offline.report.ClusterMap.MapNode;
import dev.holdfast.operator.offline.report.ClusterMap.Presence;
import dev.holdfast.operator.offline.report.TimeLine.Lane;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.policies.model.NamespacedName;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The picture of a change of the sample. */
class PlayedChangeTest {
    private static List<String> lane(ChangePicture picture, String pod) {
        return picture.timeLine().lanes().stream()
                .filter(lane -> lane.pod().equals(pod))
                .flatMap(lane -> lane.moments().stream())
                .map(moment -> moment.seconds() + " " + moment.kind() + " " + moment.text())
                .toList();
    }

    private static Stream<String> nodes(ClusterMap map, Presence presence) {
        return map.zones().stream()
                .flatMap(zone -> zone.nodes().stream())
                .filter(node -> node.count(presence) > 0)
                .map((MapNode node) -> node.name() + " " + node.count(presence));
    }

    @Test
    void aPodThatTheOperatorMovesIsViolatedThenDueThenHeldThenEvictedThenMoved() throws Exception {
        ChangePicture picture = PlayedSample.play().picture();

        assertThat(lane(picture, "web-2"))
                .containsExactly(
                        "0 BEGINS rule NodeAffinity of shop/keep: node-2 does not match disk=ssd: it has no label disk",
                        "300 DUE rule NodeAffinity of shop/keep",
                        "300 HELD SlowStart: 2 evictions in the cluster are in flight or planned, and the outcomes of"
                                + " the last moves allow 2; each replacement that becomes Ready allows one more",
                        "331 HELD TooFewReplicas: 0 other pods of ReplicaSet shop/web would stay Ready, and 1 must;"
                                + " run more replicas, repair those that are not Ready, or lower limits.minReplicas of"
                                + " the policy",
                        "352 HELD WorkloadLimit: 1 of 1 evictions of ReplicaSet shop/web are in flight or planned; wait"
                                + " until a move of the workload in flight has ended, or raise this limit",
                        "362 EVICTED for rule NodeAffinity of shop/keep",
                        "393 MOVED Moved: to node-3");
    }

    @Test
    void podsThatMoveComeFirst() throws Exception {
        assertThat(PlayedSample.play().picture().timeLine().lanes())
                .extracting(Lane::pod)
                .containsExactly("web-1", "web-2", "worker-1", "api-2", "db-1", "db-2", "worker-2");
    }

    @Test
    void aViolationMayHealWhenItIsDueAndHeld() throws Exception {
        assertThat(lane(PlayedSample.play().picture(), "db-2"))
                .containsExactly(
                        "0 BEGINS rule PodAntiAffinity of shop/keep: it shares kubernetes.io/hostname=node-2 with"
                                + " shop/db-1",
                        "300 DUE rule PodAntiAffinity of shop/keep",
                        "300 HELD MoveInScope: pod shop/db-1 would be moved first; the rule is evaluated again after"
                                + " that",
                        "300 ENDS rule PodAntiAffinity of shop/keep: healed");
    }

    @Test
    void aViolationThatEndsBeforeItIsDueIsNeverDue() throws Exception {
        ChangePicture picture = PlayedSample.play(new Change.DeletePod(new NamespacedName("shop", "db-1")))
                .picture();

        assertThat(lane(picture, "db-2"))
                .containsExactly(
                        "0 BEGINS rule PodAntiAffinity of shop/keep: it shares kubernetes.io/hostname=node-2 with"
                                + " shop/db-1",
                        "0 ENDS rule PodAntiAffinity of shop/keep: healed");
    }

    @Test
    void theMapsMarkThePodsThatLeaveAndThoseThatArrive() throws Exception {
        ChangePicture picture = PlayedSample.play().picture();

        assertThat(nodes(picture.before(), Presence.LEAVES)).containsExactly("node-1 2", "node-2 2", "node-4 1");
        assertThat(nodes(picture.after(), Presence.ARRIVES)).containsExactly("node-1 1", "node-3 2", "node-4 2");
        assertThat(nodes(picture.before(), Presence.ARRIVES)).isEmpty();
        assertThat(nodes(picture.after(), Presence.LEAVES)).isEmpty();
    }

    @Test
    void aPodThatTheChangeRemovesSaysWhatTakesItsPlace() throws Exception {
        ChangePicture picture = PlayedSample.play(new Change.Drain("node-3")).picture();

        assertThat(picture.timeLine().lanes().stream()
                        .flatMap(lane -> lane.moments().stream()
                                .filter(moment -> moment.kind() == TimeLine.Kind.REMOVED)
                                .map(moment -> lane.pod() + " " + moment.seconds() + " " + moment.text())))
                .containsExactly(
                        "api-1 0 by the change; api-1-new takes its place on node-1",
                        "cache-1 0 by the change; cache-1-new takes its place on node-1",
                        "worker-3 0 by the change; worker-3-new takes its place on node-4");
    }
}
