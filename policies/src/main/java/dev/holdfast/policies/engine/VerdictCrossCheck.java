package dev.holdfast.policies.engine;

import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.memory.Readiness;
import dev.holdfast.policies.engine.memory.RequestedRules;
import dev.holdfast.policies.engine.memory.ViolationBook;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Policy;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Compares the verdicts of the incremental index with those of the reference evaluators (package {@code evaluate}), pod
 * by pod. The index updates its verdicts with each event; the evaluators compute theirs from all objects. A difference
 * is a bug, and other verdicts may be wrong too. Therefore this process evicts no pod after a difference.
 */
final class VerdictCrossCheck {
    private final LiveCluster cluster;
    private final Index index;
    private final DirectEvaluation evaluation;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final Readiness readiness;
    private int nextPod;

    VerdictCrossCheck(
            LiveCluster cluster,
            DirectEvaluation evaluation,
            RequestedRules requested,
            ViolationBook book,
            Readiness readiness) {
        this.cluster = cluster;
        this.index = cluster.index();
        this.evaluation = evaluation;
        this.requested = requested;
        this.book = book;
        this.readiness = readiness;
    }

    /**
     * Compares the verdicts of the index and the reference evaluators for the next pods, round robin. A difference
     * stops all evictions of this process.
     *
     * @param most the limit: stops after this many pods, or after the pod with which this many verdicts are compared
     * @return the number of compared verdicts, and the first difference found since the process started
     */
    Effect.Compared compare(int most, Instant now) {
        int verdicts = 0;
        for (int i = 0; i < most && verdicts < most; i++) {
            Optional<Pod> pod = index.podAt(nextPod++);
            if (pod.isPresent()) {
                difference(pod.get()).ifPresent(difference -> readiness.distrust(difference, now));
                verdicts += index.rulesOf(pod.get().uid()).size();
            }
        }
        return new Effect.Compared(verdicts, readiness.distrust());
    }

    /**
     * Compares the index's verdict for one violation with that of the reference evaluator. A difference stops all
     * evictions.
     *
     * @return the violation; empty if its clock does not run, or if the verdicts differ
     */
    Optional<Violation> confirm(ViolationKey key, Instant now, List<Effect> effects) {
        Optional<Violation> known = book.find(key);
        if (known.isPresent()) {
            Pod pod = cluster.pod(key.podUid()).orElseThrow();
            Optional<String> difference = difference(pod, requested.get(key));
            difference.ifPresent(it -> readiness.distrust(it, now));
            effects.add(new Effect.Compared(1, readiness.distrust()));
            return known.filter(_ -> difference.isEmpty());
        }
        return known;
    }

    private Optional<String> difference(Pod pod) {
        for (Policy policy : index.policies()) {
            boolean selects = policy.selects(pod, cluster);
            if (selects != index.isSelected(pod.uid(), policy.id())) {
                return Optional.of("policy " + policy.id() + (selects ? " selects" : " does not select") + " pod "
                        + pod.name() + ", but the index says the opposite");
            }
        }
        for (AppliedRule rule : index.rulesOf(pod.uid())) {
            Optional<String> difference = difference(pod, rule);
            if (difference.isPresent()) {
                return difference;
            }
        }
        return Optional.empty();
    }

    /**
     * {@return how three sources disagree on whether a pod violates a rule, as text; empty if they agree} The sources
     * are the reference evaluator, the index, and the clock of the violation: it must run exactly while the rule is
     * violated.
     */
    private Optional<String> difference(Pod pod, AppliedRule rule) {
        boolean broken = evaluation.verdict(rule.rule(), pod) instanceof Verdict.Violated;
        boolean counted = index.isBroken(pod.uid(), rule.identity());
        boolean running = book.find(pod.uid(), rule.identity()).isPresent();
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
