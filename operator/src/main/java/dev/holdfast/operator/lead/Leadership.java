package dev.holdfast.operator.lead;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.LeaseSettings;
import dev.holdfast.operator.evict.LeaseFence;
import dev.holdfast.policies.engine.protocol.Event;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Leader election by a Lease: acquires and renews the Lease, and tells whether this replica leads.
 *
 * <p>One thread sends all requests, one at a time, and ends leadership according to their answers. {@link #allows} does
 * not wait for this thread: it reads the clocks itself.
 */
public final class Leadership implements LeaseFence, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    /** How long a replica that could not act leaves a free lease to others. */
    private static final Duration PATIENCE = Duration.ofSeconds(5);

    private final LeaseApi lease;
    private final LeaseSettings settings;
    private final BooleanSupplier couldAct;
    private final SteadyClock clock;
    private final ClockComparison comparison;
    private final Consumer<Event> sink;

    /** How long a stop waits for the lease thread: longer than for the answers to a renewal and to a read. */
    private static final Duration CLOSING = Duration.ofSeconds(8);

    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    private volatile LeaseState leaseState;

    /** The last time in which this replica led; absent before it first led. */
    private Optional<Term> lastTerm = Optional.empty();

    /**
     * A time in which this replica led.
     *
     * @param lease the lease that it held
     * @param renewal the clocks just before the last confirmed renewal was sent
     */
    private record Term(LeaseRecord lease, ClockReading renewal) {
        /**
         * {@return whether a lease continues this term: its holder, acquireTime and transitions are the same, and the
         * clocks did not drift} If so, no other replica led in between.
         */
        boolean continuesWith(LeaseRecord next, ClockReading now) {
            return next.isSameTermAs(lease) && !LeaseState.drifted(renewal, now);
        }
    }

    private String lastProblem = "";

    /** Since when this replica could take the lease, but leaves it to others; absent if it does not leave it. */
    private Optional<Instant> leftSince = Optional.empty();

    /**
     * Leader election that is not started yet.
     *
     * @param identity the unique name of this replica
     * @param couldAct whether this replica could act if it led: its views are synced, and it may enforce. If not, the
     *     replica leaves a free lease to others for 5 s
     * @param sink gets the events LeadershipGained and LeadershipLost
     * @param onDeath called if the thread dies: no thread renews the lease then, so the process should end with an
     *     error
     */
    public Leadership(
            Config connection,
            LeaseSettings settings,
            String identity,
            BooleanSupplier couldAct,
            SteadyClock clock,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this(connection, settings, identity, couldAct, clock, new ClockComparison(clock), sink, onDeath);
    }

    private Leadership(
            Config connection,
            LeaseSettings settings,
            String identity,
            BooleanSupplier couldAct,
            SteadyClock clock,
            ClockComparison comparison,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this(
                new KubernetesLease(connection, settings, comparison),
                settings,
                identity,
                couldAct,
                clock,
                comparison,
                sink,
                onDeath);
    }

    Leadership(
            LeaseApi lease,
            LeaseSettings settings,
            String identity,
            BooleanSupplier couldAct,
            SteadyClock clock,
            ClockComparison comparison,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this.comparison = comparison;
        this.lease = lease;
        this.settings = settings;
        this.couldAct = couldAct;
        this.clock = clock;
        this.sink = sink;
        this.leaseState = LeaseState.none(settings, identity);
        // A platform thread, because virtual threads share a few carriers: other work must not delay a renewal.
        this.thread = Thread.ofPlatform()
                .daemon()
                .name("holdfast-lease")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::compete);
    }

    /** Starts to compete for the lease. Returns at once. */
    public void start() {
        thread.start();
    }

    /** {@return whether this replica leads now} */
    public boolean leads() {
        return allows(Duration.ZERO);
    }

    /**
     * {@return since when this replica has led without another one in between, as the Lease says; empty if it does not
     * lead now} The instant is by the wall clock of this replica.
     */
    public Optional<Instant> leadingSince() {
        LeaseState state = leaseState;
        return state.seen()
                .filter(_ -> closing.getCount() > 0 && state.allows(Duration.ZERO, ClockReading.now(clock)))
                .map(LeaseRecord::acquireTime);
    }

    /** Sets what the lease says about the last write of the ledger, from the next renewal on. */
    public void noteLedger(String lastWrite) {
        lease.note(lastWrite);
    }

    /** {@return what the lease says about the last write of the ledger; empty if it says nothing} */
    public Optional<String> notedLedger() {
        return lease.noted();
    }

    /** {@return the comparison of the wall clock with the API server's, by the responses to requests for the lease} */
    public ClockComparison comparison() {
        return comparison;
    }

    @Override
    public boolean allows(Duration requestTimeout) {
        // A renewal that is confirmed while this replica stops does not count.
        return closing.getCount() > 0 && leaseState.allows(requestTimeout, ClockReading.now(clock));
    }

    /**
     * Stops leading and competing, and releases the lease, so that another replica can take over at once. First waits
     * for the lease thread, for 8 s at most, even if the caller is interrupted. If the lease thread does not end, the
     * lease is not released and expires.
     */
    @Override
    public void close() {
        close(CLOSING);
    }

    void close(Duration limit) {
        closing.countDown();
        boolean ended = ends(limit);
        // An interrupt would cut off the request that releases the lease.
        boolean interrupted = Thread.interrupted();
        try {
            if (ended) {
                resign();
            } else {
                // Only one thread may send requests for the lease.
                LOG.atWarn()
                        .addKeyValue("lease", name())
                        .log("The lease is not released, because its last renewal did not end in time");
                thread.interrupt();
            }
            lease.close();
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return whether the lease thread never began, or ends within a limit} */
    private boolean ends(Duration limit) {
        if (thread.getState() == Thread.State.NEW) {
            return true;
        }
        Instant until = clock.instant().plus(limit);
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return thread.join(Duration.between(clock.instant(), until));
                } catch (InterruptedException _) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void compete() {
        try {
            do {
                roundOrEnd();
            } while (!closing.await(pause().toNanos(), TimeUnit.NANOSECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return how long to wait before the next round} */
    Duration pause() {
        return leaseState.pause(clock.instant());
    }

    private void roundOrEnd() {
        try {
            round();
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("lease", name()).setCause(e).log("Leader election failed");
            end("leader election failed: " + e);
        } catch (Error e) {
            end("leader election failed: " + e);
            throw e;
        }
    }

    /** Checks the clocks, and tries once to acquire or renew the lease. */
    void round() {
        endIfDue();
        if (leaseState.leads()) {
            claim();
        } else {
            learn(lease.read());
        }
        endIfDue();
    }

    private void endIfDue() {
        leaseState.mustEnd(ClockReading.now(clock)).ifPresent(this::end);
    }

    private void learn(LeaseAnswer answer) {
        switch (answer) {
            case LeaseAnswer.Current(LeaseRecord read) -> {
                saw(read);
                claim();
            }
            case LeaseAnswer.Missing() -> {
                lastTerm = Optional.empty();
                leaseState = leaseState.missed(clock.instant());
                make();
            }
            case LeaseAnswer.Changed() -> {}
            case LeaseAnswer.Refused(String message) -> failed(message);
            case LeaseAnswer.NoAnswer(String message) -> failed(message);
        }
    }

    private void make() {
        ClockReading sent = ClockReading.now(clock);
        Optional<LeaseRecord> first = leaseState.first(sent).filter(_ -> !leavesItToOthers(sent));
        if (first.isPresent()) {
            settle(lease.create(first.get()), sent);
        }
    }

    private void claim() {
        ClockReading sent = ClockReading.now(clock);
        Optional<LeaseRecord> claim = leaseState.claim(sent);
        if (claim.isEmpty()) {
            leftSince = Optional.empty();
        } else if (!leavesItToOthers(sent)) {
            settle(lease.replace(claim.get()), sent);
        }
    }

    /**
     * {@return whether another replica shall have the chance to take the lease first, because this one could not act}
     */
    private boolean leavesItToOthers(ClockReading now) {
        if (leaseState.leads() || couldAct.getAsBoolean()) {
            leftSince = Optional.empty();
            return false;
        }
        Instant since = leftSince.orElse(now.steady());
        leftSince = Optional.of(since);
        return now.steady().isBefore(since.plus(PATIENCE));
    }

    private void settle(LeaseAnswer answer, ClockReading sent) {
        switch (answer) {
            case LeaseAnswer.Current(LeaseRecord ours) -> confirm(ours, sent);
            // An earlier renewal may have succeeded without an answer, so read the lease first.
            case LeaseAnswer.Changed() -> check();
            case LeaseAnswer.Missing() -> end("the lease was deleted");
            case LeaseAnswer.Refused(String message) -> failed(message);
            case LeaseAnswer.NoAnswer(String message) -> failed(message);
        }
    }

    private void check() {
        switch (lease.read()) {
            case LeaseAnswer.Current(LeaseRecord read) -> saw(read);
            case LeaseAnswer.Missing() -> end("the lease was deleted");
            case LeaseAnswer.Changed() -> {}
            case LeaseAnswer.Refused(String message) -> failed(message);
            case LeaseAnswer.NoAnswer(String message) -> failed(message);
        }
    }

    private void saw(LeaseRecord read) {
        LeaseState before = leaseState;
        leaseState = leaseState.saw(read, clock.instant());
        if (before.leads() && !leaseState.leads()) {
            lastTerm = Optional.empty();
            report(before, read.isHeld() ? read.holder() + " took the lease" : "the lease was released");
        }
    }

    private void confirm(LeaseRecord ours, ClockReading sent) {
        boolean led = leaseState.leads();
        leaseState = leaseState.confirmed(ours, sent);
        lastProblem = "";
        if (!led) {
            boolean again =
                    lastTerm.filter(term -> term.continuesWith(ours, sent)).isPresent();
            LOG.atInfo()
                    .addKeyValue("lease", name())
                    .addKeyValue("again", again)
                    .log("Leading");
            sink.accept(again ? new Event.LeadershipRegained() : new Event.LeadershipGained());
        }
    }

    private void end(String why) {
        if (leaseState.leads()) {
            lastTerm = leaseState.seen().flatMap(lease -> leaseState.renewal().map(at -> new Term(lease, at)));
            LeaseState before = leaseState;
            leaseState = before.ended();
            report(before, why);
        }
    }

    /**
     * Reports the end of a lead. A replica that stalled notices it late, so it counts from the renew deadline.
     *
     * @param leading the state in which this replica still led
     */
    private void report(LeaseState leading, String why) {
        LOG.atLevel(closing.getCount() > 0 ? Level.WARN : Level.INFO)
                .addKeyValue("lease", name())
                .addKeyValue("reason", why)
                .log("Stopped leading");
        Instant now = clock.instant();
        Instant since = leading.leadsUntil().filter(now::isAfter).orElse(now);
        sink.accept(new Event.LeadershipLost(why, since));
    }

    /** Logs why the lease cannot be acquired or renewed, once per reason instead of at each retry. */
    private void failed(String message) {
        if (!message.equals(lastProblem)) {
            LOG.atWarn()
                    .addKeyValue("lease", name())
                    .addKeyValue("reason", message)
                    .log("Failed to acquire or renew the lease");
            lastProblem = message;
        }
    }

    private String name() {
        return settings.namespace() + "/" + settings.name();
    }

    private void resign() {
        boolean led = leaseState.leads();
        Optional<LeaseRecord> held = leaseState.seen().filter(it -> led);
        end("stopping");
        held.map(it -> lease.replace(it.released(clock.wall())))
                .filter(answer -> !(answer instanceof LeaseAnswer.Current))
                .ifPresent(answer -> LOG.atWarn()
                        .addKeyValue("lease", name())
                        .addKeyValue("reason", answer)
                        .log("The lease is not released, so another replica leads only when it expires"));
    }
}
