package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Candidate;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Moves;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.Planner;
import dev.holdfast.policies.plan.Scope;
import dev.holdfast.policies.plan.Situation;
import dev.holdfast.policies.plan.Workload;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Finds the due violations, has them planned, and starts the moves that the plan asks for. */
final class Planning {
    /** Facts come in bursts; what they change about a plan is looked at together. */
    private static final Duration CALM = Duration.ofMillis(200);

    private final State state;
    private final Reports reports;
    private Instant lastPlan = Instant.MIN;
    private Optional<Instant> nextPlan = Optional.empty();
    private long plans;

    Planning(State state, Reports reports) {
        this.state = state;
        this.reports = reports;
    }

    /** Plans if something due calls for it; until then says when to look again. */
    void run(Instant now, List<Effect> effects) {
        boolean timeHasCome = nextPlan.filter(at -> !now.isBefore(at)).isPresent();
        boolean calm = !now.isBefore(lastPlan.equals(Instant.MIN) ? now : lastPlan.plus(CALM));
        if (timeHasCome || (state.planStale && calm)) {
            plan(now, effects);
        } else if (state.planStale) {
            nextPlan = earlier(nextPlan, lastPlan.plus(CALM));
        }
    }

    /** {@return when there is something to plan again, as far as is known now} */
    Optional<Instant> nextPlan() {
        return nextPlan;
    }

    private void plan(Instant now, List<Effect> effects) {
        lastPlan = now;
        nextPlan = Optional.empty();
        state.planStale = false;
        List<Candidate> candidates = new ArrayList<>();
        for (Violation violation : List.copyOf(state.clocks.all())) {
            Instant deadline = state.deadline(violation).orElseThrow();
            if (now.isBefore(deadline)) {
                nextPlan = earlier(nextPlan, deadline);
            } else if (!isMoving(violation.key().podUid())) {
                Optional<Hold> outside = heldFromOutside(violation, now);
                outside.ifPresent(hold -> hold(violation, hold, now, effects));
                if (outside.isEmpty()) {
                    candidates.add(candidate(violation));
                }
            }
        }
        Plan plan = Planner.plan(candidates, situation(state.moves, now));
        plan.held().forEach(held -> hold(held.candidate().violation(), held.hold(), now, effects));
        plan.chosen().forEach(chosen -> choose(chosen, now, effects));
    }

    /** {@return what keeps this replica from acting on the violation at all, whatever a plan would say} */
    Optional<Hold> heldFromOutside(Violation violation, Instant now) {
        if (!state.allSynced()) {
            return Optional.of(Hold.untilChange(Reason.VIEW_NOT_SYNCED, state.missingView()));
        }
        AskedRule asked = state.asked(violation.key()).orElseThrow();
        if (asked.mode(state.ceiling) == Mode.ENFORCE && !state.leading) {
            return Optional.of(Hold.untilChange(Reason.NOT_LEADER, state.whyNotLeading));
        }
        return state.refusal(violation.key())
                .map(Refusal::hold)
                .filter(hold -> hold.nextLook().filter(now::isBefore).isPresent());
    }

    private boolean isMoving(String podUid) {
        return state.moves.inFlight().stream()
                .anyMatch(move -> move.victim().uid().equals(podUid));
    }

    /** {@return what a due violation is planned by} */
    Candidate candidate(Violation violation) {
        AskedRule asked = state.asked(violation.key()).orElseThrow();
        Pod pod = state.cluster.pod(violation.key().podUid()).orElseThrow();
        List<Rule> further = state.book.of(pod.uid()).stream()
                .filter(other -> !other.own())
                .map(AskedRule::rule)
                .toList();
        return new Candidate(
                violation,
                pod,
                asked.rule(),
                further,
                asked.mode(state.ceiling),
                asked.whenInfeasible(state.ceiling),
                Workload.of(pod, state.cluster),
                scope(violation, asked.rule().mergedFor(pod.labels()), pod));
    }

    private Scope scope(Violation violation, Rule rule, Pod pod) {
        return switch (rule) {
            case Rule.NodeAffinity _ -> new Scope.Alone();
            case Rule.PodAffinity affinity -> Scope.Group.of(affinity, pod);
            case Rule.TopologySpread spread -> Scope.Group.of(spread, pod);
            case Rule.PodAntiAffinity _ -> Conflicts.around(violation, state.clocks.all());
        };
    }

    Situation situation(Moves moves, Instant now) {
        EngineSettings settings = state.settings;
        return new Situation(
                state.cluster, state.execution, moves, settings.limits(), settings.protectedNamespaces(), now);
    }

    /** Notes a hold, and tells of it when that is not what was told last: each attempt may end in the same one. */
    void hold(Violation violation, Hold hold, Instant now, List<Effect> effects) {
        ViolationKey key = violation.key();
        hold.nextLook().ifPresent(at -> nextPlan = earlier(nextPlan, at));
        state.dispositions.put(key, new Disposition.Held(hold));
        boolean known = Optional.ofNullable(state.told.get(key))
                .flatMap(ViolationReport::hold)
                .filter(last -> last.reason() == hold.reason())
                .isPresent();
        if (!known) {
            effects.add(new Effect.Tell(new Occurrence.Held(report(violation, now), hold)));
        }
    }

    private void choose(Plan.Chosen chosen, Instant now, List<Effect> effects) {
        Candidate candidate = chosen.candidate();
        ViolationKey key = candidate.violation().key();
        if (candidate.mode() != Mode.ENFORCE) {
            Disposition before = state.dispositions.put(key, new Disposition.WouldEvict(chosen.target()));
            if (!(before instanceof Disposition.WouldEvict)) {
                effects.add(new Effect.Tell(
                        new Occurrence.WouldEvict(report(candidate.violation(), now), chosen.target())));
            }
            return;
        }
        String planId = Long.toString(now.toEpochMilli(), Character.MAX_RADIX) + "-" + ++plans;
        Move move = new Move(
                planId,
                key,
                candidate.pod(),
                candidate.rule(),
                candidate.workload(),
                candidate.scope(),
                chosen.target(),
                1,
                new Move.Stage.Confirming(now));
        state.moves.put(move);
        state.dispositions.put(key, new Disposition.Evicting(planId));
        effects.add(confirm(move, candidate.violation()));
    }

    /** {@return the reads that must come right before the request} */
    static Effect confirm(Move move, Violation violation) {
        return new Effect.Confirm(
                move.id(),
                move.victim().name(),
                move.fromNode(),
                named(violation).stream().map(Pod::name).toList());
    }

    /** {@return the partners that are read before the request: those that a message names} */
    static List<Pod> named(Violation violation) {
        return violation.breach().partners().stream()
                .limit(Breach.NAMED_PARTNERS)
                .toList();
    }

    ViolationReport report(Violation violation, Instant now) {
        AskedRule asked = state.asked(violation.key()).orElseThrow();
        ViolationReport report = reports.describe(violation, asked, now);
        state.told.put(violation.key(), report);
        return report;
    }

    static Optional<Instant> earlier(Optional<Instant> known, Instant other) {
        return known.filter(it -> !other.isBefore(it)).or(() -> Optional.of(other));
    }
}
