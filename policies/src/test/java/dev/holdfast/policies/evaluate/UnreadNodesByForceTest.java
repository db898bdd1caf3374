package dev.holdfast.policies.evaluate;

import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.apartFrom;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.unreadLabels;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.testing.Facts;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.Rules;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Compares what is said of random clusters in which one or two nodes are not read with what is true if they are. The
 * scheduler reads them.
 */
class UnreadNodesByForceTest {
    private static final int CLUSTERS = 10_000;
    private static final String RACK = "rack";
    private static final List<String> APPS = List.of("web", "db");

    /** A pod with one rule, in the cluster as it is, and as it is read. */
    private record Case(Rule rule, Pod owner, ReferenceCluster all, ReferenceCluster read) {
        boolean accepts(ReferenceCluster cluster, Node node) {
            return Placement.ofPods(owner, List.of(rule), cluster, ExistingAntiAffinityView.of(cluster))
                    .to(node)
                    .isEmpty();
        }

        boolean isViolated(ReferenceCluster cluster) {
            return Evaluator.judge(rule, owner, cluster) instanceof Verdict.Violated;
        }

        boolean isKnown() {
            return switch (rule) {
                case Rule.PodAffinity affinity ->
                    affinity.terms().stream().allMatch(term -> Node.KEPT_KEYS.contains(term.topologyKey()));
                case Rule.PodAntiAffinity anti ->
                    Node.KEPT_KEYS.contains(anti.term().topologyKey());
                case Rule.TopologySpread spread -> Node.KEPT_KEYS.containsAll(spread.requiredKeys());
                case Rule.OfNode _ -> true;
            };
        }
    }

    /** @param unreadPods whether the labels of some pods on the unread node are too many as well */
    private static Case random(Random random, boolean unreadPods) {
        ReferenceCluster all = new ReferenceCluster();
        ReferenceCluster read = new ReferenceCluster();
        for (int i = 1; i <= 5; i++) {
            List<String> pairs = new ArrayList<>(List.of(HOSTNAME, "n" + i));
            if (random.nextInt(8) > 0) {
                pairs.addAll(List.of(ZONE, "z" + random.nextInt(3)));
            }
            pairs.addAll(List.of(RACK, "r" + random.nextInt(2)));
            Node node = Facts.node("n" + i, labels(pairs.toArray(String[]::new)));
            all.apply(new ClusterEvent.NodeChanged(node));
            read.apply(
                    i == 5 || (i == 4 && random.nextBoolean())
                            ? new ClusterEvent.NodeUnread(node.unread("it has too much"))
                            : new ClusterEvent.NodeChanged(node));
        }
        int pods = random.nextInt(9);
        for (int i = 0; i < pods; i++) {
            String name = one(APPS, random);
            String node = "n" + (1 + random.nextInt(5));
            List<PodTrait> traits = new ArrayList<>(List.of(on(node), labels("app", name)));
            if (random.nextInt(5) == 0) {
                traits.add(apartFrom(term(app(one(APPS, random)), key(random))));
            }
            Pod pod = Facts.pod(name + "-x" + i, traits.toArray(PodTrait[]::new));
            all.apply(new ClusterEvent.PodChanged(pod));
            if (unreadPods && node.equals("n5") && random.nextInt(3) == 0) {
                traits.add(unreadLabels());
            }
            read.apply(new ClusterEvent.PodChanged(Facts.pod(name + "-x" + i, traits.toArray(PodTrait[]::new))));
        }
        List<PodTrait> traits = new ArrayList<>(List.of(on("n" + (1 + random.nextInt(3))), labels("app", "web")));
        if (random.nextInt(6) == 0) {
            traits.add(nodeSelector(RACK, "r0"));
        }
        Pod owner = Facts.pod("web-1", traits.toArray(PodTrait[]::new));
        all.apply(new ClusterEvent.PodChanged(owner));
        read.apply(new ClusterEvent.PodChanged(owner));
        return new Case(rule(random), owner, all, read);
    }

    private static Rule rule(Random random) {
        PodAffinityTerm term = term(app(one(APPS, random)), key(random));
        return switch (random.nextInt(4)) {
            case 0 -> Rules.antiAffinityRule(term);
            case 1 -> Rules.affinityRule(term);
            case 2 -> Rules.affinityRule(term, term(app(one(APPS, random)), key(random)));
            default ->
                Rules.spreadRule(
                        new TopologySpreadConstraint(
                                1 + random.nextInt(2),
                                key(random),
                                Optional.of(app(one(APPS, random))),
                                1 + random.nextInt(3),
                                random.nextBoolean() ? NodeInclusionPolicy.HONOR : NodeInclusionPolicy.IGNORE,
                                NodeInclusionPolicy.IGNORE,
                                List.of()),
                        random.nextInt(3) == 0 ? new String[] {key(random)} : new String[0]);
        };
    }

    private static String key(Random random) {
        return one(List.of(ZONE, ZONE, ZONE, HOSTNAME, RACK), random);
    }

    private static String one(List<String> of, Random random) {
        return of.get(random.nextInt(of.size()));
    }

    @Test
    void aNodeThatIsAcceptedWithoutTheUnreadOnesIsAcceptedWithThem() {
        for (int seed = 0; seed < CLUSTERS; seed++) {
            Case one = random(new Random(seed), seed % 2 == 0);
            for (Node node : one.read().nodes()) {
                if (one.accepts(one.read(), node)) {
                    assertThat(one.accepts(one.all(), node))
                            .as("seed %d, %s, %s", seed, node.name(), one.rule())
                            .isTrue();
                }
            }
        }
    }

    @Test
    void aRuleThatAnUnreadNodeSatisfiesIsInDoubt() {
        for (int seed = 0; seed < CLUSTERS; seed++) {
            Case one = random(new Random(seed), false);
            if (one.isViolated(one.read()) && !one.isViolated(one.all())) {
                assertThat(UnreadNodes.satisfying(one.rule(), one.owner(), one.read()))
                        .as("seed %d, %s", seed, one.rule())
                        .isPresent();
            }
        }
    }

    /** With the well-known keys alone, no doubt is left of affinity, and every node for anti-affinity is known. */
    @Test
    void theWellKnownKeysLeaveNoDoubtOfAffinity() {
        int doubts = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            Case one = random(new Random(seed), false);
            boolean single = one.rule() instanceof Rule.PodAffinity affinity
                    && affinity.terms().size() == 1;
            if (one.isKnown() && single && one.isViolated(one.read())) {
                boolean doubt = UnreadNodes.satisfying(one.rule(), one.owner(), one.read())
                        .isPresent();
                assertThat(doubt).as("seed %d, %s", seed, one.rule()).isEqualTo(!one.isViolated(one.all()));
                doubts += doubt ? 1 : 0;
            }
        }
        assertThat(doubts).isPositive();
    }

    @Test
    void ofTheWellKnownKeysMostNodesThatTheSchedulerAcceptsAreKnown() {
        int known = 0;
        int accepted = 0;
        for (int seed = 0; seed < CLUSTERS; seed++) {
            Case one = random(new Random(seed), false);
            if (one.isKnown() && one.rule() instanceof Rule.TopologySpread) {
                for (Node node : one.read().nodes()) {
                    accepted += one.accepts(one.all(), node) ? 1 : 0;
                    known += one.accepts(one.read(), node) ? 1 : 0;
                }
            }
        }
        assertThat(known).isGreaterThan(accepted * 95 / 100);
    }
}
