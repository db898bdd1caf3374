package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.PodTraits.bound;
import static dev.holdfast.policies.testing.PodTraits.created;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.on;

import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.testing.PodTrait;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The history of a {@link SmallCluster} under the engine, until no pod violates a rule or no pod has moved for a long
 * time. The replacement of an evicted pod is bound to the node that the plan named. If the rules exclude this node
 * meanwhile, it is bound to the first node by name that they allow.
 */
final class SmallClusterHistory {
    /** Holds that only pace moves. Without them, more moves are in flight at once, and a history is shorter. */
    private static final Set<Reason> PACE =
            Set.of(Reason.SLOW_START, Reason.HOURLY_LIMIT, Reason.RESTLESS, Reason.NODE_LIMIT, Reason.POLICY_LIMIT);

    private static final int STEP_SECONDS = 20;
    private static final int QUIET_STEPS = 60;
    private static final int MOST_MOVES = 12;

    private final EngineScenario scenario;
    private final int delay;
    private final List<Waiting> waiting = new ArrayList<>();
    private final List<String> moves = new ArrayList<>();
    private final Map<String, String> targets = new HashMap<>();
    private int told;
    private int step;

    /** A pod that was evicted, and the step in which its replacement is bound. */
    private record Waiting(Pod victim, int boundIn) {}

    private SmallClusterHistory(SmallCluster cluster, int delay) {
        this.delay = delay;
        this.scenario = EngineScenario.begin(EngineScenario.settingsWithout(PACE), cluster.facts(), enforcing())
                .replacing(this::evicted);
    }

    /**
     * Begins the history of a cluster.
     *
     * @param delay the number of steps of 20 s after which replacements are bound
     */
    static SmallClusterHistory begin(SmallCluster cluster, int delay) {
        return new SmallClusterHistory(cluster, delay);
    }

    /** Plays the history to its end. */
    void play() {
        int quiet = 0;
        while (quiet < QUIET_STEPS && moves.size() < MOST_MOVES && !isHealed()) {
            int before = moves.size();
            next();
            quiet = moves.size() > before || !waiting.isEmpty() ? 0 : quiet + 1;
        }
    }

    private void next() {
        step++;
        scenario.afterSeconds(STEP_SECONDS);
        for (Waiting one : List.copyOf(waiting)) {
            if (one.boundIn() <= step && bind(one.victim())) {
                waiting.remove(one);
            }
        }
    }

    private void evicted(Pod victim) {
        for (; told < scenario.told.size(); told++) {
            if (scenario.told.get(told) instanceof Notification.Evicting(var violation, var _, Optional<String> to)) {
                to.ifPresent(node -> targets.put(violation.victim().uid(), node));
            }
        }
        moves.add(victim.name().name() + " " + victim.nodeName().orElseThrow() + "->"
                + targets.getOrDefault(victim.uid(), "?"));
        waiting.add(new Waiting(victim, step + delay));
    }

    private boolean bind(Pod victim) {
        PodTrait[] traits = {like(victim), created(scenario.now), bound(scenario.now)};
        List<String> fitting = Placement.fits(victim, List.of(), scenario.truth).stream()
                .map(Node::name)
                .toList();
        Optional<String> node = Optional.ofNullable(targets.get(victim.uid()))
                .filter(fitting::contains)
                .or(() -> fitting.stream().findFirst());
        node.ifPresent(to -> {
            List<PodTrait> all = new ArrayList<>(List.of(traits));
            all.add(on(to));
            String name = victim.name().name() + "'";
            scenario.happens(podChanged(name, all.toArray(PodTrait[]::new)));
        });
        return node.isPresent();
    }

    /** {@return whether each pod is bound and violates no rule} */
    boolean isHealed() {
        return waiting.isEmpty() && violations() == 0;
    }

    /** {@return the number of pairs of a pod and a rule that it violates, by the reference evaluators} */
    int violations() {
        int violations = 0;
        for (Pod pod : scenario.truth.pods()) {
            violations += (int) PodRules.of(pod.scheduling()).stream()
                    .filter(rule -> Evaluator.judge(rule, pod, scenario.truth) instanceof Verdict.Violated)
                    .count();
        }
        return violations;
    }

    /** {@return the moves, each as pod, present node and target: {@code p1 n0->n2}} */
    List<String> moves() {
        return moves;
    }

    /** {@return what the engine reported, for messages} */
    List<String> events() {
        return scenario.events();
    }
}
