package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Marks;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Conduct;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Pause;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/**
 * The engine: one thread hands it every event in order and carries out what comes back.
 *
 * <p>Nothing is judged before every view has been synced once; then everything is judged at once, and what is broken
 * already starts its clock there. Not thread-safe.
 */
public final class Engine {
    /** A gap in observation beyond this, or beyond a tenth of the forgiveness, starts clocks anew. */
    private static final Duration LONGEST_BLIND = Duration.ofSeconds(30);

    private static final int BLIND_SHARE = 10;

    /** How many effects an event has, as a rule at most. */
    private static final int FEW = 4;

    private final State state;
    private final Witness witness;
    private final Resets resets;
    private final Shadow shadow;
    private final Judge judge;
    private final Planning planning;
    private final FollowUp followUp;
    private final Mover mover;
    private final Publishing publishing;

    public Engine(EngineSettings settings) {
        this(new State(settings));
    }

    Engine(State state) {
        this.state = state;
        Reports reports = new Reports(state);
        this.witness = new Witness(state);
        this.resets = new Resets(state);
        this.shadow = new Shadow(state);
        this.judge = new Judge(state, reports, shadow);
        this.planning = new Planning(state, reports);
        this.followUp = new FollowUp(state);
        this.mover = new Mover(state, judge, planning, followUp);
        this.publishing = new Publishing(state, reports);
    }

    /**
     * Takes one event.
     *
     * @param now by a clock that never goes back within a run
     * @return what is to be done, in this order
     */
    public List<Effect> step(Event event, Instant now) {
        List<Effect> effects = new ArrayList<>(FEW);
        // Asked first, since a pod that goes has no namespace any more.
        Predicate<Move> concerned = concernedBy(event);
        take(event, now, effects);
        if (state.complete) {
            followUp.run(concerned, now, effects);
            resets.sweep(now);
            planning.run(now, effects);
            publishing.run(now, effects);
            nextLook().ifPresent(at -> effects.add(new Effect.WakeAt(at)));
        }
        return effects;
    }

    /**
     * {@return the status of each view after the last event, which later events do not change} Only {@link Event.ViewSynced}
     * and {@link Event.ViewLost} make it another one.
     */
    public Map<View, ViewStatus> views() {
        return state.views();
    }

    /** {@return how much is remembered of violations, moves and what pods are asked for; 0 in an empty cluster} */
    int remembered() {
        return state.remembered() + judge.remembered() + publishing.remembered();
    }

    private Optional<Instant> nextLook() {
        return earlier(earlier(planning.nextPlan(), followUp.nextLook()), publishing.nextLook());
    }

    /** Asked after each event: no stream. */
    private static Optional<Instant> earlier(Optional<Instant> one, Optional<Instant> other) {
        if (one.isEmpty() || other.isEmpty()) {
            return one.isEmpty() ? other : one;
        }
        return other.get().isBefore(one.get()) ? other : one;
    }

    private void take(Event event, Instant now, List<Effect> effects) {
        switch (event) {
            case Event.FactChanged(ClusterEvent fact) -> fact(fact, now, effects);
            case Event.PolicyChanged(Policy policy, Conduct conduct) -> {
                resets.see(policy);
                Set<ViolationKey> started = state.startedBy(() -> {
                    judge.policy(policy, now, effects);
                    state.conduct(policy.id(), conduct, now);
                });
                state.breakers.backlogs().edited(policy, started, now);
            }
            case Event.PolicyAcknowledged(PolicyId policy, var ids) ->
                state.breakers.backlogs().acknowledged(policy, ids);
            case Event.PolicyRemoved(PolicyId policy) -> {
                judge.policyGone(policy, now, effects);
                state.breakers.backlogs().forget(policy);
                publishing.forget(policy);
            }
            case Event.PauseChanged(Pause pause) -> state.pauses.put(pause);
            case Event.PauseRemoved(String pause) -> state.pauses.remove(pause);
            case Event.ViewSynced(View view) -> viewSynced(view, now, effects);
            case Event.ViewLost(View view, String why, Instant lastHeard) -> state.lost(view, why, lastHeard);
            case Event.LeadershipGained _ -> state.lead(now);
            case Event.LeadershipLost(String why) -> {
                state.leading = false;
                state.whyNotLeading = why;
            }
            case Event.ModeCapped(var ceiling, var _) -> state.cap(ceiling, now);
            case Event.TimePassed _ -> {
                // What time alone changes is found below.
            }
            case Event.TimeToCompare(int most) -> compare(most, effects);
            case Event.Confirmed confirmed -> mover.confirmed(confirmed, now, effects);
            case Event.ClaimRead(var claim, var volume) -> state.volumes.put(claim, volume, now);
            case Event.ConfirmFailed failed -> mover.confirmFailed(failed, now, effects);
            case Event.Rehearsed rehearsed -> mover.rehearsed(rehearsed, now, effects);
            case Event.Answered answered -> mover.answered(answered, now, effects);
        }
        if (event instanceof Event.TimeToCompare) {
            return;
        }
        if (!(event instanceof Event.FactChanged || event instanceof Event.TimePassed)) {
            state.planStale = true;
        }
        publishing.changed();
    }

    /** {@return the moves that an event may bring on} */
    private Predicate<Move> concernedBy(Event event) {
        if (event instanceof Event.TimeToCompare) {
            return _ -> false;
        }
        return event instanceof Event.FactChanged(ClusterEvent fact) ? concernedBy(fact) : _ -> true;
    }

    private Predicate<Move> concernedBy(ClusterEvent fact) {
        return switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) -> move -> followUp.follows(move, pod);
            case ClusterEvent.PodGone(String uid) -> {
                Optional<Pod> pod = state.cluster.pod(uid);
                yield move -> pod.filter(it -> followUp.follows(move, it)).isPresent();
            }
            case ClusterEvent.OwnerChanged(Owner owner) -> move -> isIn(move, owner);
            case ClusterEvent.OwnerGone(String uid) -> {
                Optional<Owner> owner = state.cluster.owner(uid);
                yield move -> owner.filter(it -> isIn(move, it)).isPresent();
            }
            case ClusterEvent.OfNode _, ClusterEvent.OfNamespace _, ClusterEvent.OfBudget _ -> _ -> false;
        };
    }

    private static boolean isIn(Move move, Owner owner) {
        return owner.name().namespace().equals(move.victim().namespace());
    }

    private void compare(int most, List<Effect> effects) {
        if (state.complete) {
            boolean trusted = state.distrust().isEmpty();
            effects.add(shadow.compare(most));
            if (trusted && state.distrust().isPresent()) {
                publishing.changed();
            }
        }
    }

    private void fact(ClusterEvent fact, Instant now, List<Effect> effects) {
        // Looked up once for all who ask: most facts are of pods.
        Optional<Pod> before =
                fact instanceof ClusterEvent.PodChanged(Pod pod) ? state.cluster.pod(pod.uid()) : Optional.empty();
        Optional<Predicate<Pod>> remarked = remarked(fact, before);
        BudgetHolds.lift(fact, state);
        witness.see(fact, now);
        resets.see(fact, now);
        state.breakers.see(fact, now);
        boolean matters = !isStatusOnly(fact, before);
        judge.fact(fact, now, effects);
        if (remarked.isPresent()) {
            judge.remarked(remarked.get(), now, effects);
        }
        state.planStale |= (matters && state.hasDecided()) || state.breakers.isStale();
    }

    /** {@return the pods for which annotations ask otherwise once the fact is true; absent if for none} */
    private Optional<Predicate<Pod>> remarked(ClusterEvent fact, Optional<Pod> before) {
        return switch (fact) {
            case ClusterEvent.PodChanged(Pod pod) ->
                before.isEmpty() || asksLike(before.get(), pod)
                        ? Optional.empty()
                        : Optional.of(other -> other.uid().equals(pod.uid()));
            case ClusterEvent.OwnerChanged(Owner owner) ->
                Optional.of(owner.name().namespace())
                        .filter(_ -> !owner.marks().asksLike(marksOfOwner(owner.uid())))
                        .map(Engine::in);
            case ClusterEvent.NamespaceChanged(Namespace namespace) ->
                Optional.of(namespace.name())
                        .filter(name -> !namespace.marks().asksLike(marksOfNamespace(name)))
                        .map(Engine::in);
            case ClusterEvent.PodGone _,
                    ClusterEvent.NamespaceGone _,
                    ClusterEvent.OwnerGone _,
                    ClusterEvent.OfNode _,
                    ClusterEvent.OfBudget _ -> Optional.empty();
        };
    }

    private static boolean asksLike(Pod before, Pod now) {
        return before.protection().marks().asksLike(now.protection().marks());
    }

    private Marks marksOfOwner(String uid) {
        return state.cluster.owner(uid).map(Owner::marks).orElse(Marks.none());
    }

    private Marks marksOfNamespace(String name) {
        return state.cluster.namespace(name).map(Namespace::marks).orElse(Marks.none());
    }

    private static Predicate<Pod> in(String namespace) {
        return pod -> pod.namespace().equals(namespace);
    }

    private static boolean isStatusOnly(ClusterEvent fact, Optional<Pod> before) {
        return before.isPresent()
                && fact instanceof ClusterEvent.PodChanged(Pod pod)
                && isStatusOnly(before.get(), pod);
    }

    private static boolean isStatusOnly(Pod before, Pod now) {
        return now.differsOnlyInStatusFrom(before)
                && now.started() == before.started()
                && now.beingDisrupted() == before.beingDisrupted();
    }

    private void viewSynced(View view, Instant now, List<Effect> effects) {
        state.synced(view, now);
        if (view == View.NODES) {
            state.domains.doubt();
        }
        if (!state.complete && state.allSynced()) {
            judge.first(now, effects);
        }
        if (!state.seesViolations()) {
            return;
        }
        state.blindSince.ifPresent(since -> state.unobserved((violation, from) -> later(violation, from, since, now)));
        state.blindSince = Optional.empty();
    }

    /** Time not observed adds nothing, and after a longer gap nothing of what was observed before counts. */
    private Instant later(Violation violation, Instant from, Instant blindSince, Instant now) {
        Duration gap = Duration.between(blindSince, now);
        Duration share = state.forgiveness(violation).dividedBy(BLIND_SHARE);
        boolean tooLong = gap.compareTo(LONGEST_BLIND) > 0 || gap.compareTo(share) > 0;
        Instant later = from.plus(gap);
        return tooLong || later.isAfter(now) ? now : later;
    }
}
