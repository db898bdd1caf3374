package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.pod;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.PolicyId;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The messages for users: details and causes of violations, and reasons of holds. */
class MessagesTest {
    private static final NamespacedName CACHE = new NamespacedName("shop", "cache");

    static Stream<Arguments> breaches() {
        return Stream.of(
                argumentSet(
                        "a node rule says what the node has",
                        new ViolationDetail.NodeMismatch("n1", "disk In [ssd]", "it has disk=hdd"),
                        "n1 does not match disk In [ssd]: it has disk=hdd"),
                argumentSet(
                        "a node rule of a move that an earlier process started",
                        new ViolationDetail.NodeMismatch("n1", "disk In [ssd]", ""),
                        "n1 does not match disk In [ssd]"),
                argumentSet(
                        "a node rule that no node can match",
                        new ViolationDetail.UnmatchableRule("n1", "driver Gt [535.5]", "535.5 is no integer"),
                        "n1 does not match driver Gt [535.5], and no node can: 535.5 is no integer"),
                argumentSet(
                        "a missing topologyKey",
                        new ViolationDetail.NoTopologyKey("n1", ZONE),
                        "n1 has no label topology.kubernetes.io/zone"),
                argumentSet(
                        "affinity",
                        new ViolationDetail.NoPartner(RACK, "r1", 1, "near (app=cache) by rack"),
                        "no pod in rack=r1 matches: near (app=cache) by rack"),
                argumentSet(
                        "affinity of two terms, both of which one pod must match",
                        new ViolationDetail.NoPartner(ZONE, "", 2, "near (app=a) by zone and (app=b) by zone"),
                        "no pod in topology.kubernetes.io/zone=\"\" matches both terms, as one pod must: near (app=a)"
                                + " by zone and (app=b) by zone"),
                argumentSet(
                        "affinity of a pod that matches its own term, which is in the domain itself",
                        new ViolationDetail.NoPartner(RACK, "r1", 1, 1, "near (app=web) by rack"),
                        "no other pod in rack=r1 matches: near (app=web) by rack"),
                argumentSet(
                        "affinity of a pod that matches both of its terms",
                        new ViolationDetail.NoPartner(RACK, "r1", 2, 1, "near (a) by rack and (b) by rack"),
                        "no other pod in rack=r1 matches both terms, as one pod must: near (a) by rack and (b) by"
                                + " rack"),
                argumentSet(
                        "affinity of three terms",
                        new ViolationDetail.NoPartner(
                                RACK, "r1", 3, "near (a) by rack and (b) by rack and (c) by rack"),
                        "no pod in rack=r1 matches all 3 terms, as one pod must: near (a) by rack and (b) by rack and"
                                + " (c) by rack"),
                argumentSet("anti-affinity with one pod", conflict(1), "it shares rack=r1 with shop/p1"),
                argumentSet(
                        "anti-affinity with five pods names all",
                        conflict(5),
                        "it shares rack=r1 with shop/p1, shop/p2, shop/p3, shop/p4, shop/p5"),
                argumentSet(
                        "anti-affinity with six pods names five",
                        conflict(6),
                        "it shares rack=r1 with shop/p1, shop/p2, shop/p3, shop/p4, shop/p5 and 1 more"),
                argumentSet(
                        "anti-affinity with twelve pods names five",
                        conflict(12),
                        "it shares rack=r1 with shop/p1, shop/p2, shop/p3, shop/p4, shop/p5 and 7 more"),
                argumentSet(
                        "spread: 2 others + itself are 3, and 3 - 1 = 2",
                        new ViolationDetail.Skew(RACK, "r1", 2, 1, new LeastCount.OfDomain("r2", 1), 1),
                        "rack=r1 has 3 matching pods, the smallest domain r2 has 1: skew 2, allowed 1"),
                argumentSet(
                        "spread whose smallest domain has only tainted nodes",
                        new ViolationDetail.Skew(
                                RACK,
                                "r1",
                                2,
                                1,
                                new LeastCount.OfDomain("r2", 0, "taint gpu:NoSchedule (nodeTaintsPolicy is Ignore)"),
                                1),
                        "rack=r1 has 3 matching pods, the smallest domain r2 has 0: skew 3, allowed 1; r2 counts,"
                                + " although the pod is kept off it by taint gpu:NoSchedule (nodeTaintsPolicy is"
                                + " Ignore)"),
                argumentSet(
                        "spread with an empty value as the smallest domain",
                        new ViolationDetail.Skew(RACK, "r1", 2, 1, new LeastCount.OfDomain("", 1), 1),
                        "rack=r1 has 3 matching pods, the smallest domain \"\" has 1: skew 2, allowed 1"),
                argumentSet(
                        "spread with too few domains, and room in one of them",
                        new ViolationDetail.Skew(RACK, "r1", 1, 1, new LeastCount.OfTooFewDomains(2, 3, "", false), 1),
                        "rack=r1 has 2 matching pods, the least counts as 0, because minDomains is 3 and there are 2"
                                + " domains: skew 2, allowed 1"),
                argumentSet(
                        "spread with one domain of three, and no room in it",
                        new ViolationDetail.Skew(
                                RACK, "r1", 1, 1, new LeastCount.OfTooFewDomains(1, 3, "r2 (node affinity)", true), 1),
                        "rack=r1 has 2 matching pods, the least counts as 0, because minDomains is 3 and there is 1"
                                + " domain, without r2 (node affinity): skew 2, allowed 1; no move of the pod heals"
                                + " that with fewer than 3 domains"),
                argumentSet(
                        "spread of a pod that does not match itself: 2 others are 2, and 2 - 0 = 2",
                        new ViolationDetail.Skew(RACK, "r1", 2, 0, new LeastCount.OfDomain("r2", 0), 1),
                        "rack=r1 has 2 matching pods, the smallest domain r2 has 0: skew 2, allowed 1"));
    }

    @ParameterizedTest
    @MethodSource("breaches")
    void breachText(ViolationDetail violationDetail, String expected) {
        assertThat(violationDetail.describe()).isEqualTo(expected);
    }

    @Test
    void tenantsReadNoTaintsAndLabelsOfNodesThatThePodIsNotOn() {
        assertThat(new ViolationDetail.Skew(
                                RACK, "r1", 2, 1, new LeastCount.OfDomain("r2", 0, "taint secret:NoSchedule"), 1)
                        .disclosedTo("shop"))
                .isEqualTo(new ViolationDetail.Skew(RACK, "r1", 2, 1, new LeastCount.OfDomain("r2", 0), 1));
        assertThat(new ViolationDetail.Skew(
                                RACK, "r1", 1, 1, new LeastCount.OfTooFewDomains(2, 3, "r2 (taint secret)", true), 1)
                        .disclosedTo("shop"))
                .isEqualTo(
                        new ViolationDetail.Skew(RACK, "r1", 1, 1, new LeastCount.OfTooFewDomains(2, 3, "", true), 1));
    }

    @Test
    void onlyAntiAffinityIsBrokenByPodsThatAreThere() {
        assertThat(conflict(2).partners()).containsExactly(pod("p1"), pod("p2"));
        assertThat(Stream.of(
                        new ViolationDetail.NodeMismatch("n1", "disk In [ssd]", "it has disk=hdd"),
                        new ViolationDetail.UnmatchableRule("n1", "no term", "it has no term"),
                        new ViolationDetail.NoTopologyKey("n1", ZONE),
                        new ViolationDetail.NoPartner(RACK, "r1", 1, "near (app=cache) by rack"),
                        new ViolationDetail.Skew(RACK, "r1", 2, 1, new LeastCount.OfDomain("r2", 1), 1)))
                .allMatch(breach -> breach.partners().isEmpty());
    }

    private static ViolationDetail.Conflict conflict(int partners) {
        return new ViolationDetail.Conflict(
                RACK,
                "r1",
                IntStream.rangeClosed(1, partners).mapToObj(i -> pod("p" + i)).toList());
    }

    record CauseRow(Cause cause, String label, String expected) {}

    static Stream<Arguments> causeTexts() {
        return causes().map(row -> argumentSet(row.label() + ": " + row.expected(), row));
    }

    private static Stream<CauseRow> causes() {
        Taint taint = new Taint("gpu", "a100", "NoSchedule");
        Taint bare = new Taint("gpu", "", "NoExecute");
        return Stream.of(
                new CauseRow(new Cause.FoundAtStart(), "FoundAtStart", "it was first seen"),
                new CauseRow(
                        new Cause.PolicyChanged(PolicyId.namespaced("shop", "web")),
                        "PolicyChanged",
                        "policy shop/web requested the rule"),
                new CauseRow(
                        new Cause.AnnotationRulesChanged(),
                        "AnnotationRulesChanged",
                        "the pod's annotation holdfast.dev/required-during-execution changed"),
                new CauseRow(new Cause.TolerationsChanged(), "TolerationsChanged", "the pod's tolerations changed"),
                new CauseRow(new Cause.PodPlaced("n1"), "PodPlaced", "the pod was bound to n1"),
                new CauseRow(
                        new Cause.NodeLabelChanged("n1", change("ssd", "hdd")),
                        "NodeLabelChanged",
                        "label disk of node n1 changed ssd -> hdd"),
                new CauseRow(
                        new Cause.NodeLabelChanged("n1", removed("ssd")),
                        "NodeLabelChanged",
                        "label disk of node n1 was removed"),
                new CauseRow(
                        new Cause.NodeLabelChanged("n1", added("hdd")),
                        "NodeLabelChanged",
                        "label disk of node n1 was added as 'hdd'"),
                new CauseRow(
                        new Cause.PodLabelChanged(CACHE, change("a", "b")),
                        "PodLabelChanged",
                        "label disk of the pod changed a -> b"),
                new CauseRow(
                        new Cause.PartnerLabelChanged(CACHE, added("")),
                        "PartnerLabelChanged",
                        "label disk of pod shop/cache was added as ''"),
                new CauseRow(
                        new Cause.NamespaceLabelChanged("bank", removed("a")),
                        "NamespaceLabelChanged",
                        "label disk of namespace bank was removed"),
                new CauseRow(new Cause.PartnerCame(CACHE, "n1"), "PartnerCame", "pod shop/cache was bound to n1"),
                new CauseRow(
                        new Cause.PartnerCame(CACHE, "n1").disclosedTo("data"),
                        "PartnerCame",
                        "a pod of another namespace was bound to n1"),
                new CauseRow(new Cause.PartnerLeft(CACHE), "PartnerLeft", "pod shop/cache left"),
                new CauseRow(new Cause.NodeCame("n1"), "NodeCame", "node n1 was added"),
                new CauseRow(new Cause.NodeLeft("n1"), "NodeLeft", "node n1 was removed"),
                new CauseRow(
                        new Cause.TaintCame("n1", taint),
                        "TaintCame",
                        "taint gpu=a100:NoSchedule was added to node n1"),
                new CauseRow(
                        new Cause.TaintLeft("n1", bare), "TaintLeft", "taint gpu:NoExecute was removed from node n1"),
                new CauseRow(
                        new Cause.DomainChanged("n2", change("a", "b")),
                        "DomainChanged",
                        "label disk of node n2 changed a -> b"),
                new CauseRow(
                        new Cause.NamespaceChanged("bank"),
                        "NamespaceChanged",
                        "namespace bank was created or deleted"));
    }

    @ParameterizedTest
    @MethodSource("causeTexts")
    void causeText(CauseRow row) {
        assertThat(row.cause().label()).isEqualTo(row.label());
        assertThat(row.cause().describe()).isEqualTo(row.expected());
    }

    @Test
    void everyCauseStandsInTheTable() {
        List<String> inTable = causes().map(row -> row.cause().getClass().getSimpleName())
                .distinct()
                .toList();
        assertThat(inTable)
                .containsExactlyInAnyOrderElementsOf(Stream.of(Cause.class.getPermittedSubclasses())
                        .map(Class::getSimpleName)
                        .toList());
    }

    private static Cause.LabelChange change(String from, String to) {
        return new Cause.LabelChange("disk", Optional.of(from), Optional.of(to));
    }

    private static Cause.LabelChange removed(String from) {
        return new Cause.LabelChange("disk", Optional.of(from), Optional.empty());
    }

    private static Cause.LabelChange added(String to) {
        return new Cause.LabelChange("disk", Optional.empty(), Optional.of(to));
    }

    @ParameterizedTest
    @EnumSource
    void theLabelOfAReasonIsItsNameInCapitalsAndSmallLetters(Reason reason) {
        String spelled = Stream.of(reason.name().split("_"))
                .map(word -> word.charAt(0) + word.substring(1).toLowerCase(Locale.ROOT))
                .collect(Collectors.joining());
        assertThat(reason.label()).isEqualTo(spelled);
    }
}
