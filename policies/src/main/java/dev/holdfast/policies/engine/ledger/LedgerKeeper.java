package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.engine.breaker.Breakers;
import dev.holdfast.policies.engine.breaker.MissingReplacement;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.protocol.ledger.PolicyVersion;
import dev.holdfast.policies.engine.report.ClockRestart;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.engine.state.PlanSchedule;
import dev.holdfast.policies.engine.state.PlannerMemory;
import dev.holdfast.policies.engine.state.Readiness;
import dev.holdfast.policies.engine.state.RequestedRules;
import dev.holdfast.policies.engine.state.SharedValues;
import dev.holdfast.policies.engine.state.ViolationBook;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.domain.RememberedNodes;
import dev.holdfast.policies.plan.input.Disturbance;
import dev.holdfast.policies.plan.input.RecentDisturbances;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Keeps the ledger: reads it when this replica becomes the leader, takes over its content, and writes changes. A move
 * goes on when the ledger has it, so that after a crash at any time the next process knows each eviction.
 */
public final class LedgerKeeper {
    /** How long the first plan of a leader waits for the ledger. */
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);

    /** The reason why policies that no operator enforced before count as new, as text after "since". */
    private static final String BEGAN = "the operator began to enforce";

    private final LedgerState state;
    private final PlanSchedule schedule;
    private final Readiness readiness;
    private final RequestedRules requested;
    private final ViolationBook book;
    private final MovesInFlight moves;
    private final Breakers breakers;
    private final MoveRecall recall;
    private final ClockKeeper clocks;
    private final LiveCluster cluster;
    private final PlannerMemory plannerMemory;
    private final EndedHolds endedHolds;

    /** Whether the deadlines still date from before this replica led. */
    private boolean deadlinesAreOld;

    /** Whether this process leads for the first time, and found no place for a ledger. */
    private boolean knowsNothing;

    /** Whether this process has led before, so that it knows what it enforced. */
    private boolean hasLed;

    /** When the ledger that was written last stops being true, because policies stop counting as enforced. */
    private Optional<Instant> dipEnds = Optional.empty();

    /** How far the engine's clock is ahead of the API server's, which the times of pods follow. */
    private Duration steadyAhead = Duration.ZERO;

    public LedgerKeeper(
            LedgerState state,
            PlanSchedule schedule,
            LiveCluster cluster,
            Readiness readiness,
            RequestedRules requested,
            ViolationBook book,
            MovesInFlight moves,
            Breakers breakers,
            PlannerMemory plannerMemory,
            EndedHolds endedHolds) {
        this.state = state;
        this.endedHolds = endedHolds;
        this.schedule = schedule;
        this.cluster = cluster;
        this.plannerMemory = plannerMemory;
        this.readiness = readiness;
        this.requested = requested;
        this.book = book;
        this.moves = moves;
        this.breakers = breakers;
        this.recall = new MoveRecall(cluster, moves);
        this.clocks = new ClockKeeper(state, readiness, book, new ClockRecall(cluster, requested, book, readiness));
    }

    /**
     * Begins to read the ledger, because this replica became the leader: another one may have led before. A process
     * that found no place for a ledger looks again: the lease must say that the ledger of other replicas is outdated.
     * The first plan waits for the answer.
     */
    public void lead(Instant now, List<Effect> effects) {
        deadlinesAreOld = true;
        schedule.awaitUntil(now.plus(LONGEST_WAIT));
        read(effects);
    }

    private void read(List<Effect> effects) {
        effects.add(new Effect.ReadLedger(state.read()));
    }

    /** {@return whether this process reads a ledger, which says which clocks go on} */
    public boolean remembers() {
        return state.isConfigured();
    }

    /** Continues with what this replica knows, because no other replica led meanwhile; else reads the ledger. */
    public void leadAgain(Instant now, List<Effect> effects) {
        if (state.wasCurrent()) {
            state.current();
        } else if (state.isConfigured()) {
            lead(now, effects);
        }
    }

    /** Writes nothing from now on: another replica may lead. */
    public void follow() {
        dipEnds = Optional.empty();
        state.follow();
    }

    /** Takes the answer to a reading. */
    public void read(Event.LedgerRead read, Instant now) {
        steadyAhead = read.steadyAhead();
        if (state.answered(read.number(), read.reading(), now)) {
            take(read.reading());
        }
    }

    private void take(LedgerReading reading) {
        switch (reading) {
            case LedgerReading.Found _, LedgerReading.Unreadable _ -> {
                // What they say decides about the deadlines, once it is taken over.
            }
            case LedgerReading.Failed _ -> {
                if (deadlinesAreOld) {
                    book.updateAll();
                }
                decideWithoutLedger();
            }
            case LedgerReading.NoMemory _ -> {
                book.updateAll(ClockRestart.LEADERSHIP_GAINED, readiness.enforcingSince());
                decideWithoutLedger();
                knowsNothing = !hasLed;
            }
        }
    }

    private void decideWithoutLedger() {
        deadlinesAreOld = false;
        schedule.resume();
    }

    /**
     * Takes the answer to a write.
     *
     * @return the moves that the ledger has now, and that go on
     */
    public List<Move> written(Event.LedgerWritten written) {
        boolean failedBefore = state.hasFailed();
        boolean awaited = state.written(written.revision());
        if (awaited && failedBefore) {
            moves.reconsider();
        }
        return awaited
                ? announced().stream()
                        .filter(move -> move.stage() instanceof Move.Stage.Recording(var _, long revision)
                                && revision <= written.revision())
                        .toList()
                : List.of();
    }

    /** Takes the answer to a write that failed, and drops the moves that the ledger does not have. */
    public void notWritten(Event.LedgerNotWritten failed) {
        if (state.notWritten(failed.revision(), failed.why())) {
            announced().forEach(moves::drop);
            moves.reconsider();
        }
    }

    private List<Move> announced() {
        return moves.all().stream()
                .filter(move -> move.stage() instanceof Move.Stage.Recording)
                .toList();
    }

    private boolean announces() {
        for (Move move : moves.all()) {
            if (move.stage() instanceof Move.Stage.Recording) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes over a ledger that was read, once all views are synced: its moves and clocks can be read only with the
     * cluster.
     */
    public void takeOver(Instant now) {
        if (!readiness.isCeilingKnown() || !readiness.views().all()) {
            // Which clocks are of enforced rules is known only then, and which violations and labels there are.
            return;
        }
        if (knowsNothing && requested.ceiling() == Mode.ENFORCE) {
            knowsNothing = false;
            hasLed = true;
            beginsToEnforce(now);
        }
        state.waiting().ifPresent(reading -> {
            hasLed = true;
            takeOver(reading, now);
            state.current();
            deadlinesAreOld = false;
            moves.reconsider();
            schedule.resume();
        });
    }

    private void takeOver(LedgerReading reading, Instant now) {
        switch (reading) {
            case LedgerReading.Found(Ledger ledger, Instant written, var shards) -> {
                state.found();
                takeOver(ledger, written, now);
                noteYoungPods(ledger, now);
                clocks.takeOver(shards, steadyAhead);
            }
            case LedgerReading.Unreadable(String why) -> {
                state.lost(why, now);
                breakers.countAll(enforced(), now);
                breakers.unseen(
                        cluster.index().policies(), Optional.of("the operator's ledger was lost"), enforced(), now);
                clocks.takeOver(List.of(), steadyAhead);
            }
            case LedgerReading.Failed _, LedgerReading.NoMemory _ ->
                throw new IllegalArgumentException("nothing was read");
        }
    }

    private void takeOver(Ledger ledger, Instant written, Instant now) {
        List<MissingReplacement> missing = ledger.missing().stream()
                .map(one -> recall.recalled(one, steadyAhead))
                .toList();
        moves.recall(
                ledger.limits(),
                ledger.moves().stream()
                        .map(move -> recall.recalled(move, steadyAhead, now))
                        .toList(),
                missing);
        Map<String, MissingReplacement> byId = new HashMap<>();
        missing.forEach(one -> byId.put(one.move().id(), one));
        breakers.recall(ledger.brakes(), written, byId, enforced(), now);
        breakers.recallBacklogs(ledger.brakes().backlogs(), written, steadyAhead, enforced(), now);
        endedHolds.count(ledger, written, enforced(), now);
        readiness.recall(ledger.brakes().failedCheck());
        ledger.nodes().ifPresent(nodes -> recall(nodes, written));
        ledger.policies().ifPresent(known -> noteUnseenEdits(known, written, now));
    }

    /**
     * Takes over what an earlier process knew about nodes. Times of Node objects follow the API server's clock, others
     * the clock of the process that saw them. Of two instants, the one that makes a domain younger counts.
     */
    private void recall(RememberedNodes nodes, Instant written) {
        Duration behind = steadyAhead.isNegative() ? steadyAhead.negated() : Duration.ZERO;
        plannerMemory.recall(
                nodes.withDomainsLater(behind), written.minus(Ledger.INEXACT).minus(ahead()));
    }

    private Duration ahead() {
        return steadyAhead.isPositive() ? steadyAhead : Duration.ZERO;
    }

    /** {@return what the ledger stores about nodes; no domains while a view is lost, since changes are missed} */
    private RememberedNodes nodes() {
        RememberedNodes all =
                plannerMemory.rememberedNodes(cluster.index().spreadDomains(), cluster.index()::dependsOnNodeLabel);
        return readiness.views().all() ? all.withDomainsLater(ahead()) : all.withoutDomains();
    }

    /**
     * Treats policies that were made or edited while no operator watched as if they were edited now. An edit after the
     * last write is not in the ledger either, but this process has seen such an edit.
     */
    private void noteUnseenEdits(List<PolicyVersion> known, Instant written, Instant now) {
        Map<PolicyId, String> versions = new HashMap<>();
        known.forEach(one -> versions.put(one.policy(), one.version()));
        Instant early = written.minus(Ledger.INEXACT);
        List<Policy> edited = cluster.index().policies().stream()
                .filter(policy -> !requested.objectVersion(policy.id()).equals(versions.get(policy.id())))
                .filter(policy -> !requested.hasSeenEdit(
                        policy.id(), versions.getOrDefault(policy.id(), RequestedRules.NO_VERSION), early))
                .toList();
        known.stream()
                .filter(before -> cluster.index()
                        .policy(before.policy())
                        .filter(before::requiredOther)
                        .isPresent())
                .forEach(before -> moves.history().edited(before.policy()));
        breakers.unseen(edited, known.isEmpty() ? Optional.of(BEGAN) : Optional.empty(), enforced(), now);
    }

    /** Counts all violations as newly enforced, because the operator may enforce from now on. */
    public void beginsToEnforce(Instant now) {
        breakers.unseen(cluster.index().policies(), Optional.of(BEGAN), enforced(), now);
    }

    /**
     * {@return the versions of the policies; none while this process may only audit, as it does not enforce them} A
     * right that is missing for a few minutes changes nothing: a restart then enforces nothing newly.
     */
    private List<PolicyVersion> versions() {
        return requested.ceiling() != Mode.ENFORCE && dipEnds.isEmpty()
                ? List.of()
                : cluster.index().policies().stream()
                        .map(policy -> PolicyVersion.of(policy, requested.objectVersion(policy.id())))
                        .toList();
    }

    /** Notes the pods created a short time ago: after an unseen change too, a workload needs time to settle. */
    private void noteYoungPods(Ledger ledger, Instant now) {
        Set<String> own = new HashSet<>();
        ledger.limits().repeated().forEach(one -> own.add(one.podUid()));
        ledger.moves().forEach(move -> move.replacement().ifPresent(it -> own.add(it.uid())));
        Instant young = now.minus(RecentDisturbances.LONGEST).minus(steadyAhead);
        Map<Workload.Id, List<Disturbance>> earlier = new LinkedHashMap<>();
        SharedValues<Instant> instants = new SharedValues<>();
        for (Pod pod : cluster.pods()) {
            if (pod.life().creationTime().isAfter(young) && !pod.finished() && !own.contains(pod.uid())) {
                Instant created = pod.life().creationTime().plus(steadyAhead);
                Instant at = instants.of(created.isAfter(now) ? now : created);
                Workload.Id.of(pod, cluster)
                        .ifPresent(workload -> earlier.computeIfAbsent(workload, _ -> new ArrayList<>())
                                .add(new Disturbance(pod.uid(), pod.name(), Disturbance.What.CREATED, at)));
            }
        }
        plannerMemory.workloadDisturbances().noteEarlier(earlier);
    }

    /** {@return the violations of rules that a policy enforces, even if the mode ceiling is weaker at present} */
    private List<Violation> enforced() {
        return book.running().stream()
                .filter(violation -> requested
                        .find(violation.key())
                        .filter(rule -> rule.mode(Mode.ENFORCE) == Mode.ENFORCE)
                        .isPresent())
                .toList();
    }

    /** Reads or writes the ledger if that is due; called after each event. */
    public void run(Instant now, List<Effect> effects) {
        if (state.mustReadAgain(now)) {
            read(effects);
        } else {
            if (dipEnds.filter(end -> !now.isBefore(end)).isPresent()) {
                dipEnds = Optional.empty();
                state.writeAnyway();
            }
            if (effects.stream().anyMatch(Effect.Braked.class::isInstance)) {
                state.hurry();
            }
            if (state.mayWrite(announces(), now)) {
                write(now, effects);
            }
        }
        clocks.run(now, effects);
    }

    /** Takes the answer to a write of clocks. */
    public void clocksWritten(Event.ClocksWritten answer) {
        clocks.written(answer);
    }

    /**
     * Writes everything, because this process ends: an upgrade may just have replaced the ConfigMaps by the empty ones
     * of the chart.
     */
    public void end(Instant now, List<Effect> effects) {
        // Their evictions are not requested any more, so the next process need not watch their pods.
        List.copyOf(moves.all()).stream().filter(move -> !move.requested()).forEach(moves::drop);
        if (state.isCurrent()) {
            state.forgetWrites();
            write(now, effects);
        }
        clocks.end(now, effects);
    }

    private void write(Instant now, List<Effect> effects) {
        endedHolds.countSinceLast(now);
        dipEnds = requested.ceiling() == Mode.ENFORCE ? Optional.empty() : readiness.dipsUntil(now);
        Ledger ledger = new Ledger(
                moves.moves().remembered(),
                moves.all().stream().map(recall::remembered).toList(),
                moves.awaited().stream().map(recall::remembered).toList(),
                breakers.remembered(readiness.failedCheck(), endedHolds.remembered(now)),
                Optional.of(nodes()),
                Optional.of(versions()),
                Optional.of(endedHolds.protection()));
        state.write(ledger, now).ifPresent(revision -> effects.add(new Effect.WriteLedger(ledger, revision, now)));
    }

    /** {@return when to act next if no event comes; empty if there is nothing to do} */
    public Optional<Instant> nextLook() {
        Optional<Instant> ofClocks = clocks.nextLook()
                .filter(at -> dipEnds.filter(at::isAfter).isEmpty())
                .or(() -> dipEnds);
        return state.nextLook(announces())
                .filter(at -> ofClocks.filter(at::isAfter).isEmpty())
                .or(() -> ofClocks);
    }
}
