package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.index.Survey;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Asker;
import dev.holdfast.policies.plan.Bounds;
import dev.holdfast.policies.plan.Candidate;
import dev.holdfast.policies.plan.Checks;
import dev.holdfast.policies.plan.ClusterFacts;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Moves;
import dev.holdfast.policies.plan.NodeHealth;
import dev.holdfast.policies.plan.Openings;
import dev.holdfast.policies.plan.OwnerVictim;
import dev.holdfast.policies.plan.Partners;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.Planner;
import dev.holdfast.policies.plan.RuleQueries;
import dev.holdfast.policies.plan.Scope;
import dev.holdfast.policies.plan.Signals;
import dev.holdfast.policies.plan.Situation;
import dev.holdfast.policies.plan.StandIn;
import dev.holdfast.policies.plan.Unrest;
import dev.holdfast.policies.plan.VictimStrategy;
import dev.holdfast.policies.plan.Workload;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds the due violations, has them planned, and starts the moves that the plan asks for. */
final class Planning {
    /** Facts come in bursts; what they change about a plan is looked at together. */
    private static final Duration CALM = Duration.ofMillis(200);

    /** Where very much is due, a plan takes longer, and is made more seldom. */
    private static final int DUE_PER_CALM = 250;

    /** To plan so many takes about 25 ms, and meanwhile nothing else is done; all the others have their turn after them. */
    private static final int MOST_IN_A_PLAN = 3_000;

    /** What a budget would allow is not told by an event. */
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(30);

    private final State state;
    private final Reports reports;
    private final StandIns standIns;
    private final Turns turns;

    private Duration calm = CALM;
    private Instant lastPlan = Instant.EPOCH;
    private Optional<Instant> nextPlan = Optional.empty();
    private long plans;

    Planning(State state, Reports reports) {
        this.state = state;
        this.reports = reports;
        this.standIns = new StandIns(state);
        this.turns =
                new Turns(MOST_IN_A_PLAN, key -> state.asked(key).orElseThrow().mode(state.ceiling) == Mode.ENFORCE);
    }

    /** Plans if something due calls for it; until then says when to look again. */
    void run(Instant now, List<Effect> effects) {
        if (state.planStale) {
            nextPlan = earlier(nextPlan, lastPlan.plus(calm));
        }
        // A deadline is kept to the moment, unless so much is due that plans could follow one another without end.
        Instant soonest = calm.equals(CALM) ? lastPlan : lastPlan.plus(CALM);
        if (nextPlan.isPresent() && nextPlan.get().isBefore(soonest)) {
            nextPlan = Optional.of(soonest);
        }
        if (nextPlan.filter(at -> !now.isBefore(at)).isPresent()) {
            plan(now, effects);
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
        brake(now, effects);
        state.volumes.forgetOld(now);
        Survey<Partners> survey = state.cluster.index().survey(Partners::of);
        IdentityHashMap<Set<String>, Scope> scopes = new IdentityHashMap<>();
        List<Candidate> candidates = new ArrayList<>();
        List<ViolationKey> due = state.deadlines.dueAt(now);
        List<ViolationKey> turn = turns.next(due);
        for (ViolationKey key : turn) {
            Violation violation = state.clocks.find(key).orElseThrow();
            Optional<Move> moving = moveOf(key);
            moving.filter(move -> !move.key().equals(key))
                    .ifPresent(move -> state.decide(key, new Disposition.Held(alreadyMoving(move))));
            if (moving.isEmpty()) {
                Optional<Hold> outside = heldFromOutside(violation, now);
                outside.ifPresent(hold -> hold(violation, hold, now, effects));
                if (outside.isEmpty()) {
                    Candidate candidate = candidate(
                            violation,
                            now,
                            uid -> scopes.computeIfAbsent(survey.around(uid), Scope.Conflicting::new),
                            survey);
                    makingWay(candidate, now)
                            .ifPresentOrElse(
                                    hold -> hold(violation, hold, now, effects), () -> candidates.add(candidate));
                }
            }
        }
        calm = CALM.multipliedBy(1 + turn.size() / DUE_PER_CALM);
        state.deadlines.nextAfter(now).ifPresent(at -> nextPlan = earlier(nextPlan, at));
        if (!due.isEmpty()) {
            state.pauses.nextChange(now).ifPresent(at -> nextPlan = earlier(nextPlan, at));
        }
        Situation situation = situation(state.moves, now)
                .finding(
                        (candidate, _) -> partners(candidate.violation().key(), survey),
                        state.cluster.index().repulsion())
                .finding((domains, candidate, _) -> brokenOnlyBy(domains, candidate))
                .remembering(state.cluster.room());
        Plan plan = Planner.plan(candidates, situation, state.places, state.settings.checks());
        plan.nextLook().ifPresent(at -> nextPlan = earlier(nextPlan, at));
        plan.later().forEach(candidate -> {
            queue(candidate.violation().key(), now);
            state.volumes.toRead(candidate.pod(), now).forEach(claim -> effects.add(new Effect.ReadClaim(claim)));
        });
        plan.held().forEach(held -> hold(held.candidate().violation(), held.hold(), now, effects));
        plan.chosen().forEach(chosen -> choose(chosen, now, effects));
        if (turn.size() < due.size()) {
            nextPlan = earlier(nextPlan, now.plus(calm));
            due.stream().filter(key -> state.disposition(key).isEmpty()).forEach(key -> queue(key, now));
        }
    }

    /** {@return what keeps this replica from acting on the violation at all, whatever a plan would say} */
    Optional<Hold> heldFromOutside(Violation violation, Instant now) {
        if (state.distrust().isPresent()) {
            return Optional.of(Hold.untilChange(
                    Reason.VERDICTS_DIFFER,
                    "two ways to the same verdict disagree, and none is trusted: "
                            + state.distrust().get()));
        }
        if (!state.allSynced()) {
            return Optional.of(Hold.untilChange(Reason.VIEW_NOT_SYNCED, state.missingView()));
        }
        HeldRule asked = state.asked(violation.key()).orElseThrow();
        if (asked.mode(state.ceiling) == Mode.ENFORCE && !state.leading) {
            return Optional.of(Hold.untilChange(Reason.NOT_LEADER, state.whyNotLeading));
        }
        return state.cluster
                .pod(violation.key().podUid())
                .flatMap(owner -> paused(owner, now))
                .or(() -> state.refusal(violation.key())
                        .map(Refusal::hold)
                        .filter(hold -> hold.nextLook().filter(now::isBefore).isPresent()));
    }

    /** Lets breakers open and close by what has happened up to now. */
    void brake(Instant now, List<Effect> effects) {
        if (state.breakers.isStale()) {
            Situation situation =
                    situation(state.moves, now).finding((domains, candidate, _) -> brokenOnlyBy(domains, candidate));
            state.breakers.look(key -> isByNewDomain(key, situation, now), now).stream()
                    .filter(this::concernsThisReplica)
                    .forEach(report -> effects.add(new Effect.Braked(report)));
        }
    }

    /** The ids are each replica's own, and people acknowledge those of the one that leads. */
    private boolean concernsThisReplica(BrakeReport report) {
        return state.leading || !(report instanceof AcknowledgementUnknown);
    }

    private boolean isByNewDomain(ViolationKey key, Situation situation, Instant now) {
        return state.asked(key)
                        .filter(asked -> asked.rule() instanceof Rule.TopologySpread)
                        .isPresent()
                && state.clocks
                        .find(key)
                        .filter(violation -> Checks.isByNewDomain(candidate(violation, now), situation))
                        .isPresent();
    }

    /** {@return what keeps the pods that make way for a rule owner, whatever a plan would say; empty where none does} */
    Optional<Hold> makingWay(Candidate candidate, Instant now) {
        return switch (candidate.strategy()) {
            case OwnerVictim _ -> Optional.empty();
            case StandIn standIn ->
                aboutToGo(standIn.owner(), now)
                        .or(() -> paused(candidate.pod(), now).map(candidate::named))
                        .or(() -> standIn.rest().stream()
                                .flatMap(
                                        next -> paused(next.pod(), now)
                                                .or(() -> neverAllowed(next.pod(), now))
                                                .map(next::named)
                                                .stream())
                                .findFirst());
        };
    }

    /** {@return that the rule owner will soon have to go itself, unless another of its rules is healed until then} */
    private Optional<Hold> aboutToGo(Candidate owner, Instant now) {
        HeldRule asked = state.asked(owner.violation().key()).orElseThrow();
        return standIns.mayGoFrom(owner.pod(), asked)
                .filter(at -> !at.isAfter(now.plus(owner.settleTime())))
                .map(at -> Hold.until(
                        Reason.WORKLOAD_UNSETTLED,
                        "pod " + owner.pod().name()
                                + " would go itself if another broken rule of it is not healed until then",
                        at));
    }

    private Optional<Hold> neverAllowed(Pod pod, Instant now) {
        return BudgetHolds.neverAllowing(pod, state)
                .map(budget -> Hold.until(
                        Reason.DISRUPTION_BUDGET_NEVER_ALLOWS, BudgetHolds.never(budget), now.plus(LOOK_AGAIN)));
    }

    private Optional<Hold> paused(Pod pod, Instant now) {
        return state.pauses.against(state.cluster.namespace(pod.namespace()).map(Namespace::labels), now);
    }

    /** {@return the move of the violation's pod, for whatever rule, or of one that goes instead} */
    private Optional<Move> moveOf(ViolationKey key) {
        return state.moves.inFlight().stream()
                .filter(move ->
                        move.victim().uid().equals(key.podUid()) || move.key().equals(key))
                .findFirst();
    }

    private static Hold alreadyMoving(Move move) {
        return Hold.untilChange(
                Reason.MOVE_IN_SCOPE, "pod " + move.victim().name() + " is being moved for another rule");
    }

    /** Notes, without telling of it each time, that a violation waits for its turn to be planned. */
    private void queue(ViolationKey key, Instant now) {
        Instant next = now.plus(calm);
        nextPlan = earlier(nextPlan, next);
        state.decide(
                key,
                new Disposition.Held(Hold.until(
                        Reason.QUEUED,
                        "very much is due: whether another node would take the pod is looked for in turn",
                        next)));
    }

    /** {@return what a due violation is planned by} */
    Candidate candidate(Violation violation, Instant now) {
        Survey<Partners> survey = state.cluster.index().survey(Partners::of);
        return candidate(violation, now, uid -> new Scope.Conflicting(survey.around(uid)), survey);
    }

    /** @param conflicts finds the set of conflicting pods that a pod is in */
    private Candidate candidate(
            Violation violation, Instant now, Function<String, Scope> conflicts, Survey<Partners> survey) {
        HeldRule asked = state.asked(violation.key()).orElseThrow();
        Pod pod = state.cluster.pod(violation.key().podUid()).orElseThrow();
        Candidate ofOwner = new Candidate(
                violation,
                pod,
                asked.rule(),
                further(pod, asked),
                asked.askers(state.ceiling).stream()
                        .map(policy -> asker(policy, asked))
                        .toList(),
                asked.mode(state.ceiling),
                settleTime(violation),
                Workload.of(pod, state.cluster),
                scope(asked, pod, conflicts),
                VictimStrategy.ofOwner());
        List<Pod> instead = standIns.of(pod, asked, now, () -> partners(violation.key(), survey));
        return instead.isEmpty()
                ? ofOwner
                : StandIn.first(
                        ofOwner,
                        instead.stream()
                                .map(other ->
                                        ofOwner.going(other, further(other, asked), Workload.of(other, state.cluster)))
                                .toList());
    }

    /**
     * {@return the rules that policies bring to a pod beside those of its own spec, and that must hold on its next node:
     * what is only audited stands in nobody's way but its own policy's}
     */
    private List<HeldRule> further(Pod pod, HeldRule broken) {
        return state.cluster.index().rulesOf(pod.uid()).stream()
                .filter(other -> !other.own())
                .filter(other -> other.mode(Mode.ENFORCE) == Mode.ENFORCE || isAuditedWith(broken, other))
                .toList();
    }

    private static boolean isAuditedWith(HeldRule broken, HeldRule other) {
        return broken.mode(Mode.ENFORCE) == Mode.AUDIT
                && broken.askers(Mode.ENFORCE).stream().anyMatch(other::isAskedBy);
    }

    private Asker asker(PolicyId policy, HeldRule asked) {
        return new Asker(
                policy,
                state.conductOf(policy),
                asked.whenInfeasible(policy, state.ceiling),
                asked.whenDomainAdded(policy, state.ceiling));
    }

    private Duration settleTime(Violation violation) {
        Duration forgiveness = state.forgiveness(violation);
        return forgiveness.compareTo(Unrest.LONGEST) < 0 ? forgiveness : Unrest.LONGEST;
    }

    private static Scope scope(HeldRule asked, Pod pod, Function<String, Scope> conflicts) {
        Rule merged = asked.rule().mergedFor(pod.labels());
        // To hash a rule takes longer than all else here.
        RuleIdentity identity = merged.equals(asked.rule()) ? asked.identity() : merged.identity();
        return switch (merged) {
            case Rule.NodeAffinity _ -> new Scope.Alone();
            case Rule.PodAffinity affinity -> Scope.Group.of(affinity, identity, pod);
            case Rule.TopologySpread spread -> Scope.Group.of(spread, identity, pod);
            case Rule.PodAntiAffinity _ -> conflicts.apply(pod.uid());
        };
    }

    private static Partners partners(ViolationKey key, Survey<Partners> survey) {
        return survey.partners(key.podUid(), key.rule()).orElse(Partners.NONE);
    }

    private List<String> brokenOnlyBy(List<String> domains, Candidate candidate) {
        ViolationKey key = candidate.violation().key();
        return state.cluster.index().brokenOnlyBy(domains, key.podUid(), key.rule());
    }

    /** {@return what candidates are held against, all of it asked of {@code evaluate}} */
    Situation situation(Moves moves, Instant now) {
        EngineSettings settings = state.settings;
        return new Situation(
                ClusterFacts.of(state.cluster, state.volumes),
                RuleQueries.judged(state.cluster, state.execution, state.cluster.index().bystanders()),
                new Signals(
                        state.disturbances,
                        state.domains,
                        new NodeHealth(state.cluster, state.vanished, now),
                        state.breakers),
                new Bounds(settings.limits(), settings.protectedNamespaces(), new Openings(now)),
                moves,
                now);
    }

    /** Notes a hold, and tells of it when that is not what was told last: each attempt may end in the same one. */
    void hold(Violation violation, Hold hold, Instant now, List<Effect> effects) {
        ViolationKey key = violation.key();
        hold.nextLook().ifPresent(at -> nextPlan = earlier(nextPlan, at));
        state.decide(key, new Disposition.Held(hold));
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
            Optional<Disposition> before = state.disposition(key);
            state.decide(key, new Disposition.WouldEvict(candidate.pod(), chosen.target()));
            boolean told = before.filter(it -> it instanceof Disposition.WouldEvict(Pod victim, var _)
                            && victim.uid().equals(candidate.pod().uid()))
                    .isPresent();
            if (!told) {
                effects.add(new Effect.Tell(
                        new Occurrence.WouldEvict(report(candidate.violation(), now), chosen.target())));
            }
            return;
        }
        String planId = Long.toString(now.toEpochMilli(), Character.MAX_RADIX) + "-" + ++plans;
        Move move = new Move(
                planId,
                key,
                candidate.asker().policy(),
                candidate.pod(),
                candidate.rule(),
                candidate.workload(),
                candidate.scope(),
                chosen.target(),
                1,
                new Move.Stage.Confirming(now));
        state.moves.put(move);
        state.decide(key, new Disposition.Evicting(planId));
        effects.add(confirm(move));
    }

    /** {@return the reads that must come right before the request} */
    Effect confirm(Move move) {
        return new Effect.Confirm(
                move.id(),
                move.victim().name(),
                move.fromNode(),
                partners(move).stream().map(Pod::name).toList());
    }

    /** {@return the pods that are read before the request beside the victim: the first partners by UID, and the rule owner} */
    List<Pod> partners(Move move) {
        Optional<Pod> owner = state.cluster.pod(move.key().podUid());
        Optional<Verdict> verdict = owner.map(it -> state.verdict(move.rule(), it));
        return verdict.orElseGet(Verdict::satisfied) instanceof Verdict.Violated(Breach breach)
                ? Stream.concat(owner.stream(), breach.partners().stream().limit(Breach.NAMED_PARTNERS))
                        .filter(pod -> !pod.uid().equals(move.victim().uid()))
                        .toList()
                : List.of();
    }

    /** {@return the violation of a move, as it is now and as the policy sees it for which the move is made} */
    ViolationReport describe(Violation violation, Move move, Instant now) {
        return reports.asSeenBy(move.policy(), violation, now).going(BoundPod.of(move.victim()));
    }

    /** {@return the violation as it is now, noted as that which was told of it last} */
    ViolationReport report(Violation violation, Instant now) {
        return told(violation, reports.describe(violation, now));
    }

    /** {@return the violation of a move as it is now, noted as that which was told of it last} */
    ViolationReport report(Violation violation, Move move, Instant now) {
        return told(violation, describe(violation, move, now));
    }

    private ViolationReport told(Violation violation, ViolationReport report) {
        state.told.put(violation.key(), report);
        return report;
    }

    static Optional<Instant> earlier(Optional<Instant> known, Instant other) {
        return known.filter(it -> !other.isBefore(it)).or(() -> Optional.of(other));
    }
}
