package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Index;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Wishes;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Instant;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** Keeps clocks in step with verdicts: a change comes in, the index says what it flips, and clocks start and stop. */
final class Judge {
    private final State state;
    private final Reports reports;
    private final Shadow shadow;
    private final Index index;

    /** The annotations that were told of as ignored, for each violation that has any. */
    private final Map<ViolationKey, Set<String>> ignored = new HashMap<>();

    Judge(State state, Reports reports, Shadow shadow) {
        this.state = state;
        this.reports = reports;
        this.shadow = shadow;
        this.index = state.cluster.index();
    }

    /** Takes a fact. */
    void fact(ClusterEvent event, Instant now, List<Effect> effects) {
        state.cluster.apply(event);
        settle(now, effects);
    }

    /** Takes a new or edited policy. */
    void policy(Policy policy, Instant now, List<Effect> effects) {
        index.put(policy);
        settle(now, effects);
    }

    /** Takes a policy away. */
    void policyGone(PolicyId id, Instant now, List<Effect> effects) {
        index.remove(id);
        state.history.forget(id);
        state.conducts.remove(id);
        settle(now, effects);
    }

    /** Starts a clock for all that is broken when the cluster has been completely seen. */
    void first(Instant now, List<Effect> effects) {
        state.complete = true;
        state.cluster.flips().listen();
        Map<Flips.Flip, Pod> broken = new TreeMap<>();
        index.forEachBroken((pod, rule) -> broken.put(new Flips.Flip(pod.uid(), rule.identity()), pod));
        broken.forEach((flip, pod) -> start(
                index.rule(flip.podUid(), flip.rule()).orElseThrow(), pod, new Cause.FoundAtStart(), now, effects));
    }

    private void settle(Instant now, List<Effect> effects) {
        Map<Flips.Flip, Flips.Told> flips = state.cluster.flips().take();
        // By far the most events flip nothing.
        if (!flips.isEmpty()) {
            flips.forEach((flip, told) -> settle(flip, told, now, effects));
        }
    }

    private void settle(Flips.Flip flip, Flips.Told told, Instant now, List<Effect> effects) {
        Optional<Violation> running = state.clocks.find(flip.podUid(), flip.rule());
        if (!index.isBroken(flip.podUid(), flip.rule())) {
            running.ifPresent(violation -> end(violation, effects));
            return;
        }
        HeldRule rule = index.rule(flip.podUid(), flip.rule()).orElseThrow();
        if (running.isEmpty()) {
            Pod pod = state.cluster.pod(flip.podUid()).orElseThrow();
            start(rule, pod, told.change().cause(rule.rule(), pod), now, effects);
        } else {
            told.before().ifPresent(before -> state.reasked(running.get(), before, rule, now));
        }
    }

    private void start(HeldRule rule, Pod pod, Cause cause, Instant now, List<Effect> effects) {
        ViolationKey key = new ViolationKey(pod.uid(), pod.nodeName().orElse(""), rule.identity());
        Violation violation = new Violation(key, now, cause);
        state.begin(violation);
        ViolationReport report = reports.describe(violation, now);
        state.told.put(key, report);
        effects.add(new Effect.Tell(new Occurrence.Started(report)));
        tellOfMalformed(pod, report, effects);
    }

    /** Takes annotations that ask otherwise for pods than before, be they their own or those of their owner or namespace. */
    void remarked(Predicate<Pod> concerned, Instant now, List<Effect> effects) {
        for (Violation violation : List.copyOf(state.clocks.all())) {
            Optional<Pod> pod = state.cluster.pod(violation.key().podUid()).filter(concerned);
            if (pod.isPresent()) {
                state.remarked(violation);
                tellOfMalformed(pod.get(), reports.describe(violation, now), effects);
            }
        }
    }

    private void tellOfMalformed(Pod pod, ViolationReport report, List<Effect> effects) {
        Set<String> problems = malformed(pod);
        Set<String> before = problems.isEmpty() ? ignored.remove(report.key()) : ignored.put(report.key(), problems);
        for (String problem : problems) {
            if (before == null || !before.contains(problem)) {
                effects.add(new Effect.Tell(new Occurrence.AnnotationIgnored(report, problem)));
            }
        }
    }

    private Set<String> malformed(Pod pod) {
        List<Wishes.Wish> wishes = Wishes.of(pod, state.cluster);
        if (wishes.isEmpty()) {
            return Set.of();
        }
        Set<String> problems = new LinkedHashSet<>();
        for (Wishes.Wish wish : wishes) {
            for (String problem : wish.marks().malformed()) {
                problems.add(problem + ", of " + wish.whose());
            }
        }
        return problems;
    }

    /** {@return how much is remembered} */
    int remembered() {
        return ignored.size();
    }

    private void end(Violation violation, List<Effect> effects) {
        ignored.remove(violation.key());
        ViolationReport last = state.told.get(violation.key());
        if (last != null) {
            effects.add(new Effect.Tell(new Occurrence.Ended(last, how(violation.key()))));
        }
        state.end(violation);
    }

    private Occurrence.End how(ViolationKey key) {
        Optional<Pod> pod = state.cluster.pod(key.podUid());
        if (pod.isEmpty() || pod.get().terminating() || pod.get().finished()) {
            return gone(key.podUid());
        }
        if (state.asked(key).isEmpty()) {
            return Occurrence.End.NOT_ASKED;
        }
        return state.cluster.nodeCounting(pod.get()).isEmpty() ? Occurrence.End.UNDETERMINED : Occurrence.End.HEALED;
    }

    private Occurrence.End gone(String podUid) {
        return state.isEvicting(podUid) ? Occurrence.End.EVICTED : Occurrence.End.POD_GONE;
    }

    /** {@return the violation, if its clock runs and {@code evaluate}, asked once more, finds the rule broken} */
    Optional<Violation> again(ViolationKey key, List<Effect> effects) {
        Optional<Violation> known = state.clocks.find(key);
        if (known.isPresent()) {
            Pod pod = state.cluster.pod(key.podUid()).orElseThrow();
            Optional<String> difference =
                    shadow.difference(pod, state.asked(key).orElseThrow());
            difference.ifPresent(state::distrust);
            effects.add(new Effect.Compared(1, state.distrust()));
            return known.filter(_ -> difference.isEmpty());
        }
        return known;
    }
}
