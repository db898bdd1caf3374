package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.move.EnforcedRules;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Reads which enforced rules a victim breaks before its eviction, and which its replacement breaks. */
public final class EnforcedRulesReader {
    private final LiveCluster cluster;
    private final DirectEvaluation evaluation;

    public EnforcedRulesReader(LiveCluster cluster, DirectEvaluation evaluation) {
        this.cluster = cluster;
        this.evaluation = evaluation;
    }

    /**
     * {@return the enforced rules of the pod to evict} Only rules that the next node must satisfy count, and no rules
     * of a tenant that the policy of the move overrides. If the pod is evicted instead of a rule owner, the rules of
     * the rule owner count too. The pod to evict causes some of their violations.
     */
    public EnforcedRules ofVictim(Candidate candidate, Instant now) {
        Pod victim = candidate.pod();
        Set<RuleIdentity> required = candidate.overridingTenants(candidate.requestingPolicies(), now).further().stream()
                .map(AppliedRule::identity)
                .collect(Collectors.toSet());
        Set<RuleIdentity> all = new HashSet<>();
        enforced(victim.uid())
                .filter(rule -> rule.own() || required.contains(rule.identity()))
                .forEach(rule -> all.add(rule.identity()));
        Set<RuleIdentity> broken = all.stream()
                .filter(rule -> cluster.index().isBroken(victim.uid(), rule))
                .collect(Collectors.toCollection(HashSet::new));
        broken.add(candidate.violation().key().rule());
        String owner = candidate.violation().key().podUid();
        if (!owner.equals(victim.uid())) {
            enforced(owner).forEach(rule -> all.add(rule.identity()));
            brokenBecauseOf(victim, owner).forEach(broken::add);
        }
        all.removeAll(broken);
        return new EnforcedRules(all, broken);
    }

    /**
     * {@return the rules that the replacement of a move breaks, and those that it makes the rule owner break if another
     * pod was evicted} The rule of the move counts even if no policy enforces it any more.
     */
    public Set<RuleIdentity> brokenBy(Pod replacement, Move move) {
        Set<RuleIdentity> broken = new TreeSet<>();
        enforced(replacement.uid())
                .map(AppliedRule::identity)
                .filter(rule -> cluster.index().isBroken(replacement.uid(), rule))
                .forEach(broken::add);
        RuleIdentity healed = move.key().rule();
        if (move.isOfOwner()) {
            if (verdict(move, replacement) instanceof Verdict.Violated) {
                broken.add(healed);
            }
        } else {
            brokenBecauseOf(replacement, move.key().podUid()).forEach(broken::add);
            cluster.pod(move.key().podUid())
                    .filter(owner -> isBecauseOf(replacement, verdict(move, owner)))
                    .ifPresent(_ -> broken.add(healed));
        }
        return broken;
    }

    private Stream<AppliedRule> enforced(String podUid) {
        return cluster.index().rulesOf(podUid).stream().filter(rule -> rule.mode(Mode.ENFORCE) == Mode.ENFORCE);
    }

    private Stream<RuleIdentity> brokenBecauseOf(Pod other, String podUid) {
        Optional<Pod> pod = cluster.pod(podUid);
        return enforced(podUid)
                .filter(rule -> cluster.index().isBroken(podUid, rule.identity()))
                .filter(rule -> isBecauseOf(other, evaluation.verdict(rule.rule(), pod.orElseThrow())))
                .map(AppliedRule::identity);
    }

    private static boolean isBecauseOf(Pod other, Verdict verdict) {
        return verdict instanceof Verdict.Violated(ViolationDetail detail)
                && detail.partners().stream().anyMatch(partner -> partner.uid().equals(other.uid()));
    }

    /**
     * {@return the verdict about a pod for the rule of a move} An earlier process remembered only the identity of the
     * rule. If no policy requests the rule for the pod any more, nothing is violated.
     */
    private Verdict verdict(Move move, Pod pod) {
        return move.rule()
                .or(() -> cluster.index().rule(pod.uid(), move.key().rule()).map(AppliedRule::rule))
                .map(rule -> evaluation.verdict(rule, pod))
                .orElseGet(Verdict::satisfied);
    }
}
