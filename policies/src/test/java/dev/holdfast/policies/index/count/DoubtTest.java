package dev.holdfast.policies.index.count;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.node;
import static dev.holdfast.policies.testing.Facts.pod;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.SpreadDomains;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many verdict groups are dirty after a count changed: only those whose verdict the change can affect. */
class DoubtTest {
    private static final int HOSTS = 100;
    private static final FactChange CHANGE = new FactChange.OfNamespace("shop", Optional.empty(), Optional.empty());

    private final DirtyGroups dirtyGroups = new DirtyGroups();
    private final List<Node> nodes = IntStream.range(0, HOSTS)
            .mapToObj(i -> node("n" + i, labels(HOSTNAME, "n" + i, "room", "r1")))
            .toList();

    private static TermMatcher matcher(PodAffinityTerm term) {
        return switch (TermMatcher.of(term, "shop")) {
            case ParseResult.Usable<TermMatcher>(TermMatcher matcher) -> matcher;
            case ParseResult.Unusable<TermMatcher>(String why) -> throw new AssertionError(why);
        };
    }

    private static RuleOwner stranger() {
        return new SeatedPod("web", false);
    }

    private static RuleOwner partner() {
        return new SeatedPod("web", true);
    }

    private void seatOneOnEachNode(LiveRule rule) {
        for (Node node : nodes) {
            RuleOwner ruleOwner = stranger();
            ruleOwner.joinGroup(0, rule.join(ruleOwner, node));
        }
    }

    private void settle() {
        dirtyGroups.settle(VerdictListener.NONE, CHANGE);
    }

    @Test
    void onePartnerMoreInARoomOfManyDoubtsOnlyTheHoldersOnItsHost() {
        LiveAffinity rule = new LiveAffinity(
                List.of(matcher(term(app("web"), "room")), matcher(term(app("web"), HOSTNAME))), dirtyGroups);
        seatOneOnEachNode(rule);
        rule.came(pod("web"), nodes.get(0));
        assertThat(dirtyGroups.size()).as("the first partner in the room").isEqualTo(HOSTS);
        rule.came(pod("web"), nodes.get(1));
        assertThat(dirtyGroups.isEmpty()).isFalse();
        settle();
        assertThat(dirtyGroups.isEmpty()).isTrue();
        rule.came(pod("web"), nodes.get(2));
        assertThat(dirtyGroups.size()).isEqualTo(1);
    }

    @Test
    void anotherLeastDomainDoubtsOnlyGroupsWhoseCountItCanMakeTooMany() {
        TopologySpreadConstraint constraint = TopologySpreadConstraint.of(1, HOSTNAME, app("web"));
        DomainSet domains =
                new DomainSet(SpreadDomains.of(new Rule.TopologySpread(constraint, List.of()), Scheduling.anywhere()));
        nodes.forEach(domains::came);
        LiveSpread rule =
                new LiveSpread(constraint, Optional.of(matcher(term(app("web"), HOSTNAME))), domains, dirtyGroups);
        seatOneOnEachNode(rule);
        nodes.forEach(node -> rule.came(pod("web"), node));
        rule.came(pod("web"), nodes.get(7));
        settle();
        rule.left(pod("web"), nodes.get(0));
        rule.recount();
        assertThat(dirtyGroups.size())
                .as("the domain that lost its pod, and the only one with two pods: [0, 1, ..., 2, ...]")
                .isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1})
    void holdersWhoAddThemselvesAreDoubtedForAsLongAsTheyAreThere(int strangers) {
        TopologySpreadConstraint constraint = TopologySpreadConstraint.of(1, HOSTNAME, app("web"));
        DomainSet domains = new DomainSet(
                SpreadDomains.of(new Rule.TopologySpread(constraint, List.of("room")), Scheduling.anywhere()));
        LiveSpread rule =
                new LiveSpread(constraint, Optional.of(matcher(term(app("web"), HOSTNAME))), domains, dirtyGroups);
        domains.came(nodes.get(0));
        Node roomless = node("roomless", labels(HOSTNAME, "roomless"));
        for (int i = 0; i < strangers; i++) {
            RuleOwner stranger = stranger();
            stranger.joinGroup(0, rule.join(stranger, roomless));
        }
        RuleOwner ruleOwner = partner();
        ruleOwner.joinGroup(0, rule.join(ruleOwner, roomless));
        rule.came(pod("web"), nodes.get(0));
        settle();
        rule.left(pod("web"), nodes.get(0));
        rule.recount();
        assertThat(dirtyGroups.size())
                .as("the holder on a node that does not count")
                .isEqualTo(1);
        settle();
        ruleOwner.leave(0);
        rule.came(pod("web"), nodes.get(0));
        rule.recount();
        assertThat(dirtyGroups.size()).as("no group").isZero();
    }

    @Test
    void aDomainIsForgottenWithTheLastOfItsPartnersAndHolders() {
        TopologySpreadConstraint constraint = TopologySpreadConstraint.of(1, HOSTNAME, app("web"));
        DomainSet domains =
                new DomainSet(SpreadDomains.of(new Rule.TopologySpread(constraint, List.of()), Scheduling.anywhere()));
        TermMatcher web = matcher(term(app("web"), HOSTNAME));
        for (DomainCountRule rule : List.of(
                new LiveAntiAffinity(web, Set.of(), dirtyGroups),
                new LiveSpread(constraint, Optional.of(web), domains, dirtyGroups))) {
            RuleOwner ruleOwner = stranger();
            ruleOwner.joinGroup(0, rule.join(ruleOwner, nodes.get(0)));
            rule.came(pod("web"), nodes.get(0));
            ruleOwner.leave(0);
            assertThat(rule.domainCountIfUsed("n0")).as("one partner left").isNotNull();
            rule.left(pod("web"), nodes.get(0));
            assertThat(rule.domainCountIfUsed("n0"))
                    .as("no partner or holder left")
                    .isNull();

            rule.came(pod("web"), nodes.get(0));
            ruleOwner.joinGroup(0, rule.join(ruleOwner, nodes.get(0)));
            rule.left(pod("web"), nodes.get(0));
            assertThat(rule.domainCountIfUsed("n0")).as("one holder left").isNotNull();
            ruleOwner.leave(0);
            assertThat(rule.domainCountIfUsed("n0"))
                    .as("no partner or holder left")
                    .isNull();
        }
    }

    @Test
    void aDomainIsForgottenWithTheLastOfItsHoldersWhetherTheyArePartnersOrNot() {
        LiveAntiAffinity rule = new LiveAntiAffinity(matcher(term(app("web"), HOSTNAME)), Set.of(), dirtyGroups);
        RuleOwner stranger = stranger();
        RuleOwner partner = partner();
        stranger.joinGroup(0, rule.join(stranger, nodes.get(0)));
        partner.joinGroup(0, rule.join(partner, nodes.get(0)));
        stranger.leave(0);
        assertThat(rule.domainCountIfUsed("n0")).as("one holder left").isNotNull();
        partner.leave(0);
        assertThat(rule.domainCountIfUsed("n0")).as("no partner or holder left").isNull();
    }

    @Test
    void aDomainOfAffinityIsForgottenWithTheLastOfItsPartnersAndHolders() {
        LiveAffinity rule = new LiveAffinity(
                List.of(matcher(term(app("web"), "room")), matcher(term(app("web"), HOSTNAME))), dirtyGroups);
        RuleOwner ruleOwner = stranger();
        ruleOwner.joinGroup(0, rule.join(ruleOwner, nodes.get(0)));
        rule.came(pod("web"), nodes.get(1));
        assertThat(rule.domains()).as("the room and both hosts").isEqualTo(3);
        ruleOwner.leave(0);
        assertThat(rule.domains()).as("the room and the partner's host").isEqualTo(2);
        rule.left(pod("web"), nodes.get(1));
        assertThat(rule.domains()).as("no partner or holder left").isZero();

        ruleOwner.joinGroup(0, rule.join(ruleOwner, nodes.get(0)));
        ruleOwner.leave(0);
        assertThat(rule.domains()).as("no partner or holder left").isZero();
    }
}
