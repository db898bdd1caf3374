package dev.holdfast.policies.index;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.perValueOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What the index reports when a pod is relabelled: verdicts change only if the new labels change a count or a rule. */
class RelabelTest {
    private static final PodTrait APART = apartFrom(term(app("web"), ZONE));

    private final Told told = new Told();
    private final Index index = new Index(Set.of("kube-system"), told);

    private static ClusterBuilder zones() {
        return cluster().node("a1", zone("a")).node("a2", zone("a")).node("b1", zone("b"));
    }

    /** Two {@code web} pods in one zone, both with anti-affinity to {@code web}. */
    private static ClusterBuilder two() {
        return zones().pod("web-1", on("a1"), labels("app", "web", "run", "1"), APART)
                .pod("web-2", on("a2"), labels("app", "web", "run", "1"), APART);
    }

    private static ClusterEvent web1(String... labels) {
        return podChanged("web-1", on("a1"), labels(labels), APART);
    }

    static Stream<Arguments> histories() {
        PodTrait byZone = spread(maxSkew(1, ZONE, app("web"), perValueOf("run")));
        PodTrait inZone = near(term(matchLabels(ZONE, "a"), ZONE));
        return Stream.of(
                argumentSet(
                        "a label that no rule reads: nothing changes",
                        two(),
                        List.of(web1("app", "web", "run", "2")),
                        List.of()),
                argumentSet(
                        "a label that no rule reads, and then the partner is deleted: both violations end",
                        two(),
                        List.of(web1("app", "web", "run", "2"), podGone("web-2")),
                        List.of("mended web-1: SATISFIED", "mended web-2: UNDETERMINED")),
                argumentSet(
                        "out of its own selector: only its own violation remains",
                        two(),
                        List.of(web1("app", "debug", "run", "1")),
                        List.of("mended web-2: SATISFIED")),
                argumentSet(
                        "out of its own selector, and the other pod is deleted: no violation remains",
                        two(),
                        List.of(web1("app", "debug", "run", "1"), podGone("web-2")),
                        List.of("mended web-2: SATISFIED", "mended web-1: SATISFIED")),
                argumentSet(
                        "into its own selector: now both pods violate their rule",
                        zones().pod("web-1", on("a1"), labels("app", "debug"), APART)
                                .pod("web-2", on("a2"), labels("app", "web"), APART),
                        List.of(web1("app", "web")),
                        List.of("broken web-2: label app of pod shop/web-1 changed debug -> web")),
                argumentSet(
                        "a label in matchLabelKeys: [3, 0] of run=1 becomes [2, 0] and [1, 0]",
                        zones().pod("web-1", on("a1"), labels("app", "web", "run", "1"), byZone)
                                .pod("web-2", on("a1"), labels("app", "web", "run", "1"))
                                .pod("web-3", on("a2"), labels("app", "web", "run", "1")),
                        List.of(podChanged("web-1", on("a1"), labels("app", "web", "run", "2"), byZone)),
                        List.of("mended web-1: SATISFIED")),
                argumentSet(
                        "a label copied from its node that its rule reads: it is no longer its own partner",
                        zones().pod("web-1", on("a1"), labels("app", "web", ZONE, "a"), inZone),
                        List.of(podChanged("web-1", on("a1"), labels("app", "web", ZONE, "b"), inZone)),
                        List.of("broken web-1: label " + ZONE + " of the pod changed a -> b")),
                argumentSet(
                        "relabelled and bound to another node in one event: its rule is evaluated there",
                        two(),
                        List.of(podChanged("web-1", on("b1"), labels("app", "web", "run", "2"), APART)),
                        List.of("mended web-2: SATISFIED", "mended web-1: SATISFIED")));
    }

    @ParameterizedTest
    @MethodSource("histories")
    void relabelled(ClusterBuilder facts, List<ClusterEvent> events, List<String> expected) {
        index.put(IndexTest.everything());
        facts.facts().forEach(index::apply);
        told.clear();

        events.forEach(index::apply);

        assertThat(told.lines()).containsExactlyElementsOf(expected);
    }

    @Test
    void theHoldersOfABrokenRuleAreShownWithTheLabelsTheyHaveNow() {
        index.put(IndexTest.everything());
        two().facts().forEach(index::apply);
        index.apply(web1("app", "web", "run", "2"));
        List<String> broken = new ArrayList<>();

        index.forEachBroken((pod, _) -> broken.add(pod.name().name() + " " + pod.labels()));

        assertThat(broken).containsExactlyInAnyOrder("web-1 app=web,run=2", "web-2 app=web,run=1");
    }

    @Test
    void whatARelabelledPodLeftBehindGoesWithIt() {
        index.put(IndexTest.everything());
        two().facts().forEach(index::apply);
        index.apply(web1("app", "web", "run", "2"));
        index.remove(IndexTest.everything().id());
        Stream.of("web-1", "web-2").forEach(uid -> index.apply(podGone(uid)));
        index.view().nodes().stream().toList().forEach(node -> index.apply(new ClusterEvent.NodeGone(node.name())));

        assertThat(index.isEmpty()).isTrue();
    }
}
