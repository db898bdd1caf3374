package dev.holdfast.policies.engine.ledger;

import dev.holdfast.policies.engine.breaker.MissingReplacement;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.RememberedMove;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.engine.state.MovesInFlight;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.move.EnforcedRules;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Converts moves into their stored form, and back by the present state of the cluster. */
final class MoveRecall {
    /**
     * Pods of the workload that were created this long before the eviction was requested, or earlier, are not its
     * replacement. Creation times have whole seconds, and the clocks of two processes are compared to a second.
     */
    private static final Duration INEXACT = Duration.ofSeconds(5);

    /** The maximum number of pods of one scope that the ledger has. */
    private static final int MOST_CONFLICTING = 500;

    /**
     * The maximum number of pods of all scopes together. Each move has an equal share, so no tenant takes the room of
     * others.
     */
    private static final int MOST_IN_ALL = 10_000;

    /** The ledger has at most this number of kept rules of one victim, and the same number of broken rules. */
    private static final int MOST_RULES = 50;

    private final LiveCluster cluster;
    private final MovesInFlight moves;

    MoveRecall(LiveCluster cluster, MovesInFlight moves) {
        this.cluster = cluster;
        this.moves = moves;
    }

    /** {@return the stored form of a move in flight} */
    RememberedMove remembered(Move move) {
        ViolationReport report = moves.leadingTo(move);
        return remembered(
                move,
                Optional.of(new RememberedMove.Violation(report.pod(), report.rule(), report.demand(), report.since())),
                moves.knewOwner(move),
                moves.begun(move));
    }

    /** {@return the stored form of a move that ended without a Ready replacement} */
    RememberedMove.Missing remembered(MissingReplacement missing) {
        return new RememberedMove.Missing(
                remembered(missing.move(), Optional.empty(), missing.ownerWasKnown(), missing.begun()), missing.at());
    }

    private RememberedMove remembered(
            Move move, Optional<RememberedMove.Violation> violation, boolean ownerKnown, Instant begun) {
        Pod victim = move.victim();
        return new RememberedMove(
                move.id(),
                move.key(),
                move.policy(),
                violation,
                new RememberedMove.Victim(
                        victim.uid(),
                        victim.name(),
                        move.fromNode(),
                        victim.victimProtection().controller(),
                        victim.ready(),
                        victim.victimProtection().restartPolicy()),
                move.workload(),
                ownerKnown,
                move.nodeKeys(),
                violation.isPresent() ? bounded(move.scope()) : new Scope.Alone(),
                move.target(),
                Optional.of(bounded(move.enforced())),
                begun,
                evictedAt(move.stage()),
                replacement(move.stage()));
    }

    /**
     * {@return a scope with a limited number of pods} A scope of thousands of pods that conflict would not fit. Others
     * of these pods may move after a restart while the replacement is not bound.
     */
    private Scope bounded(Scope scope) {
        int most = mostConflicting(moves.all().size());
        return scope instanceof Scope.Conflicting(Set<String> uids) && uids.size() > most
                ? new Scope.Conflicting(uids.stream().sorted().limit(most).collect(Collectors.toSet()))
                : scope;
    }

    /** {@return the number of pods of one scope for which the ledger has room, with this many moves in flight} */
    static int mostConflicting(int moves) {
        return Math.min(MOST_CONFLICTING, MOST_IN_ALL / Math.max(1, moves));
    }

    /** {@return a limited number of the rules that a victim kept and broke: fewer broken ones make a success harder} */
    private static EnforcedRules bounded(EnforcedRules rules) {
        return new EnforcedRules(
                rules.kept().stream().sorted().limit(MOST_RULES).collect(Collectors.toSet()),
                rules.broken().stream().sorted().limit(MOST_RULES).collect(Collectors.toSet()));
    }

    private static Optional<Instant> evictedAt(Move.Stage stage) {
        return switch (stage) {
            case Move.Stage.Recording _,
                    Move.Stage.Confirming _,
                    Move.Stage.DryRunning _,
                    Move.Stage.Requested _,
                    Move.Stage.Unknown _ -> Optional.empty();
            case Move.Stage.Evicted(Instant at, var _) -> Optional.of(at);
            case Move.Stage.Landed landed -> Optional.of(landed.evictedAt());
        };
    }

    private static Optional<RememberedMove.Replacement> replacement(Move.Stage stage) {
        return stage instanceof Move.Stage.Landed landed
                ? Optional.of(new RememberedMove.Replacement(landed.replacementUid(), landed.node()))
                : Optional.empty();
    }

    /**
     * {@return a move in flight that an earlier process began} If the move was only announced, its pod may have been
     * evicted or not, as if the answer to the request were lost.
     */
    MovesInFlight.Recalled recalled(RememberedMove remembered, Duration steadyAhead, Instant now) {
        Move move = move(remembered, steadyAhead, now);
        return new MovesInFlight.Recalled(move, report(remembered, move), remembered.ownerKnown(), begun(remembered));
    }

    /** {@return a move that ended without a Ready replacement in an earlier process} */
    MissingReplacement recalled(RememberedMove.Missing missing, Duration steadyAhead) {
        RememberedMove remembered = missing.move();
        return new MissingReplacement(
                move(remembered, steadyAhead, missing.at()), begun(remembered), missing.at(), remembered.ownerKnown());
    }

    /** {@return when the move began, without the time that is added to each stored instant} */
    private static Instant begun(RememberedMove remembered) {
        return remembered.begun().minus(Ledger.READ_LATER);
    }

    private Move move(RememberedMove remembered, Duration steadyAhead, Instant unknownSince) {
        Set<String> siblings = new TreeSet<>();
        siblings.add(remembered.victim().uid());
        Instant before = begun(remembered).minus(INEXACT);
        ofWorkload(remembered)
                .filter(pod -> !pod.life().creationTime().plus(steadyAhead).isAfter(before))
                .forEach(pod -> siblings.add(pod.uid()));
        remembered.replacement().ifPresent(one -> siblings.remove(one.uid()));
        return new Move(
                remembered.id(),
                remembered.key(),
                remembered.policy(),
                victim(remembered.victim()),
                Optional.empty(),
                remembered.nodeKeys(),
                remembered.workload(),
                remembered.scope(),
                remembered.target(),
                remembered
                        .enforced()
                        .orElseGet(
                                () -> EnforcedRules.onlyBroken(remembered.key().rule())),
                1,
                stage(remembered, siblings, unknownSince));
    }

    private static Move.Stage stage(RememberedMove remembered, Set<String> siblings, Instant unknownSince) {
        if (remembered.evictedAt().isEmpty()) {
            return new Move.Stage.Unknown(unknownSince, siblings);
        }
        Instant at = remembered.evictedAt().get();
        return remembered
                .replacement()
                .<Move.Stage>map(one -> new Move.Stage.Landed(at, siblings, one.uid(), one.node()))
                .orElseGet(() -> new Move.Stage.Evicted(at, siblings));
    }

    private Stream<Pod> ofWorkload(RememberedMove remembered) {
        return cluster.podsIn(remembered.victim().name().namespace()).stream()
                .filter(pod -> remembered.workload().isPresent()
                        && Workload.of(pod, cluster).equals(remembered.workload()));
    }

    /** {@return the victim as it was, with the spec of a pod of the same controller if it is gone} */
    private Pod victim(RememberedMove.Victim remembered) {
        Optional<Pod> like = cluster.pod(remembered.uid())
                .or(() -> cluster.podsIn(remembered.name().namespace()).stream()
                        .filter(pod -> remembered.controller().isPresent()
                                && pod.victimProtection().controller().equals(remembered.controller()))
                        .findFirst());
        return new Pod(
                remembered.uid(),
                remembered.name(),
                like.map(Pod::resourceVersion).orElse(0L),
                like.map(Pod::labels).orElseGet(Labels::none),
                Optional.of(remembered.node()),
                like.map(Pod::scheduling).orElseGet(Scheduling::anywhere),
                like.map(Pod::podRequirements).orElseGet(PodRequirements::none),
                new PodLifecycle(
                        Phase.RUNNING, remembered.ready(), Instant.EPOCH, Instant.EPOCH, Optional.empty(), false),
                like.map(Pod::victimProtection).orElseGet(() -> protection(remembered)));
    }

    private static VictimProtection protection(RememberedMove.Victim victim) {
        return new VictimProtection(victim.controller(), 0, victim.restartPolicy(), false, false, false);
    }

    private static ViolationReport report(RememberedMove remembered, Move move) {
        RememberedMove.Violation violation = remembered
                .violation()
                .orElseThrow(() -> new IllegalArgumentException("a move in flight without its violation"));
        BoundPod victim = BoundPod.of(move.victim());
        Optional<Controller> controller = move.isOfOwner() ? victim.controller() : Optional.empty();
        return new ViolationReport(
                move.key(),
                violation.owner(),
                controller,
                victim,
                move.policy(),
                violation.rule(),
                violation.demand(),
                Mode.ENFORCE,
                new Cause.FoundAtStart(),
                new ViolationDetail.NodeMismatch(move.fromNode(), violation.demand(), ""),
                violation.since(),
                Duration.ZERO,
                violation.since(),
                Optional.empty(),
                ViolationState.EVICTING,
                Optional.empty());
    }
}
