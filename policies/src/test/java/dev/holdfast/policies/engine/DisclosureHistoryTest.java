package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Demands.app;
import static dev.holdfast.policies.testing.Demands.matcher;
import static dev.holdfast.policies.testing.Demands.namespaceSelector;
import static dev.holdfast.policies.testing.Demands.term;
import static dev.holdfast.policies.testing.Facts.HOSTNAME;
import static dev.holdfast.policies.testing.Facts.ZONE;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.notReady;
import static dev.holdfast.policies.testing.Facts.resourceVersion;
import static dev.holdfast.policies.testing.NodeTraits.cordoned;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.priority;
import static dev.holdfast.policies.testing.PodTraits.replicaOf;
import static dev.holdfast.policies.testing.PodTraits.terminating;
import static dev.holdfast.policies.testing.Rules.nodeSelectorRule;
import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.VictimChoice;
import dev.holdfast.policies.rule.WhenDomainAdded;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.ObjectTrait.LabelsTrait;
import dev.holdfast.policies.testing.PodTrait;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Plays random histories in which pods, namespaces, labels, policies and messages of others contain {@code secret}.
 * After each step, neither the status of the tenant's policy nor what events in its namespace say contains that word.
 */
class DisclosureHistoryTest {
    private static final long SEED = Long.getLong("holdfast.history.seed", 1);
    private static final int HISTORIES = 60;
    private static final int STEPS = 60;
    private static final PolicyId OWN = PolicyId.namespaced("shop", "own");
    private static final PolicyId OF_CLUSTER = PolicyId.cluster("secret-platform");

    private static final List<Rule> RULES = List.of(
            nodeSelectorRule("disk", "ssd"),
            new Rule.PodAntiAffinity(term(app("batch"), HOSTNAME, namespaceSelector(LabelSelector.everything()))),
            new Rule.PodAffinity(List.of(term(app("cache"), ZONE, namespaceSelector(LabelSelector.everything())))));

    private static final DisruptionControls TRUSTING =
            ControlsDraft.plain().trusting(matcher(LabelSelector.everything())).controls();

    /** The reasons of the holds that any history has shown. */
    private final Set<Reason> seen = EnumSet.noneOf(Reason.class);

    @Test
    void noHistoryShowsATenantANameOfOthers() {
        for (long seed = SEED; seed < SEED + HISTORIES; seed++) {
            play(seed, new Random(seed));
        }
        System.out.printf("%d histories from seed %d: holds %s%n", HISTORIES, SEED, seen);
        assertThat(seen)
                .contains(Reason.VIEW_BEHIND, Reason.MOVE_IN_SCOPE, Reason.INFEASIBLE, Reason.DISRUPTION_BUDGET);
    }

    private void play(long seed, Random random) {
        EngineScenario engineScenario = EngineScenario.begin(facts());
        engineScenario.answeringDryRuns(_ -> answer(random)).answering(_ -> answer(random));
        engineScenario.event(new Event.PolicyChanged(
                policy(OF_CLUSTER, random.nextInt(4) > 0 ? Mode.ENFORCE : Mode.AUDIT, random), TRUSTING));
        engineScenario.event(new Event.PolicyChanged(
                policy(OWN, random.nextBoolean() ? Mode.ENFORCE : Mode.AUDIT, random),
                random.nextInt(4) > 0 ? TRUSTING : DisruptionControls.plain()));
        for (int step = 0; step < STEPS; step++) {
            next(engineScenario, random);
            assertThat(words(engineScenario))
                    .as("seed %d, step %d", seed, step)
                    .noneMatch(text -> text.contains("secret"));
            engineScenario.told.clear();
        }
    }

    private static ClusterBuilder facts() {
        ClusterBuilder facts = cluster()
                .namespace("shop", labels("team", "shop"))
                .namespace("secret", labels("team", "secret"))
                .replicaSet("web", 3)
                .replicaSetIn("secret", "secret-batch");
        for (int i = 0; i < 5; i++) {
            facts.node("n" + i, nodeLabels(i, "ssd"));
        }
        return facts;
    }

    private static LabelsTrait nodeLabels(int node, String disk) {
        return labels(HOSTNAME, "n" + node, ZONE, "z" + node % 2, "disk", disk);
    }

    private static Policy policy(PolicyId id, Mode mode, Random random) {
        boolean lowest = id.isOfCluster() && random.nextBoolean();
        List<Policy.NamedRule> rules = new ArrayList<>();
        for (Rule rule : RULES) {
            VictimChoice victim = lowest && rule instanceof Rule.PodAntiAffinity
                    ? VictimChoice.LOWEST_PRIORITY
                    : VictimChoice.RULE_OWNER;
            if (random.nextInt(4) > 0) {
                rules.add(new Policy.NamedRule(
                        "rule-" + rules.size(),
                        rule,
                        new Enforcement(
                                mode,
                                Duration.ofSeconds(30 + random.nextInt(60)),
                                random.nextBoolean()
                                        ? WhenInfeasible.WAIT
                                        : WhenInfeasible.evictAfter(Duration.ofSeconds(random.nextInt(600))),
                                WhenDomainAdded.HOLD,
                                victim)));
            }
        }
        return PolicyDraft.of(id, mode).rules(rules).policy();
    }

    private static EvictionAnswer answer(Random random) {
        return switch (random.nextInt(10)) {
            case 0 -> new EvictionAnswer.OutOfBudget("budget of the pod allows none", Optional.empty());
            case 1 -> new EvictionAnswer.Failed("error 500");
            case 2 -> new EvictionAnswer.Unknown("no answer");
            default -> new EvictionAnswer.Evicted();
        };
    }

    private static void next(EngineScenario engineScenario, Random random) {
        int pod = random.nextInt(4);
        int node = random.nextInt(5);
        switch (random.nextInt(12)) {
            case 0, 1 -> engineScenario.happens(own("web-" + pod, node, random));
            case 2, 3, 4 -> engineScenario.happens(foreign("secret-" + pod, node, random));
            case 5 -> engineScenario.happens(podGone("secret-" + pod));
            case 6 ->
                engineScenario.happens(nodeChanged("n" + node, nodeLabels(node, random.nextBoolean() ? "ssd" : "hdd")));
            case 7 ->
                engineScenario.happens(
                        random.nextBoolean()
                                ? nodeChanged("n" + node, nodeLabels(node, "ssd"), cordoned())
                                : nodeChanged("n" + node, nodeLabels(node, "ssd"), notReady()));
            case 8 -> unseen(engineScenario, "secret-" + pod);
            case 9 ->
                engineScenario.reading(
                        random.nextInt(3) > 0
                                ? engineScenario::readTruth
                                : confirm -> new Event.ConfirmFailed(
                                        confirm.planId(), Reason.API_ERROR, "reading secret/secret-1 failed"));
            default -> engineScenario.afterSeconds(random.nextInt(120));
        }
    }

    /** Changes a pod without an event, if it exists. */
    private static void unseen(EngineScenario engineScenario, String name) {
        engineScenario
                .truth
                .pod(name)
                .ifPresent(pod -> engineScenario.happensUnseen(podChanged(
                        name,
                        like(pod),
                        on(pod.nodeName().orElseThrow()),
                        resourceVersion(pod.resourceVersion() + 1))));
    }

    private static ClusterEvent own(String name, int node, Random random) {
        return podChanged(
                name,
                on("n" + node),
                replicaOf("web"),
                priority(random.nextInt(3)),
                labels("app", "web", "tier", "t" + random.nextInt(3)));
    }

    private static ClusterEvent foreign(String name, int node, Random random) {
        List<PodTrait> traits = new ArrayList<>(List.of(
                in("secret"),
                on("n" + node),
                ownedBy("ReplicaSet", "secret-batch", "secret-batch"),
                priority(random.nextInt(3)),
                labels("app", random.nextInt(3) > 0 ? "batch" : "cache", "secret-key", "secret-" + random.nextInt(3))));
        if (random.nextInt(6) == 0) {
            traits.add(annotated("holdfast.dev/keep", "true"));
        }
        if (random.nextInt(6) == 0) {
            traits.add(terminating(EngineScenario.START.plusSeconds(random.nextInt(3_000))));
        }
        return podChanged(name, traits.toArray(PodTrait[]::new));
    }

    /** {@return what the status of the tenant's policy says, and what the new events in its namespace may say} */
    private List<String> words(EngineScenario engineScenario) {
        Stream<String> status = Optional.ofNullable(engineScenario.reports.get(OWN)).stream()
                .flatMap(report -> Stream.concat(
                        report.oldest().stream().flatMap(this::words),
                        report.recent().stream().map(PolicyReport.EvictionRecord::toString)));
        Stream<String> events = engineScenario.told.stream()
                .filter(it -> it.subject().name().namespace().equals("shop"))
                .flatMap(it -> Stream.concat(words(it.violation().disclosedTo("shop")), heldOf(it)));
        return Stream.concat(status, events).toList();
    }

    private Stream<String> heldOf(Notification notification) {
        return notification instanceof Notification.Held(var violation, var hold)
                ? Stream.of(hold.toTenants(violation.policy()).message())
                : Stream.of();
    }

    private Stream<String> words(ViolationReport violation) {
        violation.hold().map(Hold::reason).ifPresent(seen::add);
        return Stream.of(
                violation.pod().toString(),
                violation.victim().toString(),
                violation.demand(),
                violation.cause().describe(),
                violation.violationDetail().describe(),
                violation.hold().map(Hold::message).orElse(""));
    }
}
