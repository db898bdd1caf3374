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
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.PreferenceTraits.preferringApart;
import static dev.holdfast.policies.testing.PreferenceTraits.preferringNear;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class InterPodAffinityScoreTest {
    private static final PodAffinityTerm CACHE = term(app("cache"), ZONE);
    private static final PodAffinityTerm WEB = term(app("web"), ZONE);
    private static final LabelSelector NOT_RED = selector(expression("team", "NotIn", "red"));
    private static final PodAffinityTerm BROKEN = term(selector(expression("app", "Near", "x")), ZONE);

    static Stream<Arguments> rows() {
        return Stream.of(
                row(
                        "SC-IPA-1: pods on all nodes count, feasible or not",
                        choice(web(preferringNear(10, CACHE)).pod("c", on("n3"), labels("app", "cache")), "n1", "n2"),
                        scored(numbers(10, 0), numbers(100, 0))),
                row(
                        "SC-IPA-1: a terminating pod counts",
                        choice(web(preferringNear(10, CACHE))
                                .pod("c", on("n2"), terminating(), labels("app", "cache"))),
                        scored(numbers(0, 10, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-1: finished and unbound pods, and pods on unknown nodes, do not count",
                        choice(web(preferringNear(10, CACHE))
                                .pod("c1", on("n2"), phase(Phase.FAILED), labels("app", "cache"))
                                .pod("c2", labels("app", "cache"))
                                .pod("c3", on("n9"), labels("app", "cache"))),
                        skipped()),
                row(
                        "SC-IPA-1: a pod on a node without labels adds nothing",
                        choice(web(preferringNear(10, CACHE)).pod("c", on("n4"), labels("app", "cache"))),
                        skipped()),
                row(
                        "SC-IPA-2: preferred anti-affinity of the pod takes away",
                        choice(web(preferringApart(10, CACHE)).pod("c", on("n2"), labels("app", "cache"))),
                        scored(numbers(0, -10, 0, 0), numbers(100, 0, 100, 100))),
                row(
                        "SC-IPA-2: required affinity of another pod adds 1",
                        choice(web().pod("c", on("n2"), near(WEB))),
                        scored(numbers(0, 1, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-2: preferred affinity of another pod adds its weight",
                        choice(web().pod("c", on("n2"), preferringNear(30, WEB))),
                        scored(numbers(0, 30, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-2: preferred anti-affinity of another pod takes its weight away",
                        choice(web().pod("c", on("n2"), preferringApart(30, WEB))),
                        scored(numbers(0, -30, 0, 0), numbers(100, 0, 100, 100))),
                row(
                        "SC-IPA-2: a term of another pod that does not match adds nothing",
                        choice(web().pod("c", on("n2"), near(CACHE), preferringNear(30, CACHE))),
                        skipped()),
                row(
                        "SC-IPA-2: both directions add up",
                        choice(web(preferringNear(10, CACHE))
                                .pod("c", on("n2"), labels("app", "cache"), near(WEB), preferringNear(30, WEB))),
                        scored(numbers(0, 41, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-3: required terms of the pod and required anti-affinity of others are not scored",
                        choice(web(near(CACHE), apartFrom(CACHE))
                                .pod("c", on("n2"), labels("app", "cache"), apartFrom(WEB))),
                        skipped()),
                row(
                        "SC-IPA-4: each term and each pod adds for itself",
                        choice(web(preferringNear(10, CACHE), preferringNear(1, term(app("cache"), HOSTNAME)))
                                .pod("c1", on("n1"), labels("app", "cache"))
                                .pod("c2", on("n3"), labels("app", "cache"))
                                .pod("c3", on("n3"), labels("app", "cache"))),
                        scored(numbers(31, 0, 32, 0), numbers(96, 0, 100, 0))),
                row(
                        "SC-IPA-4: there is no rule for the first pod of a group, and the pod itself adds nothing",
                        choice(web(preferringNear(10, WEB), on("n1"))),
                        skipped()),
                row(
                        "SC-IPA-5: a term of the pod means its own namespace",
                        choice(web(preferringNear(10, CACHE)).pod("c", in("bank"), on("n2"), labels("app", "cache"))),
                        skipped()),
                row(
                        "SC-IPA-5: a term of the pod by the labels of a namespace that does not exist",
                        choice(web(preferringNear(10, term(app("cache"), ZONE, namespaceSelector(NOT_RED))))
                                .pod("c", in("bank"), on("n2"), labels("app", "cache"))),
                        skipped()),
                row(
                        "SC-IPA-5: a term of the pod by the labels of a namespace",
                        choice(web(preferringNear(10, term(app("cache"), ZONE, namespaceSelector(NOT_RED))))
                                .namespace("bank", labels("team", "blue"))
                                .pod("c", in("bank"), on("n2"), labels("app", "cache"))),
                        scored(numbers(0, 10, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-5: a term of another pod means the namespace of that pod",
                        choice(web().pod("c", in("bank"), on("n2"), preferringNear(10, WEB))),
                        skipped()),
                row(
                        "SC-IPA-5: a term of another pod names the namespace of the pod",
                        choice(web().pod(
                                        "c",
                                        in("bank"),
                                        on("n2"),
                                        preferringNear(10, term(app("web"), ZONE, namespaces("shop"))))),
                        scored(numbers(0, 10, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-5: for a term of another pod, a namespace that does not exist has no labels",
                        choice(web().pod(
                                        "c",
                                        in("bank"),
                                        on("n2"),
                                        preferringNear(10, term(app("web"), ZONE, namespaceSelector(NOT_RED))))),
                        scored(numbers(0, 10, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-6: all keys of a node are summed up, and a missing key is 0",
                        choice(web(preferringNear(10, CACHE), preferringNear(5, term(app("cache"), HOSTNAME)))
                                .pod("c", on("n2"), labels("app", "cache"))),
                        scored(numbers(0, 15, 0, 0), numbers(0, 100, 0, 0))),
                row(
                        "SC-IPA-7: sums of 0 are not nothing",
                        choice(web(preferringNear(10, CACHE), preferringApart(10, CACHE))
                                .pod("c", on("n2"), labels("app", "cache"))),
                        scored(numbers(0, 0, 0, 0), numbers(0, 0, 0, 0))),
                row(
                        "SC-IPA-8: all 0 if all feasible nodes have the same",
                        choice(web(preferringNear(10, CACHE)).pod("c", on("n1"), labels("app", "cache")), "n1", "n3"),
                        scored(numbers(10, 10), numbers(0, 0))),
                row(
                        "PA-8: a term of the pod that cannot be parsed fails the pod",
                        choice(web(preferringNear(10, CACHE), preferringApart(10, BROKEN))),
                        failed(
                                "(app Near [x]) by topology.kubernetes.io/zone",
                                "`labelSelector` 'app Near [x]': `operator` must be In, NotIn, Exists or"
                                        + " DoesNotExist")),
                row(
                        "PA-8: a term of another pod that cannot be parsed drops its terms of that kind",
                        choice(web().pod(
                                        "c",
                                        on("n2"),
                                        preferringNear(10, WEB),
                                        preferringNear(10, BROKEN),
                                        preferringApart(3, WEB))),
                        scored(numbers(0, -3, 0, 0), numbers(100, 0, 100, 100))));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void preferredPodTermsScoreInBothDirections(Choice choice, PluginResult expected) {
        check(
                it -> InterPodAffinityScore.of(it, SchedulerProfile.withDefaults(SpreadDefaults.none())),
                choice,
                expected);
    }

    /** Rows whose exact share is 29, 57 and 58 of 100: the scheduler divides first, and loses one. */
    static Stream<Arguments> divisions() {
        return LongStream.of(28, 29, 30, 56, 57, 58, 59, 99)
                .mapToObj(share -> row(
                        "SC-IPA-8: " + share + " of 100",
                        choice(
                                web(preferringNear((int) share, CACHE), preferringNear(100, term(app("db"), ZONE)))
                                        .pod("c", on("n1"), labels("app", "cache"))
                                        .pod("d", on("n2"), labels("app", "db")),
                                "n1",
                                "n2",
                                "n4"),
                        scored(
                                numbers(share, 100, 0),
                                numbers(share == 29 || share == 57 || share == 58 ? share - 1 : share, 100, 0))));
    }

    @ParameterizedTest
    @MethodSource("divisions")
    void theSchedulerDividesFirst(Choice choice, PluginResult expected) {
        check(
                it -> InterPodAffinityScore.of(it, SchedulerProfile.withDefaults(SpreadDefaults.none())),
                choice,
                expected);
    }

    static Stream<Arguments> profiles() {
        return Stream.of(
                profile("SC-IPA-9: weight 0 of required affinity", 0, false, near(WEB), skipped()),
                profile(
                        "SC-IPA-9: weight 50 of required affinity",
                        50,
                        false,
                        near(WEB),
                        scored(numbers(0, 50, 0, 0), numbers(0, 100, 0, 0))),
                profile(
                        "SC-IPA-9: terms of others are ignored for a pod without terms of its own",
                        1,
                        true,
                        preferringNear(30, WEB),
                        skipped()));
    }

    private static Arguments profile(
            String name, int hardWeight, boolean ignore, PodTrait other, PluginResult expected) {
        SchedulerProfile defaults = SchedulerProfile.withDefaults(SpreadDefaults.none());
        return Arguments.argumentSet(
                name,
                new SchedulerProfile(defaults.weights(), hardWeight, ignore, defaults.spreadDefaults()),
                choice(web().pod("c", on("n2"), other)),
                expected);
    }

    @ParameterizedTest
    @MethodSource("profiles")
    void aProfileChangesWhatOtherPodsAdd(SchedulerProfile profile, Choice choice, PluginResult expected) {
        check(it -> InterPodAffinityScore.of(it, profile), choice, expected);
    }

    /** Two zones with the nodes n1, n3 and n2, and a node without labels. */
    private static ClusterBuilder web(PodTrait... traits) {
        PodTrait[] all = Stream.concat(Stream.<PodTrait>of(labels("app", "web")), Stream.of(traits))
                .toArray(PodTrait[]::new);
        return cluster()
                .node("n1", zone("a"), hostname("n1"))
                .node("n2", zone("b"), hostname("n2"))
                .node("n3", zone("a"), hostname("n3"))
                .node("n4")
                .pod("p", all);
    }
}
