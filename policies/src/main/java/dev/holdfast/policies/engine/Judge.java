package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.Clocks;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.List;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Keeps facts, asked rules and clocks in step: a change comes in, the index says which verdicts it flips, {@code
 * evaluate} is asked for each of them how, and clocks start and stop.
 */
final class Judge {
    private final State state;
    private final Reports reports;
    private final Flips flips = new Flips();
    private final Index index;

    Judge(State state, Reports reports) {
        this.state = state;
        this.reports = reports;
        this.index = new Index(state.settings.exemptNamespaces(), flips);
    }

    /** Takes a fact; once the cluster is completely seen, judges the verdicts that it flips and running violations. */
    void fact(ClusterEvent event, Instant now, List<Effect> effects) {
        Change change = Change.of(event, state.cluster);
        state.cluster.apply(event);
        index.apply(event);
        NavigableSet<Flips.Flip> flipped = flips.take();
        if (!state.complete) {
            return;
        }
        if (!Relevance.canFlip(change)) {
            return;
        }
        switch (change) {
            case Change.OfPod(var before, var after) -> {
                if (after.isEmpty()) {
                    before.ifPresent(pod -> forgetPod(pod, effects));
                } else {
                    reconsider(after.get(), Impact.onAsked(after.get(), change), now, effects);
                }
            }
            case Change.OfNode(var name, var _, var _) ->
                state.cluster.podsOn(name).forEach(pod -> reconsider(pod, Impact.onAsked(pod, change), now, effects));
            case Change.OfNamespace(var name, var _, var _) ->
                state.cluster.podsIn(name).forEach(pod -> reconsider(pod, Impact.onAsked(pod, change), now, effects));
            case Change.OfOthers _ -> throw new IllegalStateException("no verdict depends on " + event);
        }
        judge(flipped, change, now, effects);
    }

    /** Running violations are judged again too where the change may have changed how they are broken. */
    private void judge(NavigableSet<Flips.Flip> flipped, Change change, Instant now, List<Effect> effects) {
        NavigableSet<Flips.Flip> touched = new TreeSet<>(flipped);
        state.clocks
                .all()
                .forEach(running -> touched.add(
                        new Flips.Flip(running.key().podUid(), running.key().rule())));
        for (Flips.Flip flip : touched) {
            Optional<Pod> pod = state.cluster.pod(flip.podUid());
            Optional<AskedRule> asked = state.book.find(flip.podUid(), flip.rule());
            if (pod.isEmpty() || asked.isEmpty()) {
                continue;
            }
            Optional<Cause> cause = Impact.on(asked.get().rule(), pod.get(), change, state.cluster);
            if (cause.isPresent() || flipped.contains(flip)) {
                observe(pod.get(), asked.get(), cause.orElseGet(() -> Impact.onAsked(pod.get(), change)), now, effects);
            }
        }
    }

    /** Judges everything for the first time. */
    void first(Instant now, List<Effect> effects) {
        state.complete = true;
        for (Pod pod : state.cluster.pods()) {
            state.book.refresh(pod, state.cluster, now);
            observeBroken(pod, state.book.of(pod.uid()), new Cause.FoundAtStart(), now, effects);
        }
    }

    /** Takes a new or edited policy. */
    void policy(Policy policy, Instant now, List<Effect> effects) {
        state.book.put(policy);
        index.put(policy);
        reconsiderAll(policy.id(), now, effects);
    }

    /** Takes a policy away. */
    void policyGone(PolicyId id, Instant now, List<Effect> effects) {
        state.book.remove(id);
        index.remove(id);
        state.history.forget(id);
        reconsiderAll(id, now, effects);
    }

    private void reconsiderAll(PolicyId policy, Instant now, List<Effect> effects) {
        flips.take();
        if (state.complete) {
            state.cluster.pods().forEach(pod -> reconsider(pod, new Cause.PolicyChanged(policy), now, effects));
        }
    }

    /** Works out what is asked for the pod; judges what is newly asked, and ends what no longer is. */
    private void reconsider(Pod pod, Cause cause, Instant now, List<Effect> effects) {
        List<AskedRule> before = state.book.of(pod.uid());
        state.book.refresh(pod, state.cluster, now);
        List<AskedRule> after = state.book.of(pod.uid());
        if (after.equals(before)) {
            return;
        }
        Set<RuleIdentity> asked = identities(after);
        for (Violation violation : state.clocks.of(pod.uid())) {
            if (asked.contains(violation.key().rule())) {
                // Who asks for it now may have changed, and its deadline with that.
                state.planStale = true;
            } else {
                end(violation, Occurrence.End.NOT_ASKED, effects);
            }
        }
        Set<RuleIdentity> known = identities(before);
        List<AskedRule> added =
                after.stream().filter(rule -> !known.contains(rule.identity())).toList();
        observeBroken(pod, added, cause, now, effects);
    }

    private void observeBroken(Pod pod, List<AskedRule> rules, Cause cause, Instant now, List<Effect> effects) {
        for (AskedRule rule : rules) {
            if (index.isBroken(pod.uid(), rule.identity())) {
                observe(pod, rule, cause, now, effects);
            }
        }
    }

    private static Set<RuleIdentity> identities(List<AskedRule> rules) {
        return rules.stream().map(AskedRule::identity).collect(Collectors.toSet());
    }

    /** {@return the violation, if its clock runs and the rule, judged once more, is still broken} */
    Optional<Violation> again(ViolationKey key, Instant now, List<Effect> effects) {
        return state.clocks.find(key).flatMap(known -> {
            Pod pod = state.cluster.pod(key.podUid()).orElseThrow();
            observe(pod, state.asked(key).orElseThrow(), known.cause(), now, effects);
            return state.clocks.find(key);
        });
    }

    private void observe(Pod pod, AskedRule asked, Cause cause, Instant now, List<Effect> effects) {
        ViolationKey key = new ViolationKey(pod.uid(), pod.nodeName().orElse(""), asked.identity());
        switch (state.clocks.observe(key, verdict(asked.rule(), pod), cause, now)) {
            case Clocks.Change.Started(Violation violation) -> {
                state.planStale = true;
                ViolationReport report = reports.describe(violation, asked, now);
                state.told.put(key, report);
                effects.add(new Effect.Tell(new Occurrence.Started(report)));
            }
            case Clocks.Change.Stopped(Violation violation, Verdict verdict) ->
                end(violation, how(verdict, pod.uid()), effects);
            case Clocks.Change.Goes _, Clocks.Change.None _ -> {
                // The violation goes on as it was, or there is none.
            }
        }
    }

    /** {@return the verdict of execution: pods of exempt namespaces are no partners of anti-affinity, either way} */
    Verdict verdict(Rule rule, Pod pod) {
        if (!(rule instanceof Rule.PodAntiAffinity)) {
            return Evaluator.judge(rule, pod, state.cluster);
        }
        return state.settings.exemptNamespaces().contains(pod.namespace())
                ? Verdict.satisfied()
                : Evaluator.judge(rule, pod, state.execution);
    }

    private Occurrence.End how(Verdict verdict, String podUid) {
        return switch (verdict) {
            case Verdict.Satisfied _ -> Occurrence.End.HEALED;
            case Verdict.Undetermined(Reason reason, String _)
            when reason == Reason.TERMINATING || reason == Reason.FINISHED -> gone(podUid);
            case Verdict.Undetermined _ -> Occurrence.End.UNDETERMINED;
            case Verdict.Violated _ -> throw new IllegalStateException("a violated rule does not end");
        };
    }

    private Occurrence.End gone(String podUid) {
        boolean ours = state.moves.inFlight().stream()
                .anyMatch(move -> move.victim().uid().equals(podUid) && move.requested());
        return ours ? Occurrence.End.EVICTED : Occurrence.End.POD_GONE;
    }

    private void forgetPod(Pod pod, List<Effect> effects) {
        state.clocks.of(pod.uid()).forEach(violation -> end(violation, gone(pod.uid()), effects));
        state.book.forget(pod.uid());
    }

    private void end(Violation violation, Occurrence.End how, List<Effect> effects) {
        ViolationKey key = violation.key();
        state.clocks.forget(key);
        state.planStale = true;
        ViolationReport last = state.told.get(key);
        if (last != null) {
            effects.add(new Effect.Tell(new Occurrence.Ended(last, how)));
        }
        state.forget(key);
    }
}
