package dev.holdfast.policies.engine;

import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.PodTraits.like;
import static dev.holdfast.policies.testing.PodTraits.on;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.protocol.ledger.ClockShard;
import dev.holdfast.policies.engine.protocol.ledger.ClockWrite;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.report.BacklogReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.DynamicLabel;
import dev.holdfast.policies.engine.report.EngineActivity;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.engine.report.UnknownAcknowledgement;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.ChecksWithout;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A test harness: an engine with a manual clock, and a fake operator that carries out effects at once. Reads return the
 * present cluster. Evictions pass their dry run, and then get the answer set by {@link #answering}. An evicted pod is
 * replaced as set by {@link #replacingOn}.
 */
public final class EngineScenario {
    public static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    /** The state of the API server. The engine learns it only by events. */
    public final ReferenceCluster truth = new ReferenceCluster();

    public final List<Notification> told = new ArrayList<>();
    final List<BreakerReport> turns = new ArrayList<>();
    final List<BacklogReport> backlogs = new ArrayList<>();
    final List<Effect.FoundTooComplex> tooComplex = new ArrayList<>();
    final List<Effect.FoundInvalidRules> invalidRules = new ArrayList<>();
    final List<UnknownAcknowledgement> unknown = new ArrayList<>();
    final List<DynamicLabel> dynamic = new ArrayList<>();
    final List<EvictionRequest> dryRuns = new ArrayList<>();
    public final List<EvictionRequest> requests = new ArrayList<>();
    final List<Instant> requestedAt = new ArrayList<>();
    final List<Effect.Confirm> reads = new ArrayList<>();

    /** The reads of random objects, which belong to no move. */
    final List<Effect.Confirm> samples = new ArrayList<>();

    final List<String> claimsRead = new ArrayList<>();
    final Map<PolicyId, PolicyReport> reports = new HashMap<>();
    public final Engine engine;

    /** The number of verdicts that the engine has compared; the next field is the first difference found. */
    int compared;

    Optional<String> difference = Optional.empty();

    /** All differences that were reported, oldest first. */
    final List<String> differences = new ArrayList<>();

    Instant now = START;

    private final Deque<Event> pending = new ArrayDeque<>();
    private Optional<Instant> wake = Optional.empty();
    private boolean lateAnswers;
    private Optional<Class<? extends Effect>> silent = Optional.empty();
    private final Deque<List<Event>> whileReading = new ArrayDeque<>();
    private final Deque<List<Event>> whileDryRunning = new ArrayDeque<>();
    private Function<EvictionRequest, EvictionAnswer> dryRunAnswer = _ -> new EvictionAnswer.Evicted();
    private Function<EvictionRequest, EvictionAnswer> answer = _ -> new EvictionAnswer.Evicted();
    private Function<Pod, Optional<ClusterEvent>> replacement = _ -> Optional.empty();
    private Function<Effect.Confirm, Event> reader = this::readTruth;
    private Function<String, ClaimedVolume> volumes = _ -> new ClaimedVolume.Unreadable("nobody reads");

    /** The ledgers that the engine wrote, oldest first, and what it reads. */
    final List<Ledger> written = new ArrayList<>();

    Optional<LedgerReading> stored = Optional.empty();
    final List<ClockWrite> clockWrites = new ArrayList<>();
    final Map<Integer, ClockShard> shards = new TreeMap<>();
    private Optional<String> writesFail = Optional.empty();
    private final Map<PolicyId, Event.PolicyChanged> policies = new LinkedHashMap<>();

    private final Map<PolicyId, Event.PolicyAcknowledged> acknowledgements = new LinkedHashMap<>();

    private final Map<String, Event.PauseChanged> pauses = new LinkedHashMap<>();

    private EngineScenario(Engine engine) {
        this.engine = engine;
    }

    /** Replacements that are Ready count at once, so that most tests need not wait. */
    private static final ReplacementTimes REPLACEMENT_TIMES =
            new ReplacementTimes(Duration.ZERO, Duration.ofMinutes(10));

    public static EngineSettings settings() {
        return settings(OperatorLimits.defaults());
    }

    static EngineSettings settings(OperatorLimits operatorLimits) {
        return settings(operatorLimits, REPLACEMENT_TIMES);
    }

    static EngineSettings settings(ReplacementTimes replacementTimes) {
        return settings(OperatorLimits.defaults(), replacementTimes);
    }

    private static EngineSettings settings(OperatorLimits operatorLimits, ReplacementTimes replacementTimes) {
        return new EngineSettings(
                operatorLimits,
                ProtectedPods.in(Set.of("kube-system")),
                Set.of("kube-system"),
                replacementTimes,
                BreakerSettings.defaults("holdfast"));
    }

    /** {@return engine settings with which no candidate is held for these reasons} */
    public static EngineSettings settingsWithout(Set<Reason> reasons) {
        EngineSettings plain = settings();
        return new EngineSettings(
                plain.operatorLimits(),
                plain.protectedPods(),
                plain.exemptNamespaces(),
                plain.replacementTimes(),
                plain.breakers(),
                ChecksWithout.reasons(reasons),
                false);
    }

    /** {@return a scenario in which all views are synced with these objects and policies, and this replica leads} */
    public static EngineScenario begin(ClusterBuilder facts, Policy... policies) {
        return begin(settings(), facts, policies);
    }

    public static EngineScenario begin(EngineSettings settings, ClusterBuilder facts, Policy... policies) {
        return begin(new Engine(settings), facts, policies);
    }

    static EngineScenario begin(Engine engine, ClusterBuilder facts, Policy... policies) {
        EngineScenario engineScenario = new EngineScenario(engine);
        engineScenario.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));
        facts.facts().forEach(engineScenario::happens);
        for (Policy policy : policies) {
            engineScenario.event(new Event.PolicyChanged(policy));
        }
        return engineScenario.leads();
    }

    private EngineScenario leads() {
        return mayEvict().becomesLeader();
    }

    private EngineScenario mayEvict() {
        return event(new Event.ModeCapped(Mode.ENFORCE, "the right to evict is there"));
    }

    private EngineScenario becomesLeader() {
        event(new Event.LeadershipGained());
        for (View view : View.values()) {
            event(new Event.ViewSynced(view));
        }
        return this;
    }

    /**
     * {@return the scenario after this engine ended without a word, as after kill -9, and another one started at once}
     * The other one knows the cluster, the policies and what this one wrote.
     */
    EngineScenario restarted(EngineSettings settings) {
        return knowingTheCluster(settings).leads();
    }

    /** {@return the same, but the other engine learns last that it may evict} */
    EngineScenario restartedBeforeItMayEvict(EngineSettings settings) {
        return knowingTheCluster(settings).becomesLeader().mayEvict();
    }

    /** {@return the same, but the other engine does not trust the wall clock when it takes over the ledger} */
    EngineScenario restartedBeforeTheClockIsTrusted(EngineSettings settings) {
        return knowingTheCluster(settings)
                .event(new Event.WallClockRead(WallClock.notCompared()))
                .leads();
    }

    /** {@return the same, but the other engine may only audit} */
    EngineScenario restartedToAudit(EngineSettings settings) {
        return knowingTheCluster(settings)
                .event(new Event.ModeCapped(Mode.AUDIT, "maxMode is Audit"))
                .becomesLeader();
    }

    /** {@return another engine that watches the same cluster from now on, and does not lead} */
    EngineScenario standby(EngineSettings settings) {
        EngineScenario next = knowingTheCluster(settings).mayEvict();
        for (View view : View.values()) {
            next.event(new Event.ViewSynced(view));
        }
        return next;
    }

    Map<Reason, Integer> openBreakers() {
        return engine.activity(now).openBreakers();
    }

    /** Makes this engine the leader, after another one that ended without a word. */
    EngineScenario takesOverFrom(EngineScenario leader) {
        stored = leader.reading();
        return event(new Event.LeadershipGained());
    }

    private Optional<LedgerReading> reading() {
        return stored.map(it -> it instanceof LedgerReading.Found(var ledger, var written, var _)
                ? new LedgerReading.Found(ledger, written, List.copyOf(shards.values()))
                : it);
    }

    private EngineScenario knowingTheCluster(EngineSettings settings) {
        EngineScenario next = new EngineScenario(new Engine(settings));
        next.event(new Event.ModeCapped(Mode.AUDIT, "not known yet", false));
        next.now = now;
        next.stored = reading();
        next.event(new Event.WallClockRead(WallClock.trusted(Duration.ZERO)));
        truth.nodes().forEach(node -> next.happens(new ClusterEvent.NodeChanged(node)));
        truth.namespaces().forEach(one -> next.happens(new ClusterEvent.NamespaceChanged(one)));
        Set<String> namespaces = new TreeSet<>();
        truth.pods().forEach(pod -> namespaces.add(pod.namespace()));
        truth.namespaces().forEach(one -> namespaces.add(one.name()));
        for (String namespace : namespaces) {
            truth.ownersIn(namespace).forEach(owner -> next.happens(new ClusterEvent.OwnerChanged(owner)));
            truth.budgetsIn(namespace).forEach(budget -> next.happens(new ClusterEvent.BudgetChanged(budget)));
        }
        truth.pods().forEach(pod -> next.happens(new ClusterEvent.PodChanged(pod)));
        policies.values().forEach(next::event);
        acknowledgements.values().forEach(next::event);
        pauses.values().forEach(next::event);
        return next;
    }

    /** Lets time pass in which no engine runs. */
    EngineScenario away(Duration time) {
        now = now.plus(time);
        return this;
    }

    /** Changes a policy, and does not deliver the change to this engine, only to the next one. */
    EngineScenario knowing(Event.PolicyChanged unseen) {
        policies.put(unseen.policy().id(), unseen);
        return this;
    }

    /** Deletes a pause, and delivers neither this nor the pause to the next engine. */
    EngineScenario unpausedUnseen(String pause) {
        pauses.remove(pause);
        return this;
    }

    /** Edits a pause, and delivers this only to the next engine. */
    EngineScenario pausedUnseen(Event.PauseChanged pause) {
        pauses.put(pause.pause().name(), pause);
        return this;
    }

    /** From now on, writes of the ledger fail for this reason. */
    EngineScenario failingToWrite(String why) {
        this.writesFail = Optional.of(why);
        return this;
    }

    /** From now on, writes of the ledger succeed again. */
    EngineScenario writingAgain() {
        this.writesFail = Optional.empty();
        return this;
    }

    /** Sets the answers to dry runs from now on. */
    public EngineScenario answeringDryRuns(Function<EvictionRequest, EvictionAnswer> answers) {
        this.dryRunAnswer = answers;
        return this;
    }

    /** Sets the answers to evictions from now on; dry runs pass. */
    public EngineScenario answering(Function<EvictionRequest, EvictionAnswer> answers) {
        this.answer = answers;
        return this;
    }

    /**
     * From now on, the watches deliver the changes that an eviction causes before the answer to the eviction arrives.
     */
    EngineScenario answeringLate() {
        this.lateAnswers = true;
        return this;
    }

    /**
     * From now on, an evicted pod is replaced by a similar one on this node. The replacement of {@code web-1} is named
     * {@code web-1-r3} if its eviction was the third request.
     */
    public EngineScenario replacingOn(String node, PodTrait... traits) {
        this.replacement = victim -> {
            List<PodTrait> all = new ArrayList<>(List.of(like(victim), on(node)));
            all.addAll(List.of(traits));
            String name = victim.name().name() + "-r" + requests.size();
            return Optional.of(podChanged(name, all.toArray(PodTrait[]::new)));
        };
        return this;
    }

    /**
     * From now on, {@link TestScheduler} places the replacement of an evicted pod, named as in {@link #replacingOn}.
     */
    EngineScenario scheduling() {
        this.replacement = victim ->
                Optional.of(TestScheduler.place(victim.name().name() + "-r" + requests.size(), victim, truth, now));
        return this;
    }

    /** From now on, an evicted pod is not replaced; the caller learns of it, and may replace it later. */
    EngineScenario replacing(Consumer<Pod> evicted) {
        this.replacement = victim -> {
            evicted.accept(victim);
            return Optional.empty();
        };
        return this;
    }

    /** Sets the answers to reads from now on. */
    EngineScenario reading(Function<Effect.Confirm, Event> reads) {
        this.reader = reads;
        return this;
    }

    /** Sets the volumes that reads of PersistentVolumeClaims return from now on, by name of the claim. */
    EngineScenario readingVolumes(Function<String, ClaimedVolume> reads) {
        this.volumes = reads;
        return this;
    }

    /** From now on, effects of this type are neither carried out nor answered. */
    public EngineScenario neverAnswering(Class<? extends Effect> effect) {
        this.silent = Optional.of(effect);
        return this;
    }

    /** From now on, all effects are carried out and answered again. */
    EngineScenario answeringAgain() {
        this.silent = Optional.empty();
        return this;
    }

    /** Lets these events arrive during the next reads. A second call is for the reads after those. */
    EngineScenario duringReads(Event... events) {
        whileReading.add(List.of(events));
        return this;
    }

    /** Lets these events arrive during the next dry run. A second call is for the dry run after that. */
    EngineScenario duringDryRun(Event... events) {
        whileDryRunning.add(List.of(events));
        return this;
    }

    /** Changes a cluster object, and delivers the change to the engine. */
    public EngineScenario happens(ClusterEvent fact) {
        truth.apply(fact);
        return event(new Event.ObjectChanged(fact));
    }

    /** Changes a cluster object, and does not deliver the change to the engine. */
    EngineScenario happensUnseen(ClusterEvent fact) {
        truth.apply(fact);
        return this;
    }

    /**
     * Sends {@link Event.TimeToCompare}.
     *
     * @param most the maximum number of pods whose verdicts the engine compares
     */
    EngineScenario comparing(int most) {
        return event(new Event.TimeToCompare(most));
    }

    /** Tells the engine that a view is lost from now on. */
    EngineScenario loses(View view) {
        return loses(view, now);
    }

    /** Tells the engine that a view has been lost since an earlier instant. */
    EngineScenario loses(View view, Instant lastHeard) {
        return event(new Event.ViewLost(view, "the watch was cut", lastHeard));
    }

    public EngineScenario event(Event event) {
        switch (event) {
            case Event.PolicyChanged changed -> policies.put(changed.policy().id(), changed);
            case Event.PolicyAcknowledged acknowledged -> acknowledgements.put(acknowledged.policy(), acknowledged);
            case Event.PolicyRemoved(PolicyId policy) -> policies.remove(policy);
            case Event.PauseChanged changed -> pauses.put(changed.pause().name(), changed);
            case Event.PauseRemoved(String pause) -> pauses.remove(pause);
            case Event _ -> {
                // Only policies and pauses are given to the engine of a restarted operator.
            }
        }
        pending.add(event);
        while (!pending.isEmpty()) {
            wake = Optional.empty();
            engine.step(pending.removeFirst(), now).forEach(this::carryOut);
        }
        return this;
    }

    /** Lets time pass. The engine gets {@link Event.TimePassed} whenever it has requested it. */
    public EngineScenario after(Duration time) {
        Instant end = now.plus(time);
        while (wake.filter(at -> !at.isAfter(end)).isPresent()) {
            Instant at = wake.get();
            now = at.isAfter(now) ? at : now;
            event(new Event.TimePassed());
        }
        now = end;
        return this;
    }

    public EngineScenario afterSeconds(long seconds) {
        return after(Duration.ofSeconds(seconds));
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Notify(Notification notification) -> told.add(notification);
            case Effect.Publish(PolicyReport report) -> reports.put(report.policy(), report);
            case Effect.Braked(BreakerReport report) -> turns.add(report);
            case Effect.Braked(BacklogReport report) -> backlogs.add(report);
            case Effect.Braked(UnknownAcknowledgement report) -> unknown.add(report);
            case Effect.Braked(DynamicLabel report) -> dynamic.add(report);
            case Effect.WakeAt(Instant at) -> wake = Optional.of(at);
            case Effect.FoundTooComplex found -> tooComplex.add(found);
            case Effect.FoundInvalidRules found -> invalidRules.add(found);
            case Effect.Compared(int verdicts, Optional<String> found) -> {
                compared += verdicts;
                difference = found;
                found.ifPresent(differences::add);
            }
            case Effect.Confirm confirm -> {
                (confirm.planId().equals("sample") ? samples : reads).add(confirm);
                meanwhile(whileReading);
                answer(effect, reader.apply(confirm));
            }
            case Effect.ReadClaim(NamespacedName claim) -> {
                claimsRead.add(claim.name());
                answer(effect, new Event.ClaimRead(claim, volumes.apply(claim.name())));
            }
            case Effect.ReadLedger(long number) ->
                answer(
                        effect,
                        new Event.LedgerRead(
                                number,
                                stored.orElseGet(() -> new LedgerReading.Found(Ledger.empty(), Instant.EPOCH)),
                                Duration.ZERO));
            case Effect.WriteLedger(Ledger ledger, long revision, var _) -> {
                if (writesFail.isPresent()) {
                    answer(effect, new Event.LedgerNotWritten(revision, writesFail.get()));
                } else {
                    written.add(ledger);
                    stored = Optional.of(new LedgerReading.Found(ledger, now));
                    answer(effect, new Event.LedgerWritten(revision));
                }
            }
            case Effect.WriteClocks(ClockWrite write) -> clocks(effect, write);
            case Effect.DryRun(EvictionRequest request) -> {
                dryRuns.add(request);
                meanwhile(whileDryRunning);
                answer(effect, new Event.DryRunAnswered(request.planId(), dryRunAnswer.apply(request)));
            }
            case Effect.Evict(EvictionRequest request) -> {
                requests.add(request);
                requestedAt.add(now);
                if (isSilent(effect)) {
                    return;
                }
                EvictionAnswer given = answer.apply(request);
                Event answered = new Event.Answered(request.planId(), given);
                if (!lateAnswers) {
                    pending.add(answered);
                }
                if (given instanceof EvictionAnswer.Evicted) {
                    goes(truth.pod(request.uid()).orElseThrow());
                }
                if (lateAnswers) {
                    pending.add(answered);
                }
            }
        }
    }

    /** Keeps clocks as the shell does: the heartbeat extends the unchanged parts. */
    private void clocks(Effect effect, ClockWrite write) {
        clockWrites.add(write);
        if (writesFail.isPresent()) {
            answer(
                    effect,
                    new Event.ClocksWritten(write.number(), write.changed().keySet()));
            return;
        }
        write.changed().forEach((shard, ofShard) -> shards.put(shard, new ClockShard(ofShard, write.at())));
        write.unchanged()
                .forEach(shard -> shards.computeIfPresent(shard, (_, before) -> {
                    Duration more = Duration.between(before.until(), write.at());
                    return new ClockShard(
                            before.clocks().stream()
                                    .map(clock -> clock.and(more))
                                    .toList(),
                            write.at());
                }));
        answer(effect, new Event.ClocksWritten(write.number(), Set.of()));
    }

    private void answer(Effect effect, Event event) {
        if (!isSilent(effect)) {
            pending.add(event);
        }
    }

    private boolean isSilent(Effect effect) {
        return silent.filter(kind -> kind.isInstance(effect)).isPresent();
    }

    private void meanwhile(Deque<List<Event>> events) {
        for (Event event : Optional.ofNullable(events.poll()).orElse(List.of())) {
            if (event instanceof Event.ObjectChanged(ClusterEvent fact)) {
                truth.apply(fact);
            }
            pending.add(event);
        }
    }

    private void goes(Pod victim) {
        occurs(podGone(victim.uid()));
        replacement.apply(victim).ifPresent(this::occurs);
    }

    private void occurs(ClusterEvent fact) {
        truth.apply(fact);
        pending.add(new Event.ObjectChanged(fact));
    }

    Event readTruth(Effect.Confirm confirm) {
        return new Event.Confirmed(
                confirm.planId(),
                truth.pods().stream()
                        .filter(pod -> pod.name().equals(confirm.pod()))
                        .findFirst(),
                truth.node(confirm.node()),
                truth.pods().stream()
                        .filter(pod -> confirm.partners().contains(pod.name()))
                        .toList(),
                confirm.counted().map(this::counted));
    }

    private Event.CountedPods counted(Effect.Counted wanted) {
        LabelMatcher matcher =
                ((ParseResult.Usable<LabelMatcher>) LabelMatcher.of(Optional.of(wanted.selector()))).value();
        List<Pod> pods = truth.pods().stream()
                .filter(pod ->
                        wanted.namespace().filter(pod.namespace()::equals).isPresent()
                                || wanted.namespace().isEmpty())
                .filter(pod -> matcher.matches(pod.labels()))
                .toList();
        return new Event.CountedPods(
                pods.stream().limit(Effect.Counted.MOST).toList(), Long.MAX_VALUE, pods.size() <= Effect.Counted.MOST);
    }

    /** {@return the names of the pods evicted so far, in order, without their namespace} */
    List<String> evicted() {
        return requests.stream().map(request -> request.pod().name()).toList();
    }

    /** {@return the notifications so far, each as its type and its pod: {@code Started web-1}} */
    List<String> events() {
        return told.stream()
                .map(it -> it.getClass().getSimpleName() + " "
                        + it.violation().pod().name()
                        + (it instanceof Notification.Held(var _, var hold)
                                ? " " + hold.reason().label()
                                : "")
                        + (it instanceof Notification.Ended(var _, var how) ? " " + how : "")
                        + (it instanceof Notification.Moved moved ? " " + moved.outcome() : ""))
                .toList();
    }

    /** {@return what the engine does now} */
    EngineActivity activity() {
        return engine.activity(now);
    }

    /** {@return the reasons of all reported holds so far, in order} */
    List<Reason> holds() {
        return told.stream()
                .flatMap(
                        it -> it instanceof Notification.Held(var _, var hold) ? Stream.of(hold.reason()) : Stream.of())
                .toList();
    }

    /** {@return the reason of the last reported hold} */
    Reason held() {
        return holds().getLast();
    }

    /** {@return the message of the last reported hold} */
    String heldBecause() {
        return told.reversed().stream()
                .flatMap(it ->
                        it instanceof Notification.Held(var _, var hold) ? Stream.of(hold.message()) : Stream.of())
                .findFirst()
                .orElse("");
    }

    public PolicyReport report(Policy policy) {
        return Optional.ofNullable(reports.get(policy.id())).orElseThrow();
    }
}
