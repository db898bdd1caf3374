package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.Policies.enforcing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What may happen between the decision to move a pod and the request, and keeps the request from being sent. */
class RevalidationTest {
    /** A pod that must be apart from another one, and shares its zone; another zone would take it. */
    private static Story conflict() {
        return Story.begin(
                cluster()
                        .node("a1", zone("a"))
                        .node("b1", zone("b"))
                        .replicaSet("web", 1)
                        .pod("web-1", on("a1"), replicaOf("web"), apartFrom(term(app("noisy"), ZONE)))
                        .pod("noisy-1", on("a1"), replicaOf("noisy")),
                enforcing());
    }

    static Stream<Arguments> partnersTheFeedDoesNotTellOfYet() {
        return Stream.of(
                argumentSet(
                        "the partner is gone",
                        List.of(podGone("noisy-1")),
                        "pod shop/noisy-1 was not there when it was read"),
                argumentSet(
                        "the partner has another label",
                        List.of(podChanged("noisy-1", on("a1"), replicaOf("calm"), resourceVersion(2))),
                        "pod shop/noisy-1 has changed and the change is not here yet"),
                argumentSet(
                        "another pod has the partner's name",
                        List.of(
                                podGone("noisy-1"),
                                podChanged(
                                        "noisy-1", uid("another"), on("b1"), replicaOf("noisy"), resourceVersion(2))),
                        "pod shop/noisy-1 was not there when it was read"));
    }

    @ParameterizedTest
    @MethodSource("partnersTheFeedDoesNotTellOfYet")
    void a_conflict_that_healed_before_the_feed_tells_of_it_evicts_nobody(List<ClusterEvent> unseen, String why) {
        Story story = conflict();
        unseen.forEach(story::happensUnseen);

        story.afterSeconds(600);

        assertThat(story.evicted()).isEmpty();
        assertThat(story.events()).containsExactly("Started web-1", "Held web-1 ViewBehind");
        assertThat(story.heldBecause()).isEqualTo(why);
    }

    @Test
    void a_conflict_whose_partner_was_read_as_the_feed_told_is_moved() {
        Story story = conflict().afterSeconds(60);

        assertThat(story.evicted()).containsExactly("web-1");
    }
}
