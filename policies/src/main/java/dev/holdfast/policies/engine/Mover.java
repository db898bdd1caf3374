package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Candidate;
import dev.holdfast.policies.plan.EvictionAnswer;
import dev.holdfast.policies.plan.EvictionRequest;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Moves;
import dev.holdfast.policies.plan.Planner;
import dev.holdfast.policies.rule.Mode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Takes a move from the reads to the answer of its eviction. What follows after that is {@link FollowUp}'s. */
final class Mover {
    /** How often a pod that keeps changing is read and asked for again. */
    private static final int MOST_ATTEMPTS = 3;

    private final State state;
    private final Judge judge;
    private final Planning planning;
    private final FollowUp followUp;

    Mover(State state, Judge judge, Planning planning, FollowUp followUp) {
        this.state = state;
        this.judge = judge;
        this.planning = planning;
        this.followUp = followUp;
    }

    /** Decides once more, on what was just read and on the newest facts, and only then asks for the eviction. */
    void confirmed(Event.Confirmed read, Instant now, List<Effect> effects) {
        Optional<Move> move = state.moves.find(read.planId());
        if (move.isEmpty() || !(move.get().stage() instanceof Move.Stage.Confirming)) {
            return;
        }
        Optional<Violation> violation = state.clocks.find(key(move.get()));
        Optional<Pod> pod =
                read.pod().filter(it -> it.uid().equals(move.get().victim().uid()));
        if (violation.isEmpty()) {
            drop(move.get());
            return;
        }
        if (pod.isEmpty()) {
            Refusal gone = Refusal.ofRead(
                    Reason.VIEW_BEHIND, "the pod is gone and the change is not here yet", times(move.get()), now);
            refuse(move.get(), violation.get(), gone, now, effects);
            return;
        }
        Optional<String> behind = behind(read, pod.get(), violation.get());
        if (behind.isPresent()) {
            refuse(
                    move.get(),
                    violation.get(),
                    Refusal.ofRead(Reason.VIEW_BEHIND, behind.get(), times(move.get()), now),
                    now,
                    effects);
            return;
        }
        Optional<Hold> hold = stillRight(move.get(), violation.get(), now);
        if (hold.isPresent()) {
            drop(move.get());
            planning.hold(violation.get(), hold.get(), now, effects);
            return;
        }
        request(move.get(), violation.get(), pod.get(), now, effects);
    }

    /** Gives a move up because its pod could not be read. */
    void confirmFailed(Event.ConfirmFailed failed, Instant now, List<Effect> effects) {
        state.moves.find(failed.planId()).ifPresent(move -> {
            Optional<Violation> violation = state.clocks.find(key(move));
            Refusal refusal = Refusal.ofRead(failed.reason(), failed.message(), times(move), now);
            violation.ifPresentOrElse(it -> refuse(move, it, refusal, now, effects), () -> drop(move));
        });
    }

    private static ViolationKey key(Move move) {
        return new ViolationKey(move.victim().uid(), move.fromNode(), move.identity());
    }

    /** {@return what the API server knows and the feeds have not delivered yet} */
    private Optional<String> behind(Event.Confirmed read, Pod pod, Violation violation) {
        Optional<String> partner = partnerBehind(read.partners(), violation);
        if (partner.isPresent()) {
            return partner;
        }
        if (isBehind(pod)) {
            return Optional.of("the pod has changed and the change is not here yet");
        }
        boolean nodeBehind = read.node()
                .filter(node -> state.cluster
                        .node(node.name())
                        .filter(known -> known.resourceVersion() >= node.resourceVersion())
                        .isEmpty())
                .isPresent();
        boolean nodeGone = read.node().isEmpty()
                && pod.nodeName().flatMap(state.cluster::node).map(Node::name).isPresent();
        return nodeBehind || nodeGone
                ? Optional.of("its node has changed and the change is not here yet")
                : Optional.empty();
    }

    private Optional<String> partnerBehind(List<Pod> read, Violation violation) {
        for (Pod partner : Planning.named(violation)) {
            // Where the name stands for another pod now, the partner is gone as well.
            Optional<Pod> found =
                    read.stream().filter(pod -> pod.uid().equals(partner.uid())).findFirst();
            if (found.isEmpty()) {
                return Optional.of("pod " + partner.name() + " was not there when it was read");
            }
            if (isBehind(found.get())) {
                return Optional.of("pod " + partner.name() + " has changed and the change is not here yet");
            }
        }
        return Optional.empty();
    }

    private boolean isBehind(Pod read) {
        return state.cluster
                .pod(read.uid())
                .filter(known -> known.resourceVersion() >= read.resourceVersion())
                .isEmpty();
    }

    private Optional<Hold> stillRight(Move move, Violation violation, Instant now) {
        if (!state.allSynced()) {
            return Optional.of(Hold.until(Reason.VIEW_NOT_SYNCED, state.missingView()));
        }
        if (!state.leading) {
            return Optional.of(Hold.until(Reason.NOT_LEADER, state.whyNotLeading));
        }
        Candidate candidate = planning.candidate(violation);
        boolean due = state.deadline(violation).filter(at -> !now.isBefore(at)).isPresent();
        boolean enforced = candidate.mode() == Mode.ENFORCE;
        boolean violated = judge.verdict(candidate.rule(), candidate.pod()) instanceof Verdict.Violated;
        if (!due || !enforced || !violated) {
            // An edit or a change came between; the next plan sees it as it is now.
            return Optional.of(Hold.until(Reason.VIEW_BEHIND, "something changed while it was being decided", now));
        }
        Moves others = state.moves.copy();
        others.remove(move.id());
        return Planner.revalidate(candidate, planning.situation(others, now));
    }

    private void request(Move move, Violation violation, Pod pod, Instant now, List<Effect> effects) {
        state.moves.put(followUp.requested(move, now));
        ViolationReport report = planning.report(violation, now);
        state.leadsTo(move, report);
        effects.add(new Effect.Tell(new Occurrence.Evicting(report, move.id(), move.target())));
        effects.add(new Effect.Evict(new EvictionRequest(
                move.id(),
                pod.name(),
                pod.uid(),
                pod.resourceVersion(),
                report.policy(),
                report.rule(),
                move.identity(),
                violation.cause().describe(),
                violation.since())));
    }

    /** Takes the answer to a request. */
    void answered(Event.Answered event, Instant now, List<Effect> effects) {
        Optional<Move> found = state.moves.find(event.planId());
        if (found.isEmpty()) {
            return;
        }
        Move move = found.get();
        Optional<Violation> violation = state.clocks.find(key(move));
        effects.add(new Effect.Tell(new Occurrence.Answered(state.leadingTo(move), move.id(), event.answer())));
        switch (event.answer()) {
            case EvictionAnswer.Evicted _ -> followUp.begin(move, now);
            case EvictionAnswer.Unknown _ -> followUp.unanswered(move, now);
            case EvictionAnswer.Conflict _
            when violation.isPresent() && move.attempts() < MOST_ATTEMPTS -> {
                state.moves.put(move.again(now));
                effects.add(Planning.confirm(move, violation.get()));
            }
            case EvictionAnswer.Gone _,
                    EvictionAnswer.NamespaceTerminating _,
                    EvictionAnswer.Conflict _,
                    EvictionAnswer.OutOfBudget _,
                    EvictionAnswer.SeveralBudgets _,
                    EvictionAnswer.Throttled _,
                    EvictionAnswer.RefusedByAdmission _,
                    EvictionAnswer.DryRunUnsupported _,
                    EvictionAnswer.Forbidden _,
                    EvictionAnswer.Failed _,
                    EvictionAnswer.NotSent _ -> {
                drop(move);
                violation.ifPresent(it -> Refusal.of(event.answer(), times(move), now)
                        .ifPresent(refusal -> refuse(move, it, refusal, now, effects)));
            }
        }
    }

    private int times(Move move) {
        Refusal before = state.refusals.get(key(move));
        return before == null ? 1 : before.times() + 1;
    }

    private void refuse(Move move, Violation violation, Refusal refusal, Instant now, List<Effect> effects) {
        drop(move);
        state.refusals.put(violation.key(), refusal);
        planning.hold(violation, refusal.hold(), now, effects);
    }

    private void drop(Move move) {
        state.drop(move);
        state.dispositions.remove(key(move));
    }
}
