package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import java.util.Optional;

/**
 * Holds what is counted to what is meant: pods, one after the other, are judged by {@code evaluate} too. Where the two
 * differ there is a bug, nobody knows which other verdicts are wrong, and nothing is evicted any more.
 */
final class Shadow {
    private final State state;
    private final Index index;
    private int place;

    Shadow(State state) {
        this.state = state;
        this.index = state.cluster.index();
    }

    /** {@return what came of comparing so many verdicts, on at most so many of the next pods in turn} */
    Effect.Compared compare(int most) {
        int verdicts = 0;
        for (int i = 0; i < most && verdicts < most; i++) {
            Optional<Pod> pod = index.podAt(place++);
            if (pod.isPresent()) {
                difference(pod.get()).ifPresent(state::distrust);
                verdicts += index.rulesOf(pod.get().uid()).size();
            }
        }
        return new Effect.Compared(verdicts, state.distrust());
    }

    private Optional<String> difference(Pod pod) {
        for (Policy policy : index.policies()) {
            boolean selects = policy.selects(pod, state.cluster);
            if (selects != index.isSelected(pod.uid(), policy.id())) {
                return Optional.of("policy " + policy.id() + (selects ? " selects" : " does not select") + " pod "
                        + pod.name() + ", and the index has it otherwise");
            }
        }
        for (HeldRule rule : index.rulesOf(pod.uid())) {
            Optional<String> difference = difference(pod, rule);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    /** {@return in words how verdicts on a rule differ; empty while they agree, and its clock with them} */
    Optional<String> difference(Pod pod, HeldRule rule) {
        boolean broken = state.verdict(rule.rule(), pod) instanceof Verdict.Violated;
        boolean counted = index.isBroken(pod.uid(), rule.identity());
        boolean running = state.clocks.find(pod.uid(), rule.identity()).isPresent();
        if (broken == counted && broken == running) {
            return Optional.empty();
        }
        return Optional.of("pod " + pod.name() + ", rule " + rule.rule().describe() + ": evaluate says "
                + word(broken) + ", the index " + word(counted) + ", and its clock "
                + (running ? "runs" : "does not run"));
    }

    private static String word(boolean broken) {
        return broken ? "Violated" : "not Violated";
    }
}
