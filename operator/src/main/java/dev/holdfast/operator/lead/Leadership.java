package dev.holdfast.operator.lead;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.LeaseSettings;
import dev.holdfast.operator.evict.Fence;
import dev.holdfast.policies.engine.protocol.Event;
import io.fabric8.kubernetes.client.Config;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Holds the Lease as long as it can, and says whether this replica leads.
 *
 * <p>All requests are made by one thread, one at a time. What it finds decides when leading ends; the fence does not
 * wait for it but looks at the clocks itself.
 */
public final class Leadership implements Fence, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Leadership.class);

    private final LeaseApi lease;
    private final LeaseSettings settings;
    private final SteadyClock clock;
    private final Consumer<Event> sink;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread thread;

    private volatile LeaseState leaseState;
    private String lastTrouble = "";

    /**
     * A candidate that has not begun yet.
     *
     * @param identity this replica, unlike any other
     * @param sink takes LeadershipGained and LeadershipLost
     * @param onDeath told when nobody competes or renews any more: the process should end with an error
     */
    public Leadership(
            Config connection,
            LeaseSettings settings,
            String identity,
            SteadyClock clock,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this(new KubernetesLease(connection, settings), settings, identity, clock, sink, onDeath);
    }

    Leadership(
            LeaseApi lease,
            LeaseSettings settings,
            String identity,
            SteadyClock clock,
            Consumer<Event> sink,
            Thread.UncaughtExceptionHandler onDeath) {
        this.lease = lease;
        this.settings = settings;
        this.clock = clock;
        this.sink = sink;
        this.leaseState = LeaseState.none(settings, identity);
        this.thread = Thread.ofVirtual()
                .name("lease")
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::compete);
    }

    /** Begins to compete for the lease. Returns at once. */
    public void start() {
        thread.start();
    }

    /** {@return whether this replica leads now} */
    public boolean leads() {
        return allows(Duration.ZERO);
    }

    @Override
    public boolean allows(Duration requestTimeout) {
        return leaseState.allows(requestTimeout, ClockReading.now(clock));
    }

    /** Stops, and gives the lease back if it is held, so that another replica need not wait for its end. */
    @Override
    public void close() {
        closing.countDown();
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        resign();
        lease.close();
    }

    private void compete() {
        try {
            do {
                roundOrEnd();
            } while (!closing.await(settings.retryPeriod().toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void roundOrEnd() {
        try {
            round();
        } catch (RuntimeException e) {
            LOG.atError().addKeyValue("lease", name()).setCause(e).log("the lease cannot be kept");
            end("the lease cannot be kept: " + e);
        } catch (Error e) {
            end("the lease cannot be kept: " + e);
            throw e;
        }
    }

    /** One look at the clocks, and one attempt to take or renew the lease. */
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
            case LeaseAnswer.Stands(LeaseRecord read) -> {
                saw(read);
                claim();
            }
            case LeaseAnswer.Missing() -> {
                leaseState = leaseState.missed(clock.instant());
                make();
            }
            case LeaseAnswer.Changed() -> {}
            case LeaseAnswer.Refused(String message) -> trouble(message);
            case LeaseAnswer.NoAnswer(String message) -> trouble(message);
        }
    }

    private void make() {
        ClockReading sent = ClockReading.now(clock);
        Optional<LeaseRecord> first = leaseState.first(sent);
        if (first.isPresent()) {
            settle(lease.create(first.get()), sent);
        }
    }

    private void claim() {
        ClockReading sent = ClockReading.now(clock);
        Optional<LeaseRecord> claim = leaseState.claim(sent);
        if (claim.isPresent()) {
            settle(lease.replace(claim.get()), sent);
        }
    }

    private void settle(LeaseAnswer answer, ClockReading sent) {
        switch (answer) {
            case LeaseAnswer.Stands(LeaseRecord ours) -> confirm(ours, sent);
            // Our own renewal may have gone through without an answer: look before judging.
            case LeaseAnswer.Changed() -> look();
            case LeaseAnswer.Missing() -> end("the lease was deleted");
            case LeaseAnswer.Refused(String message) -> trouble(message);
            case LeaseAnswer.NoAnswer(String message) -> trouble(message);
        }
    }

    private void look() {
        switch (lease.read()) {
            case LeaseAnswer.Stands(LeaseRecord read) -> saw(read);
            case LeaseAnswer.Missing() -> end("the lease was deleted");
            case LeaseAnswer.Changed() -> {}
            case LeaseAnswer.Refused(String message) -> trouble(message);
            case LeaseAnswer.NoAnswer(String message) -> trouble(message);
        }
    }

    private void saw(LeaseRecord read) {
        boolean led = leaseState.leads();
        leaseState = leaseState.saw(read, clock.instant());
        if (led && !leaseState.leads()) {
            told(read.isHeld() ? read.holder() + " took the lease" : "somebody released the lease");
        }
    }

    private void confirm(LeaseRecord ours, ClockReading sent) {
        boolean led = leaseState.leads();
        leaseState = leaseState.confirmed(ours, sent);
        lastTrouble = "";
        if (!led) {
            LOG.atInfo().addKeyValue("lease", name()).log("leading");
            sink.accept(new Event.LeadershipGained());
        }
    }

    private void end(String why) {
        if (leaseState.leads()) {
            leaseState = leaseState.ended();
            told(why);
        }
    }

    private void told(String why) {
        LOG.atLevel(closing.getCount() > 0 ? Level.WARN : Level.INFO)
                .addKeyValue("lease", name())
                .addKeyValue("reason", why)
                .log("not leading any more");
        sink.accept(new Event.LeadershipLost(why));
    }

    /** Says what keeps the lease away, but not every two seconds. */
    private void trouble(String message) {
        if (!message.equals(lastTrouble)) {
            LOG.atWarn()
                    .addKeyValue("lease", name())
                    .addKeyValue("reason", message)
                    .log("cannot get the lease");
            lastTrouble = message;
        }
    }

    private String name() {
        return settings.namespace() + "/" + settings.name();
    }

    private void resign() {
        boolean led = leaseState.leads();
        Optional<LeaseRecord> held = leaseState.seen().filter(it -> led);
        end("stopping");
        held.ifPresent(it -> lease.replace(it.released(clock.wall())));
    }
}
