package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the hold of pods of a StatefulSet that would make the replacement from another revision. */
class ReplacementCheckTest {
    private static final String UNKNOWN =
            "the status of StatefulSet shop/db does not say from which revision it would make" + " the replacement";

    /** {@return a StatefulSet during a roll-out from revision {@code old} to {@code new}} */
    private static StatefulSetRevisions rollingOut(int partition, int firstOrdinal) {
        return new StatefulSetRevisions(true, false, partition, firstOrdinal, "old", "new");
    }

    private static StatefulSetRevisions onDelete() {
        return new StatefulSetRevisions(true, true, 0, 0, "old", "new");
    }

    /** {@return a cluster with a pod of the StatefulSet {@code db} that must move} */
    private static ClusterBuilder db(StatefulSetRevisions revisions, String pod, String revision) {
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .with(statefulSetChanged("db", 3, revisions))
                .pod(
                        pod,
                        on("n1"),
                        ownedBy("StatefulSet", "db", "db"),
                        labels(StatefulSetRevisions.LABEL, revision),
                        nodeSelector("disk", "ssd"));
    }

    private static Arguments moves(String name, StatefulSetRevisions revisions, String pod, String revision) {
        return argumentSet(name, db(revisions, pod, revision), pod, Optional.empty());
    }

    private static Arguments held(
            String name, StatefulSetRevisions revisions, String pod, String revision, String next) {
        return argumentSet(
                name,
                db(revisions, pod, revision),
                pod,
                Optional.of("StatefulSet shop/db would make the replacement from revision " + next
                        + ", and the pod is of revision " + revision));
    }

    private static Arguments unknown(String name, StatefulSetRevisions revisions, String pod) {
        return argumentSet(name, db(revisions, pod, "old"), pod, Optional.of(UNKNOWN));
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                moves("no roll-out", new StatefulSetRevisions(true, false, 0, 0, "old", "old"), "db-1", "old"),
                held("OnDelete, and the pod is of the old revision", onDelete(), "db-1", "old", "new"),
                moves("OnDelete, and the pod is of the new revision", onDelete(), "db-1", "new"),
                held("a roll-out that has not reached the pod", rollingOut(0, 0), "db-1", "old", "new"),
                moves("a roll-out that has reached the pod", rollingOut(0, 0), "db-1", "new"),
                moves("partition 2 keeps pod 1 at the old revision", rollingOut(2, 0), "db-1", "old"),
                held("partition 2, and pod 2 is of the old revision", rollingOut(2, 0), "db-2", "old", "new"),
                moves("partition 2, and pod 2 is of the new revision", rollingOut(2, 0), "db-2", "new"),
                held("partition 2 would take pod 1 back to the old revision", rollingOut(2, 0), "db-1", "new", "old"),
                moves("ordinals from 5, partition 2 keeps pod 6 at the old revision", rollingOut(2, 5), "db-6", "old"),
                held("ordinals from 5, partition 2, and pod 7 is old", rollingOut(2, 5), "db-7", "old", "new"),
                unknown(
                        "a status that was never written",
                        new StatefulSetRevisions(false, false, 0, 0, "", ""),
                        "db-1"),
                unknown("a status without revisions", new StatefulSetRevisions(true, false, 0, 0, "", ""), "db-1"),
                unknown(
                        "a status that is behind the spec",
                        new StatefulSetRevisions(false, false, 0, 0, "old", "old"),
                        "db-1"),
                unknown("a pod whose name has no number", rollingOut(0, 0), "db"),
                argumentSet(
                        "a pod of an old ReplicaSet",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .replicaSet("web", 1)
                                .pod("web-1", on("n1"), replicaOf("web"), nodeSelector("disk", "ssd")),
                        "web-1",
                        Optional.empty()),
                argumentSet(
                        "a StatefulSet that is gone, whose pods the garbage collector deletes",
                        cluster()
                                .node("n1", labels("disk", "hdd"))
                                .pod("db-1", on("n1"), ownedBy("StatefulSet", "db", "db"), nodeSelector("disk", "ssd")),
                        "db-1",
                        Optional.empty()));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPodWhoseReplacementWouldBeOfAnotherRevisionStays(
            ClusterBuilder facts, String pod, Optional<String> expected) {
        ReferenceCluster referenceCluster = facts.build();

        Optional<Hold> hold = ShuffledPlanner.hold(
                new ReplacementCheck(), candidate(referenceCluster, pod), situation(referenceCluster, new Moves()));

        assertThat(hold.map(Hold::message)).isEqualTo(expected);
        assertThat(hold.map(Hold::reason)).isEqualTo(expected.map(_ -> Reason.REVISION_PENDING));
    }

    private static final PodCreation ORDERED = new PodCreation(false, false, true);
    private static final StatefulSetRevisions NO_ROLL_OUT = new StatefulSetRevisions(true, false, 0, 1, "one", "one");

    private static ClusterEvent owner(String kind, PodCreation creation) {
        return owner(kind, "web", creation, Optional.empty());
    }

    private static ClusterEvent owner(String kind, String name, PodCreation creation, Optional<Controller> above) {
        return new ClusterEvent.OwnerChanged(new Owner(
                name,
                kind,
                new NamespacedName(Facts.NAMESPACE, name),
                above,
                OptionalInt.of(3),
                DisruptionAnnotations.none(),
                kind.equals("StatefulSet") ? Optional.of(NO_ROLL_OUT) : Optional.empty(),
                creation));
    }

    private static ClusterBuilder web(String kind, ClusterEvent... owners) {
        ClusterBuilder cluster = cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .pod(
                        "web-3",
                        on("n1"),
                        ownedBy(kind, "web", "web"),
                        labels(StatefulSetRevisions.LABEL, "one"),
                        nodeSelector("disk", "ssd"));
        List.of(owners).forEach(cluster::with);
        return cluster;
    }

    /** {@return a StatefulSet with ordinals from 1, and its pod web-3} */
    private static ClusterBuilder ordered(PodCreation creation) {
        return web("StatefulSet", owner("StatefulSet", creation));
    }

    private static PodTrait[] sibling(PodTrait... traits) {
        return Stream.concat(Stream.of(on("n2"), ownedBy("StatefulSet", "web", "web")), Stream.of(traits))
                .toArray(PodTrait[]::new);
    }

    private static Arguments creates(String name, ClusterBuilder facts) {
        return argumentSet(name, facts, Optional.empty());
    }

    private static Arguments createsNone(String name, ClusterBuilder facts, Reason reason, String message) {
        return argumentSet(name, facts, Optional.of(Hold.untilChange(reason, message)));
    }

    private static Arguments waitsFor(String name, ClusterBuilder facts, String pod) {
        return createsNone(
                name,
                facts,
                Reason.WORKLOAD_DEGRADED,
                "StatefulSet web creates its pods in order, and would not create this one again before pod " + pod
                        + " is Ready");
    }

    static Stream<Arguments> controllers() {
        Controller deployment = new Controller("Deployment", "front", "front");
        PodCreation deleted = new PodCreation(true, false, false);
        return Stream.of(
                creates("a ReplicaSet", web("ReplicaSet", owner("ReplicaSet", PodCreation.atOnce()))),
                createsNone(
                        "a ReplicaSet that is being deleted",
                        web("ReplicaSet", owner("ReplicaSet", deleted)),
                        Reason.NO_CONTROLLER,
                        "its controller ReplicaSet web is being deleted"),
                createsNone(
                        "a ReplicaSet whose Deployment is being deleted",
                        web(
                                "ReplicaSet",
                                owner("ReplicaSet", "web", PodCreation.atOnce(), Optional.of(deployment)),
                                owner("Deployment", "front", deleted, Optional.empty())),
                        Reason.NO_CONTROLLER,
                        "its controller Deployment front is being deleted"),
                createsNone(
                        "a suspended Job",
                        web("Job", owner("Job", new PodCreation(false, true, false))),
                        Reason.NO_CONTROLLER,
                        "its controller Job web is suspended and creates no pods (spec.suspend)"),
                creates("a ReplicationController, which is not watched", web("ReplicationController")),
                createsNone(
                        "a custom resource",
                        web("CloneSet"),
                        Reason.UNKNOWN_CONTROLLER,
                        "Holdfast does not know whether its controller CloneSet web would create another pod"),
                waitsFor("OrderedReady, and all lower ordinals are missing", ordered(ORDERED), "web-1"),
                waitsFor(
                        "OrderedReady, and a lower ordinal is not Ready",
                        ordered(ORDERED).pod("web-1", sibling()).pod("web-2", sibling(notReady())),
                        "web-2"),
                waitsFor(
                        "OrderedReady, and a lower ordinal is terminating",
                        ordered(ORDERED).pod("web-1", sibling(terminating())).pod("web-2", sibling()),
                        "web-1"),
                waitsFor(
                        "OrderedReady, and a pod with the name of a lower ordinal is of another controller",
                        ordered(ORDERED)
                                .pod("web-1", on("n2"), ownedBy("StatefulSet", "other", "other"))
                                .pod("web-2", sibling()),
                        "web-1"),
                creates(
                        "OrderedReady, and all lower ordinals are Ready",
                        ordered(ORDERED).pod("web-1", sibling()).pod("web-2", sibling())),
                creates(
                        "OrderedReady, and only a higher ordinal is not Ready",
                        ordered(ORDERED)
                                .pod("web-1", sibling())
                                .pod("web-2", sibling())
                                .pod("web-4", sibling(notReady()))),
                creates("Parallel, and all lower ordinals are missing", ordered(PodCreation.atOnce())));
    }

    @ParameterizedTest
    @MethodSource("controllers")
    void aPodStaysIfItsControllerWouldCreateNone(ClusterBuilder facts, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = facts.build();

        assertThat(ShuffledPlanner.hold(
                        new ReplacementCheck(),
                        candidate(referenceCluster, "web-3"),
                        situation(referenceCluster, new Moves())))
                .isEqualTo(expected);
    }
}
