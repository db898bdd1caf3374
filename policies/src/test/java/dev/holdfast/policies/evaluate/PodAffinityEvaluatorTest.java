package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.satisfied;
import static dev.holdfast.policies.evaluate.Expected.undetermined;
import static dev.holdfast.policies.evaluate.Expected.violated;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.NodeTraits.hostname;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.near;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.Rules.affinityRule;

import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodAffinityEvaluatorTest {
    private static final PodAffinityTerm CACHE_BY_ZONE = term(app("cache"), ZONE);
    private static final PodAffinityTerm CACHE_BY_RACK = term(app("cache"), RACK);
    private static final PodAffinityTerm WEB_BY_ZONE = term(app("web"), ZONE);
    private static final PodAffinityTerm FAST_BY_ZONE = term(matchLabels("tier", "fast"), ZONE);

    private static final Rule CACHE = affinityRule(CACHE_BY_ZONE);
    private static final Rule WEB = affinityRule(WEB_BY_ZONE);

    private static final Expected NO_CACHE = alone(ZONE, "a", "near (app=cache) by topology.kubernetes.io/zone");
    private static final Expected NO_WEB = withoutMate(ZONE, "a", "near (app=web) by topology.kubernetes.io/zone");

    static Stream<Arguments> terms() {
        return Stream.of(
                        row("AF-1: a set without terms passes", web(), affinityRule(), satisfied()),
                        row(
                                "AF-1: a partner in the zone passes",
                                web().pod("cache", on("n3"), labels("app", "cache")),
                                CACHE,
                                satisfied()),
                        row(
                                "AF-1: a partner in another zone does not count",
                                web().pod("cache", on("n2"), labels("app", "cache")),
                                CACHE,
                                NO_CACHE),
                        row(
                                "AF-1: a pod that matches one term of two counts for none of them",
                                web().pod("cache", on("n3"), labels("app", "cache"))
                                        .pod("fast", on("n3"), labels("tier", "fast")),
                                affinityRule(CACHE_BY_ZONE, FAST_BY_ZONE),
                                alone(
                                        ZONE,
                                        "a",
                                        "near (app=cache) by topology.kubernetes.io/zone and (tier=fast) by"
                                                + " topology.kubernetes.io/zone")),
                        row(
                                "AF-1: a pod that matches both terms counts for both",
                                web().pod("cache", on("n3"), labels("app", "cache", "tier", "fast")),
                                affinityRule(CACHE_BY_ZONE, FAST_BY_ZONE),
                                satisfied()),
                        row(
                                "AF-1: a pod that matches one term by label and misses the other by namespace counts"
                                        + " for none",
                                web().pod("cache", on("n3"), labels("app", "cache")),
                                affinityRule(CACHE_BY_ZONE, term(app("cache"), ZONE, namespaces("bank"))),
                                alone(
                                        ZONE,
                                        "a",
                                        "near (app=cache) by topology.kubernetes.io/zone"
                                                + " and (app=cache) in [bank] by topology.kubernetes.io/zone")),
                        row(
                                "AF-2: a partner counts by each key its node has: by zone here, and by no rack",
                                web().node("n4", zone("a")).pod("cache", on("n4"), labels("app", "cache")),
                                affinityRule(CACHE_BY_ZONE, CACHE_BY_RACK),
                                alone(
                                        RACK,
                                        "r1",
                                        "near (app=cache) by topology.kubernetes.io/zone and (app=cache) by rack")),
                        row(
                                "AF-2: a partner counts by each key its node has: one by zone and one by rack are"
                                        + " enough",
                                web().node("n4", zone("a"))
                                        .node("n5", rack("r1"))
                                        .pod("cache-1", on("n4"), labels("app", "cache"))
                                        .pod("cache-2", on("n5"), labels("app", "cache")),
                                affinityRule(CACHE_BY_ZONE, CACHE_BY_RACK),
                                satisfied()),
                        row(
                                "AF-3: zone and rack may be filled by different partners",
                                web().node("n4", zone("b"), rack("r1"))
                                        .pod("cache-1", on("n3"), labels("app", "cache"))
                                        .pod("cache-2", on("n4"), labels("app", "cache")),
                                affinityRule(CACHE_BY_ZONE, CACHE_BY_RACK),
                                satisfied()),
                        row(
                                "AF-3: every term needs its count: the zone has one, the rack none",
                                web().pod("cache-1", on("n3"), labels("app", "cache")),
                                affinityRule(CACHE_BY_ZONE, CACHE_BY_RACK),
                                alone(
                                        RACK,
                                        "r1",
                                        "near (app=cache) by topology.kubernetes.io/zone and (app=cache) by rack")),
                        row(
                                "AF-4: a node without the key fails, wherever the partner is",
                                onBare().pod("cache", on("bare"), labels("app", "cache")),
                                CACHE,
                                violated(new ViolationDetail.NoTopologyKey("bare", ZONE))),
                        row(
                                "AF-4: a node without the key of the second term fails by that term, though the first"
                                        + " one's zone is empty",
                                web().pod("cache", on("n3"), labels("app", "cache")),
                                affinityRule(term(app("db"), ZONE), term(app("cache"), HOSTNAME)),
                                violated(new ViolationDetail.NoTopologyKey("n1", HOSTNAME))),
                        row(
                                "AF-4: the first pod of a group needs the key as well",
                                onBare(),
                                WEB,
                                violated(new ViolationDetail.NoTopologyKey("bare", ZONE))),
                        row("AF-5: the first pod of a group passes", web(), WEB, satisfied()),
                        row(
                                "AF-5: a pod that does not match its own term is not the first of a group",
                                web(),
                                CACHE,
                                NO_CACHE),
                        row(
                                "AF-5: a pod that matches one of its two terms is not the first of a group",
                                web(),
                                affinityRule(WEB_BY_ZONE, FAST_BY_ZONE),
                                alone(
                                        ZONE,
                                        "a",
                                        "near (app=web) by topology.kubernetes.io/zone and (tier=fast) by"
                                                + " topology.kubernetes.io/zone")),
                        row(
                                "AF-5: a pod outside the namespaces of its own term is not the first of a group",
                                web(),
                                affinityRule(term(app("web"), ZONE, namespaces("bank"))),
                                alone(ZONE, "a", "near (app=web) in [bank] by topology.kubernetes.io/zone")),
                        row(
                                "AF-5: a pod that matches all its terms by zone and rack is the first of a group",
                                web(),
                                affinityRule(WEB_BY_ZONE, term(app("web"), RACK)),
                                satisfied()),
                        row(
                                "AF-5, X-2: with a mate in another zone no pod is first, for the owner itself is no"
                                        + " partner",
                                web().pod("web-2", on("n2"), labels("app", "web")),
                                WEB,
                                NO_WEB),
                        row(
                                "AF-6: a mate on a node without the key has no effect",
                                web().pod("web-2", on("bare"), labels("app", "web")),
                                WEB,
                                satisfied()),
                        row(
                                "AF-6: a mate on a node with one of two keys prevents a first pod",
                                web().node("n4", rack("r9")).pod("web-2", on("n4"), labels("app", "web")),
                                affinityRule(WEB_BY_ZONE, term(app("web"), RACK)),
                                withoutMate(
                                        ZONE,
                                        "a",
                                        "near (app=web) by topology.kubernetes.io/zone and (app=web) by rack")),
                        row(
                                "AF-6: a pod in another zone that matches one of two terms has no effect",
                                zones().pod("web-1", on("n1"), labels("app", "web", "tier", "fast"))
                                        .pod("web-2", on("n2"), labels("app", "web")),
                                affinityRule(WEB_BY_ZONE, FAST_BY_ZONE),
                                satisfied()),
                        new VerdictRow(
                                "AF-7: two nodes with one hostname label are one domain",
                                cluster()
                                        .node("n1", hostname("h"))
                                        .node("n2", hostname("h"))
                                        .pod("web-1", on("n1"), labels("app", "web"))
                                        .pod("cache", on("n2"), labels("app", "cache")),
                                "web-1",
                                affinityRule(term(app("cache"), HOSTNAME)),
                                satisfied()),
                        new VerdictRow(
                                "AF-7: a mate on a node without hostname label does not prevent a first pod",
                                cluster()
                                        .node("n1", hostname("n1"))
                                        .node("n2")
                                        .pod("web-1", on("n1"), labels("app", "web"))
                                        .pod("web-2", on("n2"), labels("app", "web")),
                                "web-1",
                                affinityRule(term(app("web"), HOSTNAME)),
                                satisfied()),
                        row(
                                "AF-8: the broken affinity of another pod has no effect",
                                web().pod("cache", on("n3"), labels("app", "cache"), near(term(app("db"), ZONE)))
                                        .pod("db", on("n2"), labels("app", "db"), near(term(app("web"), ZONE))),
                                CACHE,
                                satisfied()),
                        row(
                                "AF-9: near a cache and near a db, in one set, needs a pod that is both",
                                web().pod("cache", on("n3"), labels("app", "cache"))
                                        .pod("db", on("n3"), labels("app", "db")),
                                affinityRule(CACHE_BY_ZONE, term(app("db"), ZONE)),
                                alone(
                                        ZONE,
                                        "a",
                                        "near (app=cache) by topology.kubernetes.io/zone and (app=db) by"
                                                + " topology.kubernetes.io/zone")),
                        row(
                                "AF-9: near a cache and near a db, as two rules of a policy: near a cache",
                                web().pod("cache", on("n3"), labels("app", "cache"))
                                        .pod("db", on("n3"), labels("app", "db")),
                                CACHE,
                                satisfied()),
                        row(
                                "AF-9: near a cache and near a db, as two rules of a policy: near a db",
                                web().pod("cache", on("n3"), labels("app", "cache"))
                                        .pod("db", on("n3"), labels("app", "db")),
                                affinityRule(term(app("db"), ZONE)),
                                satisfied()),
                        row(
                                "PA-8: one term of a set that cannot be read leaves the whole set undetermined",
                                web().pod("cache", on("n2"), labels("app", "cache")),
                                affinityRule(CACHE_BY_ZONE, term(selector(expression("app", "Near", "db")), ZONE)),
                                undetermined(
                                        Reason.UNPARSABLE_RULE,
                                        "`labelSelector` 'app Near [db]':"
                                                + " `operator` must be In, NotIn, Exists or DoesNotExist")))
                .map(VerdictRow::arguments);
    }

    @ParameterizedTest
    @MethodSource("terms")
    void verdict(VerdictRow row) {
        row.check();
    }

    private static VerdictRow row(String name, ClusterBuilder cluster, Rule rule, Expected expected) {
        return new VerdictRow(name, cluster, "web-1", rule, expected);
    }

    /** {@return a cluster where n1 and n3 are in zone a, n2 and n3 in rack r2, and node bare in no zone and rack} */
    private static ClusterBuilder zones() {
        return cluster()
                .node("n1", zone("a"), rack("r1"))
                .node("n2", zone("b"), rack("r2"))
                .node("n3", zone("a"), rack("r2"))
                .node("bare");
    }

    private static ClusterBuilder web() {
        return zones().pod("web-1", on("n1"), labels("app", "web"));
    }

    private static ClusterBuilder onBare() {
        return zones().pod("web-1", on("bare"), labels("app", "web"));
    }

    /** {@return the violation of a pod that matches its own terms} */
    private static Expected withoutMate(String topologyKey, String domain, String demanded) {
        return violated(
                new ViolationDetail.NoPartner(topologyKey, domain, demanded.split(" and ").length, 1, demanded));
    }

    private static Expected alone(String topologyKey, String domain, String demanded) {
        return violated(new ViolationDetail.NoPartner(topologyKey, domain, demanded.split(" and ").length, demanded));
    }
}
