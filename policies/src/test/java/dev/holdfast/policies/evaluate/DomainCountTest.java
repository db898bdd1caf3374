package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What the only rule of pod {@code me} on n1 counts. Nodes n1 and n2 are in zone a, n3 in b and n4 in c; n1 alone has a
 * rack, r. There are web-2 on n2, web-3 on n3 and db-3 on n3. An expectation {@code a*} is the domain of the pod's own
 * node.
 */
class DomainCountTest {
    private static final PodTrait WEB = labels("app", "web");

    private static ClusterBuilder pods() {
        return cluster()
                .node("n1", zone("a"), rack("r"))
                .node("n2", zone("a"))
                .node("n3", zone("b"))
                .node("n4", zone("c"))
                .pod("web-2", on("n2"), WEB)
                .pod("web-3", on("n3"), WEB)
                .pod("db-3", on("n3"), labels("app", "db"));
    }

    static Stream<Arguments> counts() {
        return Stream.of(
                argumentSet(
                        "spread has all domains, and counts the pod itself",
                        pods().pod("me", on("n1"), WEB, spread(maxSkew(1, ZONE, app("web")))),
                        List.of("a*: me web-2", "b: web-3", "c:")),
                argumentSet(
                        "spread leaves the pod itself out if the selector does",
                        pods().pod("me", on("n1"), spread(maxSkew(1, ZONE, app("web")))),
                        List.of("a*: web-2", "b: web-3", "c:")),
                argumentSet(
                        "spread leaves out pods that terminate",
                        pods().pod("web-4", on("n4"), WEB, terminating())
                                .pod("me", on("n1"), WEB, spread(maxSkew(1, ZONE, app("web")))),
                        List.of("a*: me web-2", "b: web-3", "c:")),
                argumentSet(
                        "affinity has the domains with partners, and its own",
                        pods().pod("me", on("n1"), near(term(app("db"), ZONE))),
                        List.of("a*:", "b: db-3")),
                argumentSet(
                        "affinity does not count the pod itself",
                        pods().pod("me", on("n1"), WEB, near(term(app("web"), ZONE))),
                        List.of("a*: web-2", "b: web-3")),
                argumentSet(
                        "affinity of two topology keys has the domains of both, and counts a pod once in each",
                        pods().pod(
                                        "me",
                                        on("n1"),
                                        near(term(app("web"), ZONE), term(app("web"), RACK), term(app("web"), ZONE))),
                        List.of("a*: web-2", "b: web-3", "r*:")),
                argumentSet(
                        "anti-affinity counts pods that terminate",
                        pods().pod("web-4", on("n4"), WEB, terminating())
                                .pod("me", on("n1"), WEB, apartFrom(term(app("web"), ZONE))),
                        List.of("a*: web-2", "b: web-3", "c: web-4")),
                argumentSet(
                        "node affinity counts no pods",
                        pods().pod("me", on("n1"), nodeSelector("disk", "ssd")),
                        List.of()));
    }

    @ParameterizedTest
    @MethodSource
    void counts(ClusterBuilder builder, List<String> expected) {
        ReferenceCluster view = builder.build();
        Pod me = view.pods().stream()
                .filter(pod -> pod.name().name().equals("me"))
                .findFirst()
                .orElseThrow();

        List<DomainCount> counts = DomainCount.of(PodRules.of(me.scheduling()).getFirst(), me, view);

        assertThat(counts).map(DomainCountTest::text).containsExactlyInAnyOrderElementsOf(expected);
        assertThat(counts)
                .allSatisfy(count ->
                        assertThat(count.pods()).isEqualTo(count.counted().size()));
    }

    private static String text(DomainCount count) {
        String pods =
                count.counted().stream().map(pod -> pod.name().name()).sorted().collect(Collectors.joining(" "));
        return (count.value() + (count.ofPod() ? "*" : "") + ": " + pods).strip();
    }
}
