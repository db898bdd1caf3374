package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.evaluate.Expected.satisfied;
import static dev.holdfast.policies.evaluate.Expected.sharing;
import static dev.holdfast.policies.evaluate.Expected.undetermined;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.expression;
import static dev.holdfast.policies.testing.Demands.matchLabelKeys;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.mismatchLabelKeys;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.selector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Demands.termOfNoPod;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.uid;
import static dev.holdfast.policies.testing.NodeTraits.rack;
import static dev.holdfast.policies.testing.NodeTraits.zone;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;

import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.ClusterBuilder;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class PodAntiAffinityEvaluatorTest {
    private static final Rule APART_FROM_BATCH = antiAffinityRule(term(app("batch"), ZONE));
    private static final Rule APART_FROM_WEB = antiAffinityRule(term(app("web"), ZONE));

    static Stream<Arguments> rows() {
        return Stream.of(
                        row("AA-1: no pod matches", web(), APART_FROM_BATCH, satisfied()),
                        row(
                                "AA-1: a pod that the term matches in the same zone",
                                web().pod("batch", on("n3"), labels("app", "batch")),
                                APART_FROM_BATCH,
                                sharing(ZONE, "a", "batch")),
                        row(
                                "AA-1: a pod that the term matches in another zone",
                                web().pod("batch", on("n2"), labels("app", "batch")),
                                APART_FROM_BATCH,
                                satisfied()),
                        row(
                                "AA-1: a pod that the term does not match in the same zone",
                                web().pod("db", on("n3"), labels("app", "db")),
                                APART_FROM_BATCH,
                                satisfied()),
                        row(
                                "AA-1: all pods in conflict are named by UID, those in other zones are not",
                                web().pod("batch-3", on("n1"), labels("app", "batch"))
                                        .pod("batch-1", on("n3"), labels("app", "batch"))
                                        .pod("batch-2", on("n2"), labels("app", "batch"))
                                        .pod("batch-0", on("n3"), uid("u9"), labels("app", "batch")),
                                APART_FROM_BATCH,
                                sharing(ZONE, "a", "batch-1", "batch-3", "u9")),
                        row(
                                "AA-1: pods in conflict are named by UID across namespaces",
                                web().pod("batch", uid("2"), in("bank"), on("n3"), labels("app", "batch"))
                                        .pod("batch", uid("1"), in("post"), on("n3"), labels("app", "batch"))
                                        .pod("batch", uid("3"), in("bank"), on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(app("batch"), ZONE, namespaces("bank", "post"))),
                                sharing(ZONE, "a", "1", "2", "3")),
                        row(
                                "AA-1: one term of two conflicts: by zone",
                                web().pod("batch", on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(app("batch"), ZONE)),
                                sharing(ZONE, "a", "batch")),
                        row(
                                "AA-1: one term of two conflicts: not by rack",
                                web().pod("batch", on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(app("batch"), RACK)),
                                satisfied()),
                        row(
                                "AA-1: a term without selector conflicts with no pod",
                                web().pod("web-2", on("n1"), labels("app", "web")),
                                antiAffinityRule(termOfNoPod(ZONE)),
                                satisfied()),
                        row(
                                "AA-1: a term with {} conflicts with every pod of the namespace, and with no other",
                                web().pod("db", on("n3")).pod("batch", in("bank"), on("n3")),
                                antiAffinityRule(term(selector(), ZONE)),
                                sharing(ZONE, "a", "db")),
                        row(
                                "AA-2: a pod on a node without the key conflicts with no pod, even on the same node",
                                zones().pod("web-1", on("bare"), labels("app", "web"))
                                        .pod("batch", on("bare"), labels("app", "batch")),
                                APART_FROM_BATCH,
                                satisfied()),
                        row(
                                "AA-2: a pod on a node without the key is in conflict with no pod",
                                web().pod("batch", on("bare"), labels("app", "batch")),
                                APART_FROM_BATCH,
                                satisfied()),
                        row("AA-3, X-3: a pod is never in conflict with itself", web(), APART_FROM_WEB, satisfied()),
                        row(
                                "AA-3: of two pods that match one term, each sees the other alone",
                                web().pod("web-2", on("n3"), labels("app", "web")),
                                APART_FROM_WEB,
                                sharing(ZONE, "a", "web-2")),
                        row(
                                "AA-3: another pod under the same name in another namespace is another pod",
                                web().pod("web-1", uid("u2"), in("bank"), on("n3"), labels("app", "web")),
                                antiAffinityRule(term(app("web"), ZONE, namespaceSelector(selector()))),
                                sharing(ZONE, "a", "u2")),
                        row(
                                "AA-4, X-4: a pod that another's anti-affinity matches has not broken a rule of its"
                                        + " own",
                                web().pod("batch", on("n3"), labels("app", "batch"), apartFrom(term(app("web"), ZONE))),
                                antiAffinityRule(term(app("db"), ZONE)),
                                satisfied()),
                        new VerdictRow(
                                "AA-4, X-4: the owner of the term has",
                                web().pod("batch", on("n3"), labels("app", "batch"), apartFrom(term(app("web"), ZONE))),
                                "batch",
                                APART_FROM_WEB,
                                sharing(ZONE, "a", "web-1")),
                        row(
                                "PA-2: a term applies to its owner's namespace",
                                web().pod("batch", in("bank"), on("n3"), labels("app", "batch")),
                                APART_FROM_BATCH,
                                satisfied()),
                        row(
                                "PA-3: a listed namespace needs no object",
                                web().pod("batch", in("ghost"), on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(app("batch"), ZONE, namespaces("ghost"))),
                                sharing(ZONE, "a", "batch")),
                        row(
                                "PA-4: {} reaches a namespace without object",
                                web().pod("batch", in("ghost"), on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(app("batch"), ZONE, namespaceSelector(selector()))),
                                sharing(ZONE, "a", "batch")),
                        row(
                                "PA-5: a namespace is reached by its labels",
                                web().namespace("bank", labels("team", "data"))
                                        .namespace("post", labels("team", "mail"))
                                        .pod("batch-1", in("bank"), on("n3"), labels("app", "batch"))
                                        .pod("batch-2", in("post"), on("n3"), labels("app", "batch")),
                                antiAffinityRule(
                                        term(app("batch"), ZONE, namespaceSelector(matchLabels("team", "data")))),
                                sharing(ZONE, "a", "batch-1")),
                        row(
                                "PA-6: the pod's own term never reaches a namespace without object by its labels",
                                web().pod("batch", in("ghost"), on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(
                                        app("batch"),
                                        ZONE,
                                        namespaceSelector(selector(expression("team", "NotIn", "data"))))),
                                satisfied()),
                        row(
                                "PA-7: matchLabelKeys of a policy's rule are merged for the pod as it is: the same"
                                        + " version",
                                versioned(),
                                antiAffinityRule(term(app("web"), ZONE, matchLabelKeys("version"))),
                                sharing(ZONE, "a", "web-2")),
                        row(
                                "PA-7: mismatchLabelKeys of a policy's rule are merged for the pod as it is: another"
                                        + " version",
                                versioned(),
                                antiAffinityRule(term(app("web"), ZONE, mismatchLabelKeys("version"))),
                                sharing(ZONE, "a", "web-3")),
                        row(
                                "PA-7: a key that the pod lacks is not merged",
                                versioned(),
                                antiAffinityRule(term(app("web"), ZONE, matchLabelKeys("tenant"))),
                                sharing(ZONE, "a", "web-2", "web-3")),
                        row(
                                "PA-7: nothing is merged into an absent selector",
                                versioned(),
                                antiAffinityRule(termOfNoPod(ZONE, matchLabelKeys("version"))),
                                satisfied()),
                        row(
                                "PA-8: a term that cannot be read is undetermined, never violated",
                                web().pod("batch", on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(selector(expression("app", "Near", "batch")), ZONE)),
                                undetermined(
                                        Reason.UNPARSABLE_RULE,
                                        "`labelSelector` 'app Near [batch]':"
                                                + " `operator` must be In, NotIn, Exists or DoesNotExist")),
                        row(
                                "PA-8: a namespaceSelector that cannot be read is undetermined, whatever is listed",
                                web().pod("batch", on("n3"), labels("app", "batch")),
                                antiAffinityRule(term(
                                        app("batch"),
                                        ZONE,
                                        namespaces("shop"),
                                        namespaceSelector(selector(expression("team", "Exists", "x"))))),
                                undetermined(
                                        Reason.UNPARSABLE_RULE,
                                        "`namespaceSelector` 'team Exists [x]': `values` must be empty")))
                .map(VerdictRow::arguments);
    }

    @ParameterizedTest
    @MethodSource("rows")
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

    /** {@return a cluster with web-1 and web-2 of one version and web-3 of another, all in zone a} */
    private static ClusterBuilder versioned() {
        return zones().pod("web-1", on("n1"), labels("app", "web", "version", "7f"))
                .pod("web-2", on("n3"), labels("app", "web", "version", "7f"))
                .pod("web-3", on("n3"), labels("app", "web", "version", "80"));
    }
}
