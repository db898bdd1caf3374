package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the hold of pods of a StatefulSet that would make the replacement from another revision. */
class RevisionPendingCheckTest {
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
                        "a StatefulSet that is gone",
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
                new RevisionPendingCheck(), candidate(referenceCluster, pod), situation(referenceCluster, new Moves()));

        assertThat(hold.map(Hold::message)).isEqualTo(expected);
        assertThat(hold.map(Hold::reason)).isEqualTo(expected.map(_ -> Reason.REVISION_PENDING));
    }
}
