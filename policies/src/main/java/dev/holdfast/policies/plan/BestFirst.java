package dev.holdfast.policies.plan;

import dev.holdfast.policies.plan.situation.Candidate;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;

/**
 * Decides about candidates of equal priority. Of a few that may be chosen, it chooses the one whose move heals most
 * violations, its own and those of other pods, and then looks at the others again. So one change that breaks several
 * rules moves the pod whose move heals them all.
 *
 * <p>Example: node n1 loses the label {@code disk=ssd} that a cache needs, and a zone label, so that two web pods have no
 * cache in their zone. The move of a web pod heals one violation. The move of the cache into their zone heals three.
 */
final class BestFirst {
    /** How many candidates are compared at a time. Each costs a search for a node. */
    private static final int COMPARED = 8;

    private final PlanDraft draft;

    BestFirst(PlanDraft draft) {
        this.draft = draft;
    }

    /**
     * Decides which candidates are chosen, held or left to a later plan.
     *
     * @param equals candidates of equal mode and priority, in victim order
     */
    void decide(List<Candidate> equals) {
        Deque<Candidate> rest = new ArrayDeque<>(equals);
        List<PlanOption> options = List.of();
        while (!options.isEmpty() || !rest.isEmpty()) {
            List<PlanOption> compared = new ArrayList<>();
            options.forEach(option -> draft.refreshed(option).ifPresent(compared::add));
            while (compared.size() < COMPARED && !rest.isEmpty()) {
                draft.option(rest.removeFirst()).ifPresent(compared::add);
            }
            compared.stream().max(Comparator.comparingInt(PlanOption::heals)).ifPresent(best -> {
                compared.remove(best);
                draft.refreshed(best).map(PlanOption::victim).ifPresent(draft::choose);
            });
            options = compared;
        }
    }
}
