package dev.holdfast.policies.plan.capacity;

import static dev.holdfast.policies.testing.Changes.statefulSetChanged;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.unreadLabels;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.plan.move.ReplicaCounts;
import dev.holdfast.policies.testing.PodTrait;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests of which revision the pod is that a StatefulSet creates. Why controllers create none: {@code
 * ReplacementCheckTest}.
 */
class ReplacementTest {
    private static final PodTrait ONE = labels("app", "db", StatefulSetRevisions.LABEL, "one");

    private static Labels ofRevision(String revision) {
        return Labels.of("app", "db", StatefulSetRevisions.LABEL, revision);
    }

    static Stream<Arguments> revisions() {
        StatefulSetRevisions onDelete = new StatefulSetRevisions(true, true, 0, 0, "one", "two");
        return Stream.of(
                argumentSet("OnDelete makes each pod from the update revision", onDelete, ONE, ofRevision("two")),
                argumentSet(
                        "the partition keeps pod 1 at the current revision",
                        new StatefulSetRevisions(true, false, 2, 0, "one", "two"),
                        ONE,
                        ofRevision("one")),
                argumentSet(
                        "a status that is behind the spec does not say which revision",
                        new StatefulSetRevisions(false, true, 0, 0, "one", "two"),
                        ONE,
                        ofRevision("one")),
                argumentSet("labels that were not read stay unknown", onDelete, unreadLabels(), Labels.unread()));
    }

    @ParameterizedTest
    @MethodSource("revisions")
    void aPodOfAStatefulSetIsCreatedFromItsNextRevision(
            StatefulSetRevisions revisions, PodTrait trait, Labels expected) {
        ReferenceCluster cluster = cluster()
                .node("n1")
                .with(statefulSetChanged("db", 3, revisions))
                .pod("db-1", on("n1"), ownedBy("StatefulSet", "db", "db"), trait)
                .build();
        Pod pod = cluster.pods().iterator().next();

        assertThat(Replacement.of(pod, cluster, new ReplicaCounts(cluster)))
                .isEqualTo(new Replacement.Created(pod.withLabels(expected)));
    }
}
