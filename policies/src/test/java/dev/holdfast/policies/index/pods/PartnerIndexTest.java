package dev.holdfast.policies.index.pods;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matchLabels;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.namespaces;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.RACK;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.namespace;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.Rules.affinityRule;
import static dev.holdfast.policies.testing.Rules.antiAffinityRule;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static dev.holdfast.policies.testing.Rules.spreadRule;
import static dev.holdfast.policies.testing.Spreads.maxSkew;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.index.count.DirtyGroups;
import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.Facts;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which pods a rule matches, which rules share one live rule, and that unused live rules are dropped. */
class PartnerIndexTest {
    private static final Labels WEB = Labels.of("app", "web", ZONE, "a");

    private final ClusterCache clusterCache = new ClusterCache();
    private final PartnerIndex partnerIndex = new PartnerIndex(clusterCache, Set.of(), new DirtyGroups());
    private final NamespaceEntry shop = clusterCache.namespaceEntry("shop");

    PartnerIndexTest() {
        shop.is(Optional.of(namespace("shop", labels("team", "blue"))));
    }

    private LiveRule acquired(Rule rule, Scheduling owner, String namespace) {
        return Objects.requireNonNull(partnerIndex.acquire(rule, owner, namespace, WEB));
    }

    private LiveRule acquired(Rule rule) {
        return acquired(rule, Scheduling.anywhere(), "shop");
    }

    private static Scheduling onSsd() {
        return Facts.pod("web", nodeSelector("disk", "ssd")).scheduling();
    }

    static Stream<Arguments> rules() {
        return Stream.of(
                argumentSet("anti-affinity by a label", antiAffinityRule(term(app("web"), RACK))),
                argumentSet(
                        "anti-affinity by a label copied from nodes",
                        antiAffinityRule(term(matchLabels(ZONE, "a"), RACK))),
                argumentSet(
                        "anti-affinity with a namespaceSelector",
                        antiAffinityRule(term(app("web"), RACK, namespaceSelector(matchLabels("team", "blue"))))),
                argumentSet(
                        "affinity with two topology keys",
                        affinityRule(term(app("web"), RACK), term(app("web"), HOSTNAME))),
                argumentSet("spread", spreadRule(maxSkew(1, RACK, app("web")))));
    }

    /** {@code "an"} and {@code "c0"} have the same hash code, and so have the rules made from them. */
    @Test
    void twoRulesWithOneHashAreTwo() {
        LiveRule an = acquired(antiAffinityRule(term(app("an"), RACK)));
        LiveRule c0 = acquired(antiAffinityRule(term(app("c0"), RACK)));

        assertThat("an".hashCode()).isEqualTo("c0".hashCode());
        assertThat(an).isNotSameAs(c0);
        assertThat(an.matches(Labels.of("app", "c0"))).isFalse();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void aRuleMatchesUntilItsLastUserGoesAndLeavesNothingBehind(Rule rule) {
        LabelVariant web = partnerIndex.variant(shop, WEB);
        LiveRule live = acquired(rule);
        assertThat(acquired(rule)).isSameAs(live);
        assertThat(web.isMatchedBy(live)).isTrue();
        partnerIndex.release(live, "shop");
        assertThat(web.isMatchedBy(live)).isTrue();
        assertThat(partnerIndex.isEmpty()).isFalse();
        partnerIndex.release(live, "shop");
        assertThat(web.isMatchedBy(live)).isFalse();
        assertThat(partnerIndex.isEmpty()).isTrue();
    }

    @ParameterizedTest
    @MethodSource("rules")
    void podsThatComeAfterARuleAreMatchedByItToo(Rule rule) {
        LiveRule live = acquired(rule);
        assertThat(partnerIndex.variant(shop, WEB).isMatchedBy(live)).isTrue();
        assertThat(partnerIndex.variant(shop, Labels.of("app", "db", ZONE, "b")).isMatchedBy(live))
                .isFalse();
    }

    @Test
    void aRuleIsOneForAllNamespacesWhereItDoesNotReadItsOwn() {
        Rule elsewhere = antiAffinityRule(term(app("web"), RACK, namespaces("bank")));
        Rule nearElsewhere = affinityRule(term(app("web"), RACK, namespaces("bank")));
        assertThat(acquired(elsewhere, Scheduling.anywhere(), "lab")).isSameAs(acquired(elsewhere));
        assertThat(acquired(nearElsewhere, Scheduling.anywhere(), "lab")).isSameAs(acquired(nearElsewhere));
    }

    @Test
    void aRuleIsAnotherInAnotherNamespaceWhereItReadsItsOwn() {
        Rule here = antiAffinityRule(term(app("web"), RACK));
        Rule nearHere = affinityRule(term(app("web"), RACK));
        assertThat(acquired(here, Scheduling.anywhere(), "lab")).isNotSameAs(acquired(here));
        assertThat(acquired(nearHere, Scheduling.anywhere(), "lab")).isNotSameAs(acquired(nearHere));
    }

    @Test
    void spreadsThatCountOnTheSameNodesShareTheirDomainsUntilTheLastGoes() {
        LiveRule web = acquired(spreadRule(maxSkew(1, RACK, app("web"))));
        LiveRule cache = acquired(spreadRule(maxSkew(2, RACK, app("cache"))));
        assertThat(partnerIndex.domainSets()).hasSize(1);
        LiveRule onSsd = acquired(spreadRule(maxSkew(1, RACK, app("web"))), onSsd(), "shop");
        assertThat(onSsd).isNotSameAs(web);
        assertThat(partnerIndex.domainSets()).hasSize(2);
        partnerIndex.release(web, "shop");
        partnerIndex.release(onSsd, "shop");
        assertThat(partnerIndex.domainSets()).hasSize(1);
        partnerIndex.release(cache, "shop");
        assertThat(partnerIndex.domainSets()).isEmpty();
    }

    @Test
    void aRuleWithoutPartnersIsKeptAsLongAsAPodHoldsIt() {
        LiveRule onSsd = acquired(nodeSelectorRule("disk", "ssd"));
        assertThat(partnerIndex.isEmpty()).isFalse();
        partnerIndex.release(onSsd, "shop");
        assertThat(partnerIndex.isEmpty()).isTrue();
    }

    @Test
    void aClassGoesWithTheLastOfItsVariants() {
        LabelVariant inA = partnerIndex.variant(shop, WEB);
        LabelVariant inB = partnerIndex.variant(shop, Labels.of("app", "web", ZONE, "b"));
        assertThat(partnerIndex.variant(shop, WEB)).isSameAs(inA);
        assertThat(shop.classes()).containsExactly(inA.labelClass).containsExactly(inB.labelClass);
        partnerIndex.dropIfUnused(inA);
        assertThat(inB.labelClass.labelVariants()).containsExactly(inB);
        assertThat(shop.classes()).containsExactly(inB.labelClass);
        partnerIndex.dropIfUnused(inB);
        assertThat(shop.classes()).isEmpty();
        assertThat(shop.labelVariants()).isEmpty();
    }

    @Test
    void classesStayListedByTheKeysLastLookedForAndByThoseLookedForNow() {
        partnerIndex.variant(shop, WEB);
        LiveRule lasting = acquired(antiAffinityRule(term(matchLabels("app", "web"), RACK)));
        List<String> last = IntStream.range(0, PartnerIndex.MOST_IDLE)
                .mapToObj(i -> "key-" + i)
                .toList();
        Stream.of(Stream.of("first"), last.stream(), Stream.of("app"))
                .flatMap(keys -> keys)
                .forEach(key ->
                        partnerIndex.release(acquired(antiAffinityRule(term(matchLabels(key, "x"), RACK))), "shop"));
        assertThat(shop.listedKeys()).contains("app").containsAll(last).doesNotContain("first");
        partnerIndex.release(lasting, "shop");
        assertThat(shop.listedKeys())
                .contains("app")
                .containsAll(last.subList(1, last.size()))
                .doesNotContain(last.getFirst());
    }
}
