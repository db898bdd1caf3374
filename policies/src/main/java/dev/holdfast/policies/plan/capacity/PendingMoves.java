package dev.holdfast.policies.plan.capacity;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodLifecycle;
import dev.holdfast.policies.model.view.AddingView;
import dev.holdfast.policies.model.view.HidingView;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The pods that will be gone, and the pods that will exist, once all moves in flight have ended. Moves chosen earlier
 * in the same plan count too.
 *
 * @param leaving UIDs of the victims, some of which are gone already
 * @param arriving the expected replacements, on the target nodes of their moves. A replacement that is bound already is
 *     left out, because the view shows it. A move without a target has no expected replacement
 */
public record PendingMoves(Set<String> leaving, List<Pod> arriving) {
    /** The value without moves in flight. */
    public static final PendingMoves NONE = new PendingMoves(Set.of(), List.of());

    public PendingMoves {
        leaving = Set.copyOf(leaving);
        arriving = List.copyOf(arriving);
    }

    /**
     * {@return the pods that leave and arrive by all moves in flight}
     *
     * @param view the cluster with the owners of the victims
     */
    public static PendingMoves of(Moves moves, ClusterView view) {
        return of(moves.inFlight(), view);
    }

    /**
     * {@return the pods that leave and arrive by these moves}
     *
     * @param view the cluster with the owners of the victims
     */
    public static PendingMoves of(Collection<Move> moves, ClusterView view) {
        Set<String> leaving = new HashSet<>();
        List<Pod> arriving = new ArrayList<>();
        for (Move move : moves) {
            leaving.add(move.victim().uid());
            if (!(move.stage() instanceof Move.Stage.Landed)) {
                Pod next = PodAdmission.withDefaults(Replacement.podFor(move.victim(), view), view);
                move.target().ifPresent(target -> arriving.add(on(target, next)));
            }
        }
        return new PendingMoves(leaving, arriving);
    }

    /** {@return the expected replacement, bound to the target node and not yet started} */
    private static Pod on(String node, Pod replacement) {
        Instant created = replacement.life().creationTime();
        return new Pod(
                replacement.uid(),
                replacement.name(),
                replacement.resourceVersion(),
                replacement.labels(),
                Optional.of(node),
                replacement.scheduling(),
                replacement.podRequirements(),
                new PodLifecycle(Phase.PENDING, false, created, created, Optional.empty(), false),
                replacement.victimProtection());
    }

    public boolean isEmpty() {
        return leaving.isEmpty();
    }

    /** {@return the expected replacements on a node, without those that are bound already} */
    List<Pod> arrivingOn(String node) {
        return arriving.stream().filter(pod -> pod.isOn(node)).toList();
    }

    /** {@return the view as it will be when all moves in flight have ended} */
    public ClusterView keptIn(ClusterView view) {
        return new AddingView(new HidingView(view, pod -> leaving.contains(pod.uid())), arriving);
    }
}
