package dev.holdfast.operator.feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import dev.holdfast.policies.rule.Mode;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/** Test harness: the operator's real feeds and engine with a {@link FakeApiServer} and {@link SimulatedTime}. */
final class FeedHarness implements AutoCloseable {
    private static final Duration LOOKS_EACH = Duration.ofSeconds(5);
    private static final Duration COMPARES_EACH = Duration.ofSeconds(10);
    private static final Duration READ_TAKES = Duration.ofMillis(20);
    private static final int COMPARED = 50;
    private static final int ENDLESS = 1_000_000;
    private static final OperatorLimits NO_LIMITS = new OperatorLimits(1_000, 100_000, 1_000, 1_000, 1_000);

    private static final BreakerSettings NO_BRAKES = new BreakerSettings("holdfast", 100, ENDLESS, 100, ENDLESS);

    final EvictionJudge judge;
    private final SimulatedTime time;
    private final FakeApiServer fakeApiServer;
    private final ShopCluster shopCluster;
    private final Engine engine = new Engine(new EngineSettings(
            NO_LIMITS, ProtectedPods.in(Set.of()), Set.of(), ReplacementTimes.defaults(), NO_BRAKES));
    private final List<KindFeed> feeds;
    private final Map<View, KindFeed> feedByView;
    private final CurrencyCheck currencyCheck;
    private final Deque<Event> pending = new ArrayDeque<>();
    private final Map<View, String> lost = new EnumMap<>(View.class);
    private final List<String> history = new ArrayList<>();
    private final List<String> heldBecause = new ArrayList<>();
    private final List<Duration> checks = new ArrayList<>();
    private final Set<String> owners = new TreeSet<>();
    private Optional<Instant> wake = Optional.empty();
    private int facts;
    private boolean closed;

    FeedHarness(SimulatedTime time, FakeApiServer fakeApiServer, ShopCluster shopCluster) {
        this.time = time;
        this.fakeApiServer = fakeApiServer;
        this.shopCluster = shopCluster;
        this.judge = new EvictionJudge(fakeApiServer, time, ShopCluster.POLICY);
        this.feedByView = new TreeMap<>(Map.of(
                View.NAMESPACES, feed(WatchedKind.NAMESPACES, ProtobufKind.namespaces()),
                View.NODES, feed(WatchedKind.NODES, ProtobufKind.nodes()),
                View.PODS, feed(WatchedKind.PODS, ProtobufKind.pods(SchedulingScope.RULES))));
        this.feeds = List.of(feedByView.get(View.NAMESPACES), feedByView.get(View.NODES), feedByView.get(View.PODS));
        this.currencyCheck = new CurrencyCheck(time, task -> time.after(Duration.ZERO, () -> begin(task)));
    }

    private KindFeed feed(WatchedKind watchedKind, ProtobufKind protobufKind) {
        ViewGate gate = new ViewGate(watchedKind.view(), List.of(watchedKind), pending::add);
        return new KindFeed(
                watchedKind,
                new ProtobufListWatch(fakeApiServer, protobufKind),
                gate,
                time,
                pending::add,
                (_, death) -> {
                    time.ended();
                    throw new AssertionError(death);
                });
    }

    FeedHarness start() {
        pending.add(new Event.PolicyChanged(ShopCluster.POLICY));
        pending.add(new Event.ModeCapped(Mode.ENFORCE, "the right to evict is there"));
        pending.add(new Event.LeadershipGained());
        for (View view : List.of(View.OWNERS, View.BUDGETS, View.CAPACITY, View.POLICIES, View.PAUSES)) {
            pending.add(new Event.ViewSynced(view));
        }
        feeds.forEach(feed -> time.begin(feed::start));
        each(LOOKS_EACH, () -> feeds.forEach(KindFeed::check));
        each(COMPARES_EACH, () -> pending.add(new Event.TimeToCompare(COMPARED)));
        settle();
        return this;
    }

    private void each(Duration time, Runnable action) {
        this.time.after(time, () -> {
            if (!closed) {
                action.run();
                each(time, action);
            }
        });
    }

    /** {@return the log of all events and effects} */
    List<String> history() {
        return history;
    }

    /** {@return the messages of all holds} */
    List<String> heldBecause() {
        return heldBecause;
    }

    /** {@return how long each check of the feeds took} */
    List<Duration> checks() {
        return checks;
    }

    /** {@return how many changes of objects the feeds have delivered} */
    int facts() {
        return facts;
    }

    /** Lets time pass until no view is lost, and returns that time. */
    Duration untilItSees() {
        Instant begin = time.instant();
        while (!lost.isEmpty()) {
            pass(Duration.ofMillis(100));
            if (Duration.between(begin, time.instant()).compareTo(Duration.ofHours(1)) > 0) {
                throw new AssertionError("still lost after an hour: " + lost);
            }
        }
        return Duration.between(begin, time.instant());
    }

    /** Checks that no view is lost, and that the delivered objects equal those of a new list. */
    void seesAll() {
        assertThat(lost).as("lost views").isEmpty();
        ReferenceCluster list = freshList();
        for (WatchedKind watchedKind : FakeServerState.KINDS) {
            assertThat(EvictionJudge.all(watchedKind, judge.seen()))
                    .as("%s that were delivered", watchedKind)
                    .isEqualTo(EvictionJudge.all(watchedKind, list));
        }
    }

    /** {@return the lost views with their reasons} */
    Map<View, String> lost() {
        return lost;
    }

    /** {@return the names of the pods that were evicted, in order} */
    List<String> evicted() {
        return history.stream()
                .filter(it -> it.contains(" evicts "))
                .map(it -> it.replaceAll(".* evicts ([^ ]+) .*", "$1"))
                .toList();
    }

    /** Lets time pass, and runs everything that is due in it. */
    void pass(Duration length) {
        Instant end = time.instant().plus(length);
        settle();
        for (Optional<Instant> next = next();
                next.filter(it -> !it.isAfter(end)).isPresent();
                next = next()) {
            time.is(next.get().isBefore(time.instant()) ? time.instant() : next.get());
            settle();
        }
        time.is(end);
    }

    void passSeconds(long seconds) {
        pass(Duration.ofSeconds(seconds));
    }

    private Optional<Instant> next() {
        return Stream.of(time.next(), wake).flatMap(Optional::stream).min(Instant::compareTo);
    }

    private void settle() {
        boolean more = true;
        for (int i = 0; more; i++) {
            if (i == ENDLESS) {
                throw new AssertionError("endless loop at " + time.instant());
            }
            more = time.goOn();
            if (wake.filter(at -> !at.isAfter(time.instant())).isPresent()) {
                pending.add(new Event.TimePassed());
            }
            while (!pending.isEmpty()) {
                more = true;
                step(pending.removeFirst());
            }
        }
        judge.settled();
    }

    private void step(Event event) {
        switch (event) {
            case Event.ObjectChanged(ClusterEvent fact) -> {
                if (fact instanceof ClusterEvent.PodChanged(var pod)) {
                    owner(pod.name());
                }
                facts++;
                judge.told(event);
            }
            case Event.ViewSynced(View view)
            when feeds(view) -> {
                lost.remove(view);
                note("sees " + view);
                judge.told(event);
            }
            case Event.ViewLost(View view, String why, Instant lastHeard) -> {
                lost.put(view, why);
                note("loses " + view + ": " + why + ", last heard " + lastHeard);
                judge.told(event);
            }
            default -> {
                // Not an event of a feed.
            }
        }
        engineTakes(event);
    }

    private static boolean feeds(View view) {
        return FakeServerState.KINDS.stream().anyMatch(watchedKind -> watchedKind.view() == view);
    }

    private void engineTakes(Event event) {
        wake = Optional.empty();
        engine.step(event, time.instant()).forEach(this::carryOut);
    }

    /** Gives each pod a ReplicaSet of its own, which the engine learns before the pod. */
    private void owner(NamespacedName pod) {
        if (owners.add(pod.toString())) {
            engineTakes(new Event.ObjectChanged(new ClusterEvent.OwnerChanged(
                    new Owner("rs-" + pod.name(), "ReplicaSet", pod, Optional.empty(), OptionalInt.of(1)))));
        }
    }

    private void carryOut(Effect effect) {
        switch (effect) {
            case Effect.Confirm confirm -> time.after(READ_TAKES, () -> confirm(confirm));
            case Effect.ReadClaim(NamespacedName claim) ->
                throw new AssertionError("no pod here has claims, but the engine requests " + claim);
            case Effect.ReadLedger _, Effect.WriteLedger _, Effect.WriteClocks _ ->
                throw new AssertionError("this engine keeps no ledger");
            case Effect.DryRun(EvictionRequest request) ->
                pending.add(new Event.DryRunAnswered(request.planId(), new EvictionAnswer.Evicted()));
            case Effect.Evict(EvictionRequest request) -> {
                note("evicts " + request.pod().name() + " for " + request.rule());
                judge.evicts(request);
                shopCluster.evicts(request.uid());
                pending.add(new Event.Answered(request.planId(), new EvictionAnswer.Evicted()));
            }
            case Effect.WakeAt(Instant at) -> wake = Optional.of(at);
            case Effect.Notify(Notification notification) -> record(notification);
            case Effect.Publish _, Effect.Braked _, Effect.FoundTooComplex _, Effect.FoundInvalidRules _ -> {
                // Not used here.
            }
            case Effect.Compared(var _, Optional<String> difference) ->
                difference.ifPresent(it -> {
                    throw new AssertionError(it);
                });
        }
    }

    private void confirm(Effect.Confirm confirm) {
        if (confirm.current().isEmpty()) {
            pending.add(fakeApiServer.read(confirm));
        } else {
            begin(() -> pending.add(checked(confirm)));
        }
    }

    private Event checked(Effect.Confirm confirm) {
        Instant begin = time.instant();
        try {
            return currencyCheck
                    .behind(confirm.current().stream()
                            .sorted()
                            .map(feedByView::get)
                            .toList())
                    .<Event>map(why -> new Event.ConfirmFailed(confirm.planId(), Reason.VIEW_BEHIND, why))
                    .orElseGet(() -> fakeApiServer.read(confirm));
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        } catch (RuntimeException e) {
            return new Event.ConfirmFailed(confirm.planId(), Reason.API_ERROR, String.valueOf(e.getMessage()));
        } finally {
            checks.add(Duration.between(begin, time.instant()));
        }
    }

    /** Starts a thread for a task, in simulated time. */
    private void begin(Runnable task) {
        time.begin(Thread.ofPlatform().daemon().unstarted(() -> {
            try {
                task.run();
            } finally {
                time.ended();
            }
        })::start);
    }

    private void record(Notification notification) {
        String pod = notification.violation().pod().name();
        switch (notification) {
            case Notification.Started started ->
                note("begins " + pod + " " + started.violation().rule());
            case Notification.Ended(var violation, var how) ->
                note("ends " + pod + " " + violation.rule() + " " + how.label());
            case Notification.Held(var _, var hold) -> {
                note("holds " + pod + " " + hold.reason().label());
                heldBecause.add(hold.message());
            }
            case Notification.Moved moved -> note("moved " + pod + " " + moved.outcome());
            case Notification.AnnotationIgnored _,
                    Notification.WouldEvict _,
                    Notification.Evicting _,
                    Notification.Answered _ -> {
                // The log already contains the eviction.
            }
        }
    }

    private void note(String what) {
        history.add(Duration.between(SimulatedTime.START, time.instant()) + " " + what);
    }

    /** {@return the cluster according to a new list of all objects, which is read as a feed reads it} */
    private ReferenceCluster freshList() {
        ReferenceCluster referenceCluster = new ReferenceCluster();
        ApiServer server = fakeApiServer.toAnotherClient();
        try {
            list(server, ProtobufKind.namespaces(), WatchedKind.NAMESPACES, referenceCluster);
            list(server, ProtobufKind.nodes(), WatchedKind.NODES, referenceCluster);
            list(server, ProtobufKind.pods(SchedulingScope.RULES), WatchedKind.PODS, referenceCluster);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        return referenceCluster;
    }

    private void list(ApiServer server, ProtobufKind kind, WatchedKind watchedKind, ReferenceCluster into)
            throws InterruptedException {
        new ProtobufListWatch(server, kind).list(kind.reader(), new SeenObjects(watchedKind, time, into::apply));
    }

    @Override
    public void close() {
        closed = true;
        feeds.forEach(KindFeed::close);
        pending.clear();
    }
}
