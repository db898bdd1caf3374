package dev.holdfast.policies.score;

import static dev.holdfast.policies.score.Choices.check;
import static dev.holdfast.policies.score.Choices.choice;
import static dev.holdfast.policies.score.Choices.failed;
import static dev.holdfast.policies.score.Choices.numbers;
import static dev.holdfast.policies.score.Choices.row;
import static dev.holdfast.policies.score.Choices.scored;
import static dev.holdfast.policies.score.Choices.skipped;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.tainted;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.spread;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PreferenceTraits.softSpread;
import static dev.holdfast.policies.testing.Spreads.honoringTaints;
import static dev.holdfast.policies.testing.Spreads.ignoringNodeAffinity;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.maxSkewOfNoPod;
import static dev.holdfast.policies.testing.Spreads.minDomains;
import static dev.holdfast.policies.testing.Spreads.perValueOf;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Weights of a constraint by its number of domains: 1.10 for one, 1.39 for two, 1.61 for three, 1.79 for four. */
class PodTopologySpreadScoreTest {
    private static final TopologySpreadConstraint BY_ZONE = maxSkew(1, ZONE, app("web"));
    private static final TopologySpreadConstraint BY_HOST = maxSkew(1, HOSTNAME, app("web"));

    static Stream<Arguments> ownConstraints() {
        return Stream.of(
                row("SC-PTS-1: no constraint", choice(zones()), skipped()),
                row("SC-PTS-1: hard constraints are not scored", choice(zones(spread(BY_ZONE))), skipped()),
                row(
                        "SC-PTS-1: of both kinds, only the soft ones are scored",
                        choice(zones(softSpread(BY_ZONE), spread(BY_HOST))),
                        scored(numbers(5, 2, 0, 0), numbers(0, 60, 100, 0))),
                row(
                        "SC-PTS-2: a node without a key of any soft constraint is left out, also from the counts",
                        choice(zones(softSpread(BY_ZONE), softSpread(maxSkewOfNoPod(1, RACK)))
                                .node("n5", zone("a"), labels(RACK, "r1"))
                                .pod("w5", on("n5"), labels("app", "web"))),
                        scored(numbers(0, 0, 0, 0, 1), numbers(0, 0, 0, 0, 100))),
                row(
                        "SC-PTS-2: keys of hard constraints do not matter",
                        choice(zones(softSpread(BY_ZONE), spread(maxSkewOfNoPod(1, RACK)))),
                        scored(numbers(5, 2, 0, 0), numbers(0, 60, 100, 0))),
                row(
                        "SC-PTS-3: only feasible nodes form domains",
                        choice(zones(softSpread(BY_ZONE)), "n1", "n2"),
                        scored(numbers(4, 1), numbers(25, 100))),
                row(
                        "SC-PTS-3: each feasible node is a domain by hostname, also if two share a value",
                        choice(hosts("same", "same", "h3"), "n1", "n2"),
                        scored(numbers(3, 1), numbers(33, 100))),
                row(
                        "SC-PTS-4: pods on infeasible nodes of the zone count",
                        choice(
                                zones(softSpread(BY_ZONE))
                                        .node("n5", zone("c"))
                                        .pod("w5", on("n5"), labels("app", "web")),
                                "n1",
                                "n2",
                                "n3"),
                        scored(numbers(5, 2, 2), numbers(40, 100, 100))),
                row(
                        "SC-PTS-4: pods on nodes with taints count",
                        choice(withTaint(softSpread(BY_ZONE)), "n1", "n2"),
                        scored(numbers(4, 3), numbers(75, 100))),
                row(
                        "SC-PTS-4: pods on nodes with taints do not count if the policy says so",
                        choice(withTaint(softSpread(maxSkew(1, ZONE, app("web"), honoringTaints()))), "n1", "n2"),
                        scored(numbers(4, 1), numbers(25, 100))),
                row(
                        "SC-PTS-4: pods on nodes that the nodeSelector leaves out do not count",
                        choice(zones(softSpread(BY_ZONE), nodeSelector("pool", "a")), "n1", "n2", "n3"),
                        scored(numbers(0, 0, 0), numbers(100, 100, 100))),
                row(
                        "SC-PTS-4: pods on such nodes count if the policy says so",
                        choice(
                                zones(
                                        softSpread(maxSkew(1, ZONE, app("web"), ignoringNodeAffinity())),
                                        nodeSelector("pool", "a")),
                                "n1",
                                "n2",
                                "n3"),
                        scored(numbers(5, 2, 0), numbers(0, 60, 100))),
                row(
                        "SC-PTS-5: by hostname, the pods on the node itself count, not those on others of its value",
                        choice(hosts("same", "same", "h3")),
                        scored(numbers(3, 2, 0), numbers(0, 33, 100))),
                row(
                        "SC-PTS-5: by hostname, the inclusion policies do not matter",
                        choice(hosts("h1", "h2", "h3", nodeSelector("pool", "a"))),
                        scored(numbers(3, 2, 0), numbers(0, 33, 100))),
                row(
                        "SC-PTS-6: terminating, finished, unbound and foreign pods do not count",
                        choice(zones(softSpread(BY_ZONE))
                                .pod("w5", on("n3"), terminating(), labels("app", "web"))
                                .pod("w6", on("n3"), phase(Phase.SUCCEEDED), labels("app", "web"))
                                .pod("w7", labels("app", "web"))
                                .pod("w8", on("n9"), labels("app", "web"))
                                .pod("w9", on("n3"), in("bank"), labels("app", "web"))),
                        scored(numbers(5, 2, 0, 0), numbers(0, 60, 100, 0))),
                row(
                        "SC-PTS-6: an absent selector counts no pod",
                        choice(zones(softSpread(maxSkewOfNoPod(3, ZONE)))),
                        scored(numbers(2, 2, 2, 0), numbers(100, 100, 100, 0))),
                row(
                        "SC-PTS-6: the empty selector counts no pod",
                        choice(zones(softSpread(maxSkew(3, ZONE, LabelSelector.everything())))),
                        scored(numbers(2, 2, 2, 0), numbers(100, 100, 100, 0))),
                row(
                        "SC-PTS-6: matchLabelKeys narrow the empty selector to the pod's value",
                        choice(zones(
                                softSpread(maxSkew(1, ZONE, LabelSelector.everything(), perValueOf("app", "absent"))))),
                        scored(numbers(5, 2, 0, 0), numbers(0, 60, 100, 0))),
                row(
                        "SC-PTS-7: two constraints are summed up, and rounded once: 3 * 1.61 + 1.79 * 1.39 and so on",
                        choice(
                                zones(softSpread(BY_ZONE), softSpread(maxSkew(2, HOSTNAME, app("web"))))
                                        .node("n5", zone("a"), hostname("n5"))
                                        .pod("w5", on("n5"), labels("app", "web")),
                                "n1",
                                "n2",
                                "n3",
                                "n5"),
                        scored(numbers(13, 4, 1, 9), numbers(7, 76, 100, 38))),
                row(
                        "SC-PTS-8: all 100 if no domain has a matching pod",
                        choice(zones(softSpread(maxSkew(1, ZONE, app("db"))))),
                        scored(numbers(0, 0, 0, 0), numbers(100, 100, 100, 0))),
                row(
                        "SC-PTS-8: the fullest domain has the share of the emptiest",
                        choice(zones(softSpread(BY_ZONE)), "n1", "n2"),
                        scored(numbers(4, 1), numbers(25, 100))),
                row(
                        "SC-PTS-9: the pod itself does not count",
                        choice(zones(softSpread(BY_ZONE), on("n3"))),
                        scored(numbers(5, 2, 0, 0), numbers(0, 60, 100, 0))),
                row(
                        "SC-PTS-9: minDomains of a hard constraint plays no part",
                        choice(zones(softSpread(BY_ZONE), spread(maxSkew(1, HOSTNAME, app("web"), minDomains(9))))),
                        scored(numbers(5, 2, 0, 0), numbers(0, 60, 100, 0))),
                row(
                        "SC-PTS-9: all 0 if no feasible node has the key",
                        choice(zones(softSpread(maxSkew(1, RACK, app("web"))))),
                        scored(numbers(0, 0, 0, 0), numbers(0, 0, 0, 0))),
                row(
                        "SC-PTS-12: maxSkew only damps the difference",
                        choice(zones(softSpread(maxSkew(5, ZONE, app("web"))))),
                        scored(numbers(9, 6, 4, 0), numbers(44, 77, 100, 0))),
                row(
                        "TS-10: a selector that cannot be parsed fails the pod",
                        choice(zones(softSpread(maxSkew(1, ZONE, selector(expression("app", "Near", "x")))))),
                        failed(
                                "(app Near [x]) by topology.kubernetes.io/zone, maxSkew 1",
                                "`labelSelector` 'app Near [x]': `operator` must be In, NotIn, Exists or"
                                        + " DoesNotExist")));
    }

    @ParameterizedTest
    @MethodSource("ownConstraints")
    void softConstraintsScoreByMatchingPods(Choice choice, PluginResult expected) {
        check(it -> PodTopologySpreadScore.of(it, SpreadDefaults.none()), choice, expected);
    }

    static Stream<Arguments> defaults() {
        return Stream.of(
                byDefault("SC-PTS-10: no Service and no controller selects the pod", bySystem(), skipped()),
                byDefault(
                        "SC-PTS-10: a Service selects the pod: hostname 3 and zone 5; a missing key adds nothing",
                        bySystem(service("app", "web")),
                        scored(numbers(17, 10, 6, 0), numbers(0, 41, 64, 100))),
                byDefault(
                        "SC-PTS-10: a Service that does not select the pod", bySystem(service("app", "db")), skipped()),
                byDefault(
                        "SC-PTS-10: the labels of all Services that select the pod are merged",
                        bySystem(service("app", "web"), service("tier", "front")),
                        scored(numbers(6, 6, 6, 0), numbers(0, 0, 0, 100))),
                byDefault(
                        "SC-PTS-10: the selector of a ReplicaSet, which need not match the pod",
                        bySystem(controller("ReplicaSet", app("web"))),
                        scored(numbers(17, 10, 6, 0), numbers(0, 41, 64, 100))),
                byDefault(
                        "SC-PTS-10: Service and ReplicaSet must both match",
                        bySystem(service("app", "web"), controller("ReplicaSet", app("db"))),
                        scored(numbers(6, 6, 6, 0), numbers(0, 0, 0, 100))),
                byDefault(
                        "SC-PTS-10: the selector of a ReplicationController replaces labels of Services",
                        bySystem(service("app", "web"), controller("ReplicationController", app("db"))),
                        scored(numbers(6, 6, 6, 0), numbers(0, 0, 0, 100))),
                byDefault(
                        "SC-PTS-10: a ReplicaSet whose selector cannot be parsed adds nothing",
                        bySystem(controller("ReplicaSet", selector(expression("app", "Near", "x")))),
                        skipped()),
                byDefault(
                        "SC-PTS-10: a pod with a hard constraint gets no default constraints",
                        new Defaults(
                                choice(zones(spread(BY_ZONE))),
                                SpreadDefaults.ofSystem(new Workloads(List.of(Labels.of("app", "web")), Map.of()))),
                        skipped()),
                byDefault(
                        "SC-PTS-10: nodes without a zone are one domain with those of the empty zone",
                        new Defaults(
                                choice(cluster()
                                        .node("n1", zone(""))
                                        .node("n2")
                                        .node("n3", zone("c"))
                                        .pod("w1", on("n2"), labels("app", "web"))
                                        .pod("p", labels("app", "web"))),
                                SpreadDefaults.ofSystem(new Workloads(List.of(Labels.of("app", "web")), Map.of()))),
                        scored(numbers(5, 0, 4), numbers(0, 100, 20))),
                byDefault(
                        "SC-PTS-11: constraints of a list ask for complete nodes",
                        new Defaults(
                                choice(zones()),
                                SpreadDefaults.ofList(
                                        List.of(maxSkewOfNoPod(1, ZONE)),
                                        new Workloads(List.of(Labels.of("app", "web")), Map.of()))),
                        scored(numbers(5, 2, 0, 0), numbers(0, 60, 100, 0))),
                byDefault(
                        "SC-PTS-11: an empty list",
                        new Defaults(
                                choice(zones()),
                                SpreadDefaults.ofList(
                                        List.of(), new Workloads(List.of(Labels.of("app", "web")), Map.of()))),
                        skipped()));
    }

    @ParameterizedTest
    @MethodSource("defaults")
    void defaultConstraintsScoreByTheWorkloadsPods(Defaults defaults, PluginResult expected) {
        check(it -> PodTopologySpreadScore.of(it, defaults.spreadDefaults()), defaults.choice(), expected);
    }

    /** A choice of a scheduler with default constraints. */
    record Defaults(Choice choice, SpreadDefaults spreadDefaults) {}

    private static Arguments byDefault(String name, Defaults defaults, PluginResult expected) {
        return Arguments.argumentSet(name, defaults, expected);
    }

    /** A selector of a Service, or of the controller of the pod. */
    private record Selection(Optional<String> controller, LabelSelector selector) {}

    private static Selection service(String key, String value) {
        return new Selection(Optional.empty(), matchLabels(key, value));
    }

    private static Selection controller(String kind, LabelSelector selector) {
        return new Selection(Optional.of(kind), selector);
    }

    private static Defaults bySystem(Selection... selections) {
        List<Labels> services = Stream.of(selections)
                .filter(it -> it.controller().isEmpty())
                .map(it -> it.selector().matchLabels())
                .toList();
        Optional<Selection> controller =
                Stream.of(selections).filter(it -> it.controller().isPresent()).findFirst();
        String kind = controller.flatMap(Selection::controller).orElse("DaemonSet");
        return new Defaults(
                choice(zones(labels("tier", "front"), ownedBy(kind, "web", "u1"))),
                SpreadDefaults.ofSystem(new Workloads(
                        services,
                        controller.map(it -> Map.of(kind, it.selector())).orElse(Map.of()))));
    }

    /** The Services of each namespace, and the selector of the controller web of each kind. */
    private record Workloads(List<Labels> services, Map<String, LabelSelector> controllers)
            implements WorkloadSelectors {
        @Override
        public Collection<Labels> ofServicesIn(String namespace) {
            return services;
        }

        @Override
        public Optional<LabelSelector> ofController(String namespace, Controller controller) {
            return Optional.ofNullable(controllers.get(controller.kind()));
        }
    }

    /** Three zones with 3, 1 and 0 pods, and a node without labels with one more. */
    private static ClusterBuilder zones(PodTrait... traits) {
        return pods(
                cluster()
                        .node("n1", zone("a"), hostname("n1"))
                        .node("n2", zone("b"), hostname("n2"))
                        .node("n3", zone("c"), hostname("n3"))
                        .node("n4"),
                traits);
    }

    private static ClusterBuilder pods(ClusterBuilder cluster, PodTrait... traits) {
        return cluster.pod("w1", on("n1"), labels("app", "web"))
                .pod("w2", on("n1"), labels("app", "web"))
                .pod("w3", on("n1"), labels("app", "web"))
                .pod("w4", on("n2"), labels("app", "web"))
                .pod("p", with(labels("app", "web"), traits));
    }

    private static PodTrait[] with(PodTrait first, PodTrait... others) {
        return Stream.concat(Stream.of(first), Stream.of(others)).toArray(PodTrait[]::new);
    }

    /** Two zones with 3 and 1 pods, and one more pod on a tainted node of the second. */
    private static ClusterBuilder withTaint(PodTrait... traits) {
        return zones(traits)
                .node("n5", zone("b"), tainted("gpu", "", "NoSchedule"))
                .pod("w5", on("n5"), labels("app", "web"));
    }

    /** Three nodes with these hostnames and 2, 1 and 0 pods, of which the pod prefers to be apart. */
    private static ClusterBuilder hosts(String first, String second, String third, PodTrait... traits) {
        return cluster()
                .node("n1", hostname(first))
                .node("n2", hostname(second))
                .node("n3", hostname(third))
                .pod("w1", on("n1"), labels("app", "web"))
                .pod("w2", on("n1"), labels("app", "web"))
                .pod("w3", on("n2"), labels("app", "web"))
                .pod("p", with(labels("app", "web"), with(softSpread(BY_HOST), traits)));
    }
}
