package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.capacity.Nowhere;
import dev.holdfast.policies.plan.capacity.Obstacle;
import dev.holdfast.policies.plan.check.Checks;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.place.Places;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A plan while it is made. What is chosen is promised: it counts as in flight for those after it. Those for whom no place was
 * found are looked at once more at the end, when others were chosen after them: who else moves may have been in their way.
 */
final class PlanDraft {
    private final Situation situation;
    private final Moves moves;
    private final Places places;
    private final Checks checks;
    private final List<Plan.Chosen> chosen = new ArrayList<>();
    private final List<Plan.Held> held = new ArrayList<>();
    private final List<Candidate> later = new ArrayList<>();
    private final PutOff putOff = new PutOff();

    private final List<WithoutPlace> withoutPlace = new ArrayList<>();

    /** @param moves how many were under way when no place was found */
    private record WithoutPlace(Plan.Held held, int moves) {
        Candidate candidate() {
            return held.candidate();
        }
    }

    /** @param before its moves are not changed */
    PlanDraft(Situation before, Places places, Checks checks) {
        this.moves = before.moves().copy();
        this.situation = before.with(moves);
        this.places = places;
        this.checks = checks;
    }

    /** Holds a candidate, whatever places there are. */
    void hold(Candidate candidate, Hold hold) {
        places.pass(candidate, situation.now());
        held.add(new Plan.Held(candidate, hold));
    }

    /** Decides about a candidate with all those chosen before it promised. */
    void decide(Candidate candidate) {
        Optional<Hold> hold = checks.firstHold(candidate, situation);
        if (hold.isPresent()) {
            hold(candidate, hold.get());
            return;
        }
        Optional<Places.Place> place =
                putOff.has(candidate.scope()) || !situation.cluster().volumes().areRead(candidate.pod())
                        ? Optional.empty()
                        : places.place(candidate, situation);
        if (place.isEmpty()) {
            places.pass(candidate, situation.now());
            putOff.add(candidate.scope());
            later.add(candidate);
            return;
        }
        switch (decision(candidate, place.get())) {
            case Plan.Held infeasible ->
                withoutPlace.add(new WithoutPlace(infeasible, moves.inFlight().size()));
            case Plan.Chosen victim -> choose(victim);
        }
    }

    private Plan.Decision decision(Candidate candidate, Places.Place place) {
        Candidate asked = place.target().isPresent()
                ? checks.permitted(candidate, situation)
                : checks.insisted(candidate, situation);
        return decided(asked, place.target(), place.against());
    }

    /**
     * {@return the decision about a candidate that is not held for anything but its place}
     *
     * @param against why no node would take it; absent if one would
     */
    Plan.Decision decided(Candidate candidate, Optional<String> target, Optional<Obstacle> against) {
        Instant now = situation.now();
        Nowhere.Stretch nowhere = places.nowhere(candidate).orElseGet(() -> new Nowhere.Stretch(now, now));
        return against.flatMap(obstacle -> checks.ofPlace().against(candidate, obstacle, nowhere, now))
                .map(candidate::named)
                .<Plan.Decision>map(hold -> new Plan.Held(candidate, hold))
                .orElseGet(() -> new Plan.Chosen(candidate, target));
    }

    private void choose(Plan.Chosen victim) {
        chosen.add(victim);
        moves.put(victim.candidate().promised(victim.target(), situation.now()));
    }

    /** Looks once more at those without a place after whom others were chosen, as far as this plan may still look at nodes. */
    void lookAgain() {
        for (WithoutPlace failed : withoutPlace) {
            Candidate candidate = failed.candidate();
            boolean changed = moves.inFlight().size() > failed.moves()
                    && checks.firstHold(candidate, situation).isEmpty();
            Plan.Decision decision = Optional.of(candidate)
                    .filter(_ -> changed)
                    .flatMap(it -> places.lookAgain(it, situation))
                    .map(place -> decision(candidate, place))
                    .orElse(failed.held());
            switch (decision) {
                case Plan.Held infeasible -> held.add(infeasible);
                case Plan.Chosen victim -> choose(victim);
            }
        }
    }

    Plan plan() {
        return new Plan(
                chosen, held, later, places.nextLook(withoutPlace.stream().map(WithoutPlace::candidate)));
    }
}
