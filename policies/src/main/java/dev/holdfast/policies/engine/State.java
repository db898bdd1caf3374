package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Breach;
import dev.holdfast.policies.evaluate.Evaluator;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.forgive.Clocks;
import dev.holdfast.policies.forgive.Deadlines;
import dev.holdfast.policies.forgive.Violation;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.HidingView;
import dev.holdfast.policies.model.Marks;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.plan.Conduct;
import dev.holdfast.policies.plan.DomainHistory;
import dev.holdfast.policies.plan.Hold;
import dev.holdfast.policies.plan.Move;
import dev.holdfast.policies.plan.Moves;
import dev.holdfast.policies.plan.Places;
import dev.holdfast.policies.plan.VanishedNodes;
import dev.holdfast.policies.plan.Volumes;
import dev.holdfast.policies.plan.Wishes;
import dev.holdfast.policies.rule.HeldRule;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.stream.Stream;

/** Everything the engine remembers. The parts of the engine share it; nobody else sees it. */
final class State {
    private static final int PLACES_IN_A_PLAN = 20;

    /** To try 5,000 nodes in vain takes up to 5 ms, and meanwhile nothing else is done. */
    private static final int NODES_IN_A_PLAN = 20_000;

    final EngineSettings settings;
    final LiveCluster cluster;

    /** The cluster without the pods that are no partners of anti-affinity while pods run. */
    final ClusterView execution;

    final Clocks clocks = new Clocks();
    final Moves moves = new Moves();
    final Places places = new Places(PLACES_IN_A_PLAN, NODES_IN_A_PLAN);
    final Volumes volumes = new Volumes();
    final History history = new History();
    final Disturbances disturbances = new Disturbances();
    final DomainHistory domains;
    final VanishedNodes vanished = new VanishedNodes();

    /** How policies let pods be moved. */
    final Map<PolicyId, Conduct> conducts = new HashMap<>();

    final Breakers breakers;

    final PausesInForce pauses = new PausesInForce();

    /** When each running violation is due. */
    final Deadlines deadlines = new Deadlines();

    /**
     * Running violations whose time counts from later than their beginning: policies wanted their rule further since, or
     * nobody could look meanwhile.
     */
    private final Map<ViolationKey, Instant> countedFrom = new HashMap<>();

    /** While a policy is being edited: the violations whose time that starts, or starts anew. */
    private Optional<Set<ViolationKey>> started = Optional.empty();

    /** What was last decided about each due violation. */
    private final Map<ViolationKey, Disposition> dispositions = new HashMap<>();

    /** The running violations, and those just ended, that may stand otherwise than they were last counted. */
    final Set<ViolationKey> restless = new TreeSet<>();

    /** What came from outside against acting on a running violation. */
    private final Map<ViolationKey, Refused> refusals = new HashMap<>();

    /** What came from outside against moving a pod for a violation. */
    private record Refused(String victimUid, Refusal refusal) {}

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

    /** Since when each view that is synced has been so. */
    private final Map<View, Instant> synced = new EnumMap<>(View.class);

    private final Map<View, String> lost = new EnumMap<>(View.class);

    /** Whether everything was seen once, so that verdicts mean something. */
    boolean complete;

    boolean leading;
    String whyNotLeading = "no replica has taken the lease yet";

    /** Nobody may evict before it is known that they may. */
    Mode ceiling = Mode.AUDIT;

    /** Since when the ceiling is as high as it is, and this replica leads. */
    private Instant enforcingSince = Instant.EPOCH;

    /** Since when changes may have been missed: of all views lost since everything was seen, the one silent longest. */
    Optional<Instant> blindSince = Optional.empty();

    private Optional<String> distrust = Optional.empty();

    /** Whether something happened since the last plan that may change it. */
    boolean planStale = true;

    State(EngineSettings settings) {
        this(settings, new LiveCluster(settings.exemptNamespaces()));
    }

    State(EngineSettings settings, LiveCluster cluster) {
        this.settings = settings;
        this.cluster = cluster;
        this.domains = new DomainHistory(cluster);
        this.breakers = new Breakers(cluster, settings.brakes(), settings.limits());
        this.execution =
                new HidingView(cluster, pod -> settings.exemptNamespaces().contains(pod.namespace()));
    }

    /** Lets nothing be evicted any more by this process: verdicts were found that cannot be trusted. */
    void distrust(String difference) {
        if (distrust.isEmpty()) {
            distrust = Optional.of(difference);
            planStale = true;
        }
    }

    /** {@return the first difference found between the two evaluators} */
    Optional<String> distrust() {
        return distrust;
    }

    boolean allSynced() {
        return synced.size() == View.values().length;
    }

    /** {@return since when the view has been synced; empty while any view is not} */
    Optional<Instant> syncedSince(View view) {
        return Optional.ofNullable(synced.get(view)).filter(_ -> allSynced());
    }

    /** {@return whether all is seen that tells of violations} */
    boolean seesViolations() {
        return Stream.of(View.values()).filter(View::tellsOfViolations).allMatch(synced::containsKey);
    }

    /** {@return the first view that is not synced, with the reason} */
    String missingView() {
        for (View view : View.values()) {
            if (!synced.containsKey(view)) {
                return "view " + view.name().toLowerCase(Locale.ROOT) + ": "
                        + whyMissing(view)
                        + (view == View.PAUSES ? "; what cannot be read may pause everything" : "");
            }
        }
        return "";
    }

    private String whyMissing(View view) {
        return lost.getOrDefault(view, "not synced yet");
    }

    /** {@return the status of each view, which later events do not change} */
    Map<View, ViewStatus> views() {
        Map<View, ViewStatus> statuses = new EnumMap<>(View.class);
        for (View view : View.values()) {
            statuses.put(
                    view,
                    synced.containsKey(view) ? new ViewStatus.Synced() : new ViewStatus.Missing(whyMissing(view)));
        }
        return statuses;
    }

    void synced(View view, Instant now) {
        synced.putIfAbsent(view, now);
        lost.remove(view);
    }

    void lost(View view, String why, Instant lastHeard) {
        synced.remove(view);
        lost.put(view, why);
        if (view.tellsOfViolations()) {
            blindSince = blindSince.filter(lastHeard::isAfter).or(() -> Optional.of(lastHeard));
        }
    }

    Optional<HeldRule> asked(ViolationKey key) {
        return cluster.index().rule(key.podUid(), key.rule());
    }

    /** {@return the verdict of execution: pods of exempt namespaces are no partners of anti-affinity, either way} */
    Verdict verdict(Rule rule, Pod pod) {
        if (!(rule instanceof Rule.PodAntiAffinity)) {
            return Evaluator.judge(rule, pod, cluster);
        }
        return settings.exemptNamespaces().contains(pod.namespace())
                ? Verdict.satisfied()
                : Evaluator.judge(rule, pod, execution);
    }

    /** {@return the violations whose time an edit of a policy starts, or starts anew} */
    Set<ViolationKey> startedBy(Runnable edit) {
        Set<ViolationKey> all = new TreeSet<>();
        started = Optional.of(all);
        edit.run();
        started = Optional.empty();
        return all;
    }

    /** Starts the clock of a violation. */
    void begin(Violation violation) {
        clocks.put(violation);
        started.ifPresent(all -> all.add(violation.key()));
        breakers.begin(violation);
        planStale = true;
        restart(violation);
    }

    /** Stops the clock of a violation, and forgets all that was decided about it. */
    void end(Violation violation) {
        ViolationKey key = violation.key();
        clocks.remove(key);
        breakers.end(key);
        deadlines.remove(key);
        countedFrom.remove(key);
        places.forget(key);
        dispositions.remove(key);
        refusals.remove(key);
        told.remove(key);
        restless.add(key);
        planStale = true;
    }

    /** Notes that policies ask otherwise for the rule of a running violation; where they go further, time starts anew. */
    void reasked(Violation violation, HeldRule before, HeldRule after, Instant now) {
        if (after.goesFurtherThan(before)) {
            countedFrom.put(violation.key(), now);
            started.ifPresent(all -> all.add(violation.key()));
        }
        planStale = true;
        restart(violation);
    }

    /** Takes how a policy lets pods be moved; where it lets more be moved than before, time starts anew for it. */
    void conduct(PolicyId policy, Conduct conduct, Instant now) {
        Conduct before = conductOf(policy);
        conducts.put(policy, conduct);
        if (!conduct.overrides().equals(before.overrides())) {
            clocks.all().forEach(this::restart);
        }
        if (conduct.goesFurtherThan(before)) {
            for (Violation violation : clocks.all()) {
                if (asked(violation.key())
                        .filter(rule -> rule.isAskedBy(policy))
                        .isPresent()) {
                    countedFrom.put(violation.key(), now);
                    started.ifPresent(all -> all.add(violation.key()));
                    restart(violation);
                }
            }
        }
    }

    /** {@return how a policy lets pods be moved} */
    Conduct conductOf(PolicyId policy) {
        return conducts.getOrDefault(policy, Conduct.plain());
    }

    private void restart(Violation violation) {
        deadlines.put(violation.key(), deadline(violation));
        places.restart(violation.key());
        restless.add(violation.key());
    }

    /** After a time in which nothing could be observed, moves every instant from which time counts. */
    void unobserved(BiFunction<Violation, Instant, Instant> later) {
        clocks.all().forEach(violation -> {
            Instant from = countedFrom(violation);
            if (from.isAfter(violation.since())) {
                countedFrom.put(violation.key(), later.apply(violation, from));
            }
        });
        clocks.restart(violation -> later.apply(violation, violation.since()));
        clocks.all().forEach(this::restart);
    }

    private Instant deadline(Violation violation) {
        return countedFrom(violation).plus(forgiveness(violation));
    }

    /**
     * {@return from when on the violation's time counts: its beginning, the edit that allowed this much, or, where
     * somebody enforces, the instant since which this replica may}
     */
    private Instant countedFrom(Violation violation) {
        Instant from = later(violation.since(), countedFrom.getOrDefault(violation.key(), Instant.MIN));
        boolean enforced = asked(violation.key())
                .filter(rule -> rule.mode(ceiling) == Mode.ENFORCE)
                .isPresent();
        return enforced ? later(from, enforcingSince) : from;
    }

    private static Instant later(Instant one, Instant other) {
        return one.isAfter(other) ? one : other;
    }

    void cap(Mode newCeiling, Instant now) {
        boolean raised = newCeiling.compareTo(ceiling) > 0;
        ceiling = newCeiling;
        enforcingSince = raised ? now : enforcingSince;
        clocks.all().forEach(this::restart);
    }

    /** From now on this replica may act. What another one had begun it does not know: all forgiveness starts anew. */
    void lead(Instant now) {
        leading = true;
        enforcingSince = now;
        clocks.all().forEach(this::restart);
    }

    /** {@return the forgiveness of those policies that count, lengthened by annotations as far as one of them lets it be} */
    Duration forgiveness(Violation violation) {
        return asked(violation.key()).map(rule -> forgiveness(violation, rule)).orElse(Duration.ZERO);
    }

    private Duration forgiveness(Violation violation, HeldRule rule) {
        Duration asked = rule.forgiveness(ceiling);
        List<Marks> marks = cluster.pod(violation.key().podUid())
                .map(pod -> Wishes.marksOf(pod, cluster))
                .orElse(List.of());
        if (marks.isEmpty()) {
            return asked;
        }
        return rule.askers(ceiling).stream()
                .map(policy -> conductOf(policy).overrides().lengthened(asked, marks))
                .max(Comparator.naturalOrder())
                .orElse(asked);
    }

    /** Notes that annotations ask otherwise for the pod of a running violation. */
    void remarked(Violation violation) {
        planStale = true;
        restart(violation);
    }

    ViolationState stateOf(Violation violation, Instant now) {
        if (now.isBefore(deadlines.of(violation.key()))) {
            return ViolationState.FORGIVING;
        }
        return disposition(violation.key()).map(Disposition::state).orElse(ViolationState.HELD);
    }

    /** {@return why a due violation is held} */
    Optional<Hold> hold(Violation violation, Instant now) {
        return stateOf(violation, now) == ViolationState.HELD
                ? disposition(violation.key())
                        .flatMap(it -> it instanceof Disposition.Held(Hold hold) ? Optional.of(hold) : Optional.empty())
                : Optional.empty();
    }

    /** {@return how a running violation is broken now; absent only where the index is wrong about it} */
    Optional<Breach> breach(Violation violation) {
        return cluster.index().breach(violation.key().podUid(), violation.key().rule());
    }

    /** {@return what was last decided about a due violation} */
    Optional<Disposition> disposition(ViolationKey key) {
        return Optional.ofNullable(dispositions.get(key));
    }

    /** Notes what was decided about a due violation. */
    void decide(ViolationKey key, Disposition disposition) {
        Disposition before = dispositions.put(key, disposition);
        if (before == null || !disposition.countsLike(before)) {
            restless.add(key);
        }
    }

    /** {@return whether anything was decided that a change of facts may turn} */
    boolean hasDecided() {
        return !dispositions.isEmpty();
    }

    /** {@return the entries of all that must shrink with the cluster} */
    int remembered() {
        return clocks.all().size()
                + dispositions.size()
                + refusals.size()
                + told.size()
                + behindMoves.size()
                + deadlines.size()
                + countedFrom.size()
                + places.size()
                + volumes.size()
                + restless.size()
                + disturbances.size()
                + domains.size()
                + vanished.size()
                + breakers.size()
                + moves.inFlight().size()
                + moves.futility().size();
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

    /** {@return whether the pod's eviction has been asked for} */
    boolean isEvicting(String podUid) {
        for (Move move : moves.inFlight()) {
            if (move.victim().uid().equals(podUid) && move.requested()) {
                return true;
            }
        }
        return false;
    }

    /** Takes a move out of flight for good. */
    void drop(Move move) {
        moves.remove(move.id());
        if (disposition(move.key())
                .filter(new Disposition.Evicting(move.id())::equals)
                .isPresent()) {
            dispositions.remove(move.key());
            restless.add(move.key());
        }
        behindMoves.remove(move.id());
        planStale = true;
    }

    /** Notes what came from outside against acting on a violation, for as long as its clock runs. */
    void refuse(Violation violation, String victimUid, Refusal refusal) {
        refusals.put(violation.key(), new Refused(victimUid, refusal));
    }

    /** {@return what came last from outside against acting on a violation} */
    Optional<Refusal> refusal(ViolationKey key) {
        return Optional.ofNullable(refusals.get(key))
                .filter(refused -> cluster.pod(refused.victimUid()).isPresent())
                .map(Refused::refusal);
    }

    /** Forgets what came from outside against acting on violations of pods, so that they are looked at again. */
    void lift(BiPredicate<Pod, Refusal> lifted) {
        planStale |= refusals.entrySet()
                .removeIf(entry -> cluster.pod(entry.getValue().victimUid())
                        .filter(pod -> lifted.test(pod, entry.getValue().refusal()))
                        .isPresent());
    }
}
