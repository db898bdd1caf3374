package dev.holdfast.policies.engine;

import dev.holdfast.policies.forgive.Clocks;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Cluster;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.HidingView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Moves;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiPredicate;

/** Everything the engine remembers. The parts of the engine share it; nobody else sees it. */
final class State {
    final EngineSettings settings;
    final Cluster cluster = new Cluster();

    /** The cluster without the pods that are no partners of anti-affinity while pods run. */
    final ClusterView execution;

    final RuleBook book = new RuleBook();
    final Clocks clocks = new Clocks();
    final Moves moves = new Moves();
    final History history = new History();

    /** What was last decided about each due violation. */
    final Map<ViolationKey, Disposition> dispositions = new HashMap<>();

    /** What came from outside against acting on a running violation. */
    private final Map<ViolationKey, Refusal> refusals = new HashMap<>();

    /** Each running violation as it was last told, for the day when it can no longer be described. */
    final Map<ViolationKey, ViolationReport> told = new HashMap<>();

    /** What was behind each requested move, by plan id. */
    private final Map<String, Behind> behindMoves = new HashMap<>();

    /**
     * What is remembered of the instant a move was requested.
     *
     * @param ownerKnown whether the victim's controller is of a kind that is watched, so that one can see it go
     */
    private record Behind(ViolationReport violation, boolean ownerKnown) {}

    private final Set<View> synced = EnumSet.noneOf(View.class);
    private final Map<View, String> lost = new EnumMap<>(View.class);

    /** Whether everything was seen once, so that verdicts mean something. */
    boolean complete;

    boolean leading;
    String whyNotLeading = "no replica has taken the lease yet";

    /** Nobody may evict before it is known that they may. */
    Mode ceiling = Mode.AUDIT;

    /** Since when the ceiling is as high as it is. */
    private Instant enforcingSince = Instant.EPOCH;

    /** Since when changes may have been missed: of all views lost since everything was seen, the one silent longest. */
    Optional<Instant> blindSince = Optional.empty();

    /** Whether something happened since the last plan that may change it. */
    boolean planStale = true;

    State(EngineSettings settings) {
        this.settings = settings;
        this.execution =
                new HidingView(cluster, pod -> settings.exemptNamespaces().contains(pod.namespace()));
    }

    boolean allSynced() {
        return synced.size() == View.values().length;
    }

    /** {@return the first view that is not synced, with the reason} */
    String missingView() {
        for (View view : View.values()) {
            if (!synced.contains(view)) {
                return "view " + view.name().toLowerCase(Locale.ROOT) + ": "
                        + lost.getOrDefault(view, "not synced yet");
            }
        }
        return "";
    }

    void synced(View view) {
        synced.add(view);
        lost.remove(view);
    }

    void lost(View view, String why, Instant lastHeard) {
        synced.remove(view);
        lost.put(view, why);
        blindSince = blindSince.filter(lastHeard::isAfter).or(() -> Optional.of(lastHeard));
    }

    Optional<AskedRule> asked(ViolationKey key) {
        return book.find(key.podUid(), key.rule());
    }

    /** {@return when the violation is due; a ceiling that was raised starts what it newly allows at that instant} */
    Optional<Instant> deadline(Violation violation) {
        return asked(violation.key()).map(rule -> {
            Instant deadline = rule.deadline(violation, ceiling);
            Instant raised = enforcingSince.plus(rule.forgiveness(ceiling));
            return rule.mode(ceiling) == Mode.ENFORCE && raised.isAfter(deadline) ? raised : deadline;
        });
    }

    void cap(Mode newCeiling, Instant now) {
        if (newCeiling.compareTo(ceiling) > 0) {
            enforcingSince = now;
        }
        ceiling = newCeiling;
    }

    Duration forgiveness(Violation violation) {
        return asked(violation.key()).map(rule -> rule.forgiveness(ceiling)).orElse(Duration.ZERO);
    }

    ViolationState stateOf(Violation violation, Instant now) {
        if (deadline(violation).filter(now::isBefore).isPresent()) {
            return ViolationState.FORGIVING;
        }
        Disposition disposition = dispositions.get(violation.key());
        return disposition == null ? ViolationState.HELD : disposition.state();
    }

    /** Forgets all that was decided about a violation that is no more. */
    void forget(ViolationKey key) {
        dispositions.remove(key);
        refusals.remove(key);
        told.remove(key);
    }

    /** {@return the entries of all that must shrink with the cluster} */
    int remembered() {
        return clocks.all().size()
                + dispositions.size()
                + refusals.size()
                + told.size()
                + behindMoves.size()
                + moves.inFlight().size()
                + book.remembered();
    }

    void leadsTo(Move move, ViolationReport report) {
        boolean ownerKnown = move.victim()
                .protection()
                .controller()
                .flatMap(controller -> cluster.owner(controller.uid()))
                .isPresent();
        behindMoves.put(move.id(), new Behind(report, ownerKnown));
    }

    /** {@return the violation that led to a move that was requested} */
    ViolationReport leadingTo(Move move) {
        return behind(move).violation();
    }

    /** {@return whether the controller of the victim was known when the move was requested} */
    boolean knewOwner(Move move) {
        return behind(move).ownerKnown();
    }

    private Behind behind(Move move) {
        return Objects.requireNonNull(behindMoves.get(move.id()), "move was never requested");
    }

    /** Takes a move out of flight for good. */
    void drop(Move move) {
        moves.remove(move.id());
        behindMoves.remove(move.id());
        planStale = true;
    }

    /** Notes what came from outside against acting on a violation, for as long as its clock runs. */
    void refuse(Violation violation, Refusal refusal) {
        refusals.put(violation.key(), refusal);
    }

    /** {@return what came last from outside against acting on a violation} */
    Optional<Refusal> refusal(ViolationKey key) {
        return Optional.ofNullable(refusals.get(key));
    }

    /** Forgets what came from outside against acting on violations of pods, so that they are looked at again. */
    void lift(BiPredicate<Pod, Refusal> lifted) {
        planStale |= refusals.entrySet()
                .removeIf(entry -> cluster.pod(entry.getKey().podUid())
                        .filter(pod -> lifted.test(pod, entry.getValue()))
                        .isPresent());
    }
}
