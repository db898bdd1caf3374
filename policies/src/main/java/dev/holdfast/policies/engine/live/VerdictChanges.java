package dev.holdfast.policies.engine.live;

import dev.holdfast.policies.index.change.FactChange;
import dev.holdfast.policies.index.change.RuleOwners;
import dev.holdfast.policies.index.change.VerdictListener;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/** Collects the verdict changes that the incremental index reports, until {@link #take} returns them. */
public final class VerdictChanges implements VerdictListener {
    private NavigableMap<PodRule, LastReport> podRules = new TreeMap<>();

    /**
     * Whether changes are collected: only after all views have synced once, because until then the index lacks objects.
     */
    private boolean listening;

    /** A pod and a rule for which the index reported a change. Ordered by pod UID, then by rule identity. */
    public record PodRule(String podUid, RuleIdentity rule) implements Comparable<PodRule> {
        @Override
        public int compareTo(PodRule other) {
            int byPod = podUid.compareTo(other.podUid);
            return byPod != 0 ? byPod : rule.compareTo(other.rule);
        }
    }

    /**
     * The last change that the index reported for a pod and a rule.
     *
     * @param factChange the change of an object or a policy that led to the report
     * @param before the rule with the policies that requested it before and their settings, if only these changed;
     *     absent if the pod began or ceased to violate the rule
     * @param newlyHeld whether the pod began to violate the rule because no policy held it to the rule before
     */
    public record LastReport(FactChange factChange, Optional<AppliedRule> before, boolean newlyHeld) {
        /** {@return whether the pod, its node and its namespace were known before the change} */
        public boolean isOfKnown() {
            return switch (factChange) {
                case FactChange.OfPod(var pod, var _) -> pod.filter(Pod::counts).isPresent();
                case FactChange.OfNode(var _, var node, var _) -> node.isPresent();
                case FactChange.OfNamespace(var _, var namespace, var _) -> namespace.isPresent();
                case FactChange.OfPolicy _ -> true;
            };
        }
    }

    /** Collects verdict changes from now on. */
    public void listen() {
        listening = true;
    }

    @Override
    public void broken(RuleOwners ruleOwners, FactChange factChange) {
        note(ruleOwners, factChange);
    }

    @Override
    public void mended(RuleOwners ruleOwners, Ending ending, FactChange factChange) {
        note(ruleOwners, factChange);
    }

    @Override
    public void requestsChanged(Pod holder, AppliedRule before, AppliedRule after, FactChange factChange) {
        if (listening) {
            podRules.put(
                    new PodRule(holder.uid(), after.identity()),
                    new LastReport(factChange, Optional.of(before), false));
        }
    }

    private void note(RuleOwners ruleOwners, FactChange factChange) {
        if (listening) {
            LastReport lastReport = new LastReport(factChange, Optional.empty(), ruleOwners.areNew());
            ruleOwners.forEach((pod, rule) -> podRules.put(new PodRule(pod.uid(), rule.identity()), lastReport));
        }
    }

    /** Returns the changes since the last call, ordered by pod UID, then by rule identity. */
    public NavigableMap<PodRule, LastReport> take() {
        if (podRules.isEmpty()) {
            return podRules;
        }
        NavigableMap<PodRule, LastReport> taken = podRules;
        podRules = new TreeMap<>();
        return taken;
    }
}
