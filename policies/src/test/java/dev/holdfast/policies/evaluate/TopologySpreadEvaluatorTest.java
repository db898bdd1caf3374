package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.satisfied;
import static dev.holdfast.policies.evaluate.Expected.undetermined;
import static dev.holdfast.policies.evaluate.Expected.violated;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static dev.holdfast.policies.testing.Spreads.maxSkewOfNoPod;
import static dev.holdfast.policies.testing.Spreads.minDomains;
import static dev.holdfast.policies.testing.Spreads.perValueOf;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Counts, domains and the arithmetic of the skew. [3,1] reads: three pods of app web in zone a, one in zone b. The rule
 * owner is a-1 in zone a. {@link SpreadEligibilityTest} covers eligible nodes.
 */
class TopologySpreadEvaluatorTest {
    private static final LabelSelector WEB = app("web");
    private static final Rule BY_ZONE = spreadRule(maxSkew(1, ZONE, WEB));

    static Stream<Arguments> arithmetic() {
        return Stream.of(
                        row("TS-2: [1,0], maxSkew 1: 0 others + 1 - 0 = 1 holds", zones(1, 0), BY_ZONE, satisfied()),
                        row("TS-2: [2,0], maxSkew 1: 1 other + 1 - 0 = 2 > 1", zones(2, 0), BY_ZONE, skew(1, 1, 0, 1)),
                        row("TS-2: [2,1], maxSkew 1: 1 other + 1 - 1 = 1 holds", zones(2, 1), BY_ZONE, satisfied()),
                        row("TS-2: [3,1], maxSkew 1: 2 others + 1 - 1 = 2 > 1", zones(3, 1), BY_ZONE, skew(2, 1, 1, 1)),
                        row("TS-2: [3,1], maxSkew 2: 2 others + 1 - 1 = 2 holds", zones(3, 1), byZone(2), satisfied()),
                        row(
                                "TS-2: [4,1], maxSkew 2: 3 others + 1 - 1 = 3 > 2",
                                zones(4, 1),
                                byZone(2),
                                skew(3, 1, 1, 2)),
                        row("TS-2: [2,2], maxSkew 1: 1 other + 1 - 2 = 0 holds", zones(2, 2), BY_ZONE, satisfied()),
                        row(
                                "TS-2: [1,3], maxSkew 1: the owner of an emptier domain breaks nothing",
                                zones(1, 3),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "TS-2: [3], maxSkew 1: a single domain is its own least: 2 others + 1 - 2 = 1 holds",
                                zones(3),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "TS-3: a node without the topologyKey",
                                zones(1, 1),
                                spreadRule(maxSkew(1, RACK, WEB)),
                                violated(new ViolationDetail.NoTopologyKey("n1", RACK))),
                        row(
                                "TS-3: a node without the topologyKey, though nothing is counted",
                                zones(1, 1),
                                spreadRule(maxSkewOfNoPod(1, RACK)),
                                violated(new ViolationDetail.NoTopologyKey("n1", RACK))),
                        row(
                                "TS-8: [2,2,0], maxSkew 1: the least of all domains is 0: 1 other + 1 - 0 = 2 > 1",
                                zones(2, 2, 0),
                                BY_ZONE,
                                skew(1, new LeastCount.OfDomain("c", 0))),
                        row(
                                "TS-8: [3,2,2], maxSkew 1: 2 others + 1 - 2 = 1 holds",
                                zones(3, 2, 2),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "TS-8: [2,2], minDomains 3: too few domains, so least is 0: 1 other + 1 - 0 = 2 > 1",
                                zones(2, 2),
                                ofAtLeast(3),
                                skew(1, new LeastCount.OfTooFewDomains(2, 3, "", true))),
                        row(
                                "TS-8: [2,0], minDomains 3: too few domains, but the other one has room",
                                zones(2, 0),
                                ofAtLeast(3),
                                skew(1, new LeastCount.OfTooFewDomains(2, 3, "", false))),
                        row(
                                "TS-8: [2], minDomains 2: one domain",
                                zones(2),
                                ofAtLeast(2),
                                skew(1, new LeastCount.OfTooFewDomains(1, 2, "", true))),
                        row(
                                "TS-8: [3,1,1]: of several smallest domains the first is named",
                                zones(3, 1, 1),
                                BY_ZONE,
                                skew(2, new LeastCount.OfDomain("b", 1))),
                        row(
                                "TS-8: [2,2], minDomains 2: enough domains: 1 other + 1 - 2 = 0 holds",
                                zones(2, 2),
                                ofAtLeast(2),
                                satisfied()),
                        row(
                                "TS-8: [1,1], minDomains 3: 0 others + 1 - 0 = 1 holds",
                                zones(1, 1),
                                ofAtLeast(3),
                                satisfied()),
                        row(
                                "TS-8: [2,2,2], minDomains 3: exactly enough domains: 1 other + 1 - 2 = 0 holds",
                                zones(2, 2, 2),
                                ofAtLeast(3),
                                satisfied()),
                        row(
                                "TS-9: minDomains 1, the least allowed, requires no more: [2], 1 other + 1 - 1 ="
                                        + " 1 holds",
                                zones(2),
                                ofAtLeast(1),
                                satisfied()),
                        row(
                                "TS-9: maxSkew 1, the least allowed, is met by a pod alone in its domain beside an"
                                        + " empty one",
                                zones(1, 0, 0),
                                BY_ZONE,
                                satisfied()))
                .map(VerdictRow::arguments);
    }

    static Stream<Arguments> counted() {
        return Stream.of(
                        row(
                                "TS-7: pods of other namespaces do not count: 0 others + 1 - 0 = 1 holds",
                                zones(1, 0).pod("x", in("bank"), on("n1"), labels("app", "web")),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "TS-7: terminating pods do not count: 0 others + 1 - 0 = 1 holds",
                                zones(1, 0).pod("x", on("n1"), labels("app", "web"), terminating()),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "TS-7: terminating pods do not count in the least domain either: 1 other + 1 - 0 = 2 >"
                                        + " 1",
                                zones(2, 0).pod("x", on("n2"), labels("app", "web"), terminating()),
                                BY_ZONE,
                                skew(1, 1, 0, 1)),
                        row(
                                "TS-7: pods that the selector does not match do not count: 0 others + 1 - 0 = 1 holds",
                                zones(1, 0).pod("x", on("n1"), labels("app", "db")),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "TS-10: without selector nothing counts, not even the owner: 0 + 0 - 0 = 0 holds",
                                zones(4, 0),
                                spreadRule(maxSkewOfNoPod(1, ZONE)),
                                satisfied()),
                        row(
                                "TS-10: without selector matchLabelKeys select nothing either",
                                zones(4, 0),
                                spreadRule(maxSkewOfNoPod(1, ZONE, perValueOf("app"))),
                                satisfied()),
                        row(
                                "TS-11: with {} only the owner counts: 0 + 1 - 0 = 1 holds",
                                zones(4, 0),
                                spreadRule(maxSkew(1, ZONE, selector())),
                                satisfied()),
                        row(
                                "TS-11: with {} and a label key the selector is like any other: 3 others + 1 - 0 = 4 >"
                                        + " 1",
                                zones(4, 0),
                                spreadRule(maxSkew(1, ZONE, selector(), perValueOf("app"))),
                                skew(3, 1, 0, 1)),
                        row(
                                "TS-11: with {} and a label key that the owner lacks it is {} still: 0 + 1 - 0 = 1"
                                        + " holds",
                                zones(4, 0),
                                spreadRule(maxSkew(1, ZONE, selector(), perValueOf("version"))),
                                satisfied()),
                        row(
                                "TS-11: a selector of one expression is not {}: 3 others + 1 - 0 = 4 > 1",
                                zones(4, 0),
                                spreadRule(maxSkew(1, ZONE, selector(expression("old", "DoesNotExist")))),
                                skew(3, 1, 0, 1)),
                        row(
                                "TS-12, D-11: pods of another version do not count: 0 others + 1 - 0 = 1 holds",
                                versions("7f").pod("x", on("n1"), labels("app", "web", "version", "80")),
                                spreadRule(maxSkew(1, ZONE, WEB, perValueOf("version"))),
                                satisfied()),
                        row(
                                "TS-12: pods of the same version count: 1 other + 1 - 0 = 2 > 1",
                                versions("7f").pod("x", on("n1"), labels("app", "web", "version", "7f")),
                                spreadRule(maxSkew(1, ZONE, WEB, perValueOf("version"))),
                                skew(1, 1, 0, 1)),
                        row(
                                "TS-12: a key that the owner lacks is ignored: 1 other + 1 - 0 = 2 > 1",
                                zones(2, 0),
                                spreadRule(maxSkew(1, ZONE, WEB, perValueOf("version"))),
                                skew(1, 1, 0, 1)),
                        row(
                                "TS-12: an owner relabelled after its creation matches nothing any more: 0 + 0 - 0 = 0"
                                        + " holds",
                                versions("80")
                                        .pod("x", on("n1"), labels("app", "web", "version", "7f"))
                                        .pod("y", on("n1"), labels("app", "web", "version", "80")),
                                spreadRule(maxSkew(
                                        1, ZONE, WEB.and(expression("version", "In", "7f")), perValueOf("version"))),
                                satisfied()),
                        row(
                                "TS-13: [1,0] and an owner that does not match itself: 1 other + 0 - 0 = 1 holds",
                                db(1, 0),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "TS-13: [2,0] and an owner that does not match itself: 2 others + 0 - 0 = 2 > 1",
                                db(2, 0),
                                BY_ZONE,
                                skew(2, 0, 0, 1)),
                        row(
                                "D-13: relabelled so that it does not match itself any more: [2,1], 2 others + 0 - 1 ="
                                        + " 1 holds",
                                db(2, 1),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "X-5: the owner in the least domain counts itself once: [1,1], 0 others + 1 - 0 = 1"
                                        + " holds",
                                zones(1, 1),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "X-5: without the owner its own domain may be the least: [1,2], 0 others + 1 - 0 = 1"
                                        + " holds",
                                zones(1, 2),
                                BY_ZONE,
                                satisfied()),
                        row(
                                "PA-8: a selector that cannot be read is undetermined, never violated",
                                zones(4, 0),
                                spreadRule(maxSkew(1, ZONE, selector(expression("app", "Near", "web")))),
                                undetermined(
                                        Reason.UNPARSABLE_RULE,
                                        "`labelSelector` 'app Near [web]':"
                                                + " `operator` must be In, NotIn, Exists or DoesNotExist")),
                        row(
                                "PA-8: a selector that cannot be read is undetermined on a node without the key too",
                                zones(4, 0),
                                spreadRule(maxSkew(1, RACK, selector(expression("app", "Exists", "web")))),
                                undetermined(
                                        Reason.UNPARSABLE_RULE,
                                        "`labelSelector` 'app Exists [web]': `values` must be empty")))
                .map(VerdictRow::arguments);
    }

    @ParameterizedTest
    @MethodSource({"arithmetic", "counted"})
    void verdict(VerdictRow row) {
        row.check();
    }

    private static VerdictRow row(String name, ClusterBuilder cluster, Rule rule, Expected expected) {
        return new VerdictRow(name, cluster, "a-1", rule, expected);
    }

    private static Expected skew(int others, LeastCount least) {
        return violated(new ViolationDetail.Skew(ZONE, "a", others, 1, least, 1));
    }

    private static Expected skew(int others, int self, int least, int maxSkew) {
        return violated(
                new ViolationDetail.Skew(ZONE, "a", others, self, new LeastCount.OfDomain("b", least), maxSkew));
    }

    private static Rule byZone(int maxSkew) {
        return spreadRule(maxSkew(maxSkew, ZONE, WEB));
    }

    private static Rule ofAtLeast(int minDomains) {
        return spreadRule(maxSkew(1, ZONE, WEB, minDomains(minDomains)));
    }

    /**
     * {@return a cluster with node n1 in zone a, n2 in zone b and so on, and with the given number of pods of app web
     * on each: a-1, a-2, b-1 and so on}
     */
    private static ClusterBuilder zones(int... pods) {
        ClusterBuilder cluster = nodes(pods.length);
        for (int zone = 0; zone < pods.length; zone++) {
            for (int i = 1; i <= pods[zone]; i++) {
                cluster.pod(letter(zone) + "-" + i, on("n" + (zone + 1)), labels("app", "web"));
            }
        }
        return cluster;
    }

    /** {@return zones a and b with the given numbers of pods of app web; the rule owner a-1 in zone a is of app db} */
    private static ClusterBuilder db(int inA, int inB) {
        ClusterBuilder cluster = nodes(2).pod("a-1", on("n1"), labels("app", "db"));
        for (int i = 1; i <= inA; i++) {
            cluster.pod("web-a-" + i, on("n1"), labels("app", "web"));
        }
        for (int i = 1; i <= inB; i++) {
            cluster.pod("web-b-" + i, on("n2"), labels("app", "web"));
        }
        return cluster;
    }

    /** {@return a cluster whose only pod is the rule owner a-1, of app web and with this version} */
    private static ClusterBuilder versions(String version) {
        return nodes(2).pod("a-1", on("n1"), labels("app", "web", "version", version));
    }

    private static ClusterBuilder nodes(int zones) {
        ClusterBuilder cluster = cluster();
        for (int zone = 0; zone < zones; zone++) {
            cluster.node("n" + (zone + 1), zone(letter(zone)));
        }
        return cluster;
    }

    private static String letter(int zone) {
        return Character.toString('a' + zone);
    }
}
