package dev.holdfast.policies.index.query;

import dev.holdfast.policies.index.count.LiveRule;
import dev.holdfast.policies.index.count.VerdictGroup;
import dev.holdfast.policies.index.pods.ClusterCache;
import dev.holdfast.policies.index.pods.PodEntry;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.AppliedRule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A hypothetical move of one pod. The moves in flight are assumed to have ended: their victims are gone, and their
 * replacements are bound.
 */
final class HypotheticalMove {
    private final ClusterCache clusterCache;
    private final PodEntry mover;
    private final List<PodEntry> gone;
    private final List<Pod> arriving;
    private final Optional<Predicate<AppliedRule>> regarded;

    /** The results of {@link #staying} for groups whose rule owners must be tested one by one. */
    private final IdentityHashMap<VerdictGroup, Integer> tested = new IdentityHashMap<>();

    /** @param regarded a test which rules of other pods count; absent if all count */
    HypotheticalMove(
            ClusterCache clusterCache,
            PodEntry mover,
            Set<String> leaving,
            List<Pod> arriving,
            Optional<Predicate<AppliedRule>> regarded) {
        this.clusterCache = clusterCache;
        this.mover = mover;
        this.gone = leaving.stream()
                .filter(uid -> !uid.equals(mover.pod().uid()))
                .flatMap(uid -> clusterCache.entry(uid).stream())
                .toList();
        this.arriving = arriving;
        this.regarded = regarded;
    }

    /** {@return the node on which the moving pod is counted now; empty if it is not counted} */
    Optional<Node> from() {
        return mover.countsOn();
    }

    /**
     * {@return the number of rule owners in a verdict group, without the moving pod, the victims of moves in flight and
     * those whose rule does not count}
     */
    int staying(VerdictGroup verdictGroup) {
        if (regarded.isPresent()) {
            return tested.computeIfAbsent(verdictGroup, group -> staying(group, regarded.get()));
        }
        int staying = verdictGroup.size() - (mover.isIn(verdictGroup) ? 1 : 0);
        for (PodEntry other : gone) {
            staying -= other.isIn(verdictGroup) ? 1 : 0;
        }
        return staying;
    }

    private int staying(VerdictGroup verdictGroup, Predicate<AppliedRule> counting) {
        Set<String> away = Stream.concat(Stream.of(mover), gone.stream())
                .map(entry -> entry.pod().uid())
                .collect(Collectors.toSet());
        AtomicInteger staying = new AtomicInteger();
        verdictGroup.forEach((pod, rule) -> {
            if (counting.test(rule) && !away.contains(pod.uid())) {
                staying.incrementAndGet();
            }
        });
        return staying.get();
    }

    /** Calls the action for each victim of a move in flight that is a partner of the rule. */
    void forEachGone(LiveRule rule, Consumer<PodEntry> action) {
        for (PodEntry pod : gone) {
            if (pod.isCounted() && pod.isMatchedBy(rule)) {
                action.accept(pod);
            }
        }
    }

    /** Calls the action with the node of each expected replacement that will be a partner of the rule. */
    void forEachArriving(LiveRule rule, Consumer<Node> action) {
        for (Pod pod : arriving) {
            if (rule.matches(pod.labels()) && rule.appliesTo(pod.namespace(), labelsOf(pod.namespace()))) {
                clusterCache.countedNode(pod).ifPresent(action);
            }
        }
    }

    private Optional<Labels> labelsOf(String namespace) {
        return clusterCache.namespace(namespace).map(Namespace::labels);
    }

    /** {@return the rules that have the moving pod as a partner} */
    List<LiveRule> rules() {
        List<LiveRule> rules = new ArrayList<>();
        mover.forEachMatch(rules::add);
        return rules;
    }

    /**
     * {@return how many rules the moving pod violates now} Rules in the pod's own spec always count, rules of policies
     * only if {@code further} contains them.
     *
     * @param further the identities of the rules of policies that count
     */
    int broken(Set<RuleIdentity> further) {
        int broken = 0;
        for (int slot = 0; slot < mover.resolvedRules().size(); slot++) {
            broken += mover.broken(slot) && counts(mover.resolvedRules().rule(slot), further) ? 1 : 0;
        }
        return broken;
    }

    private static boolean counts(AppliedRule rule, Set<RuleIdentity> further) {
        return rule.own() || further.contains(rule.identity());
    }
}
