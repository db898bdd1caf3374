package dev.holdfast.operator.lead;

import dev.holdfast.it.schedules.Schedules;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.LeaseSettings;
import dev.holdfast.policies.engine.protocol.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The lease threads of two replicas, the threads that ask whether they lead, and those that close them. */
class LeaseSchedulesIT {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final LeaseSettings SETTINGS =
            new LeaseSettings("hf", "holdfast", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    /** The Lease that the API server keeps, and which replicas lead by their own account. */
    private static final class Lease {
        private Optional<LeaseRecord> stored = Optional.empty();
        private int version;
        private final List<String> leading = new ArrayList<>();

        synchronized void tell(String replica, Event event) {
            switch (event) {
                case Event.LeadershipGained _ -> gained(replica);
                case Event.LeadershipRegained _ -> gained(replica);
                case Event.LeadershipLost _ -> leading.remove(replica);
                case Event _ -> throw new IllegalStateException("no event of a lease: " + event);
            }
        }

        private void gained(String replica) {
            leading.add(replica);
            if (leading.size() > 1) {
                throw new IllegalStateException("leading at once: " + leading);
            }
        }

        synchronized boolean isHeld() {
            return stored.filter(LeaseRecord::isHeld).isPresent();
        }

        /** The connection of one replica. One thread uses it at a time, and none after its close. */
        private final class Session implements LeaseApi {
            private int read = -1;
            private boolean inUse;
            private boolean closed;

            private void begin() {
                synchronized (Lease.this) {
                    if (inUse || closed) {
                        throw new IllegalStateException(closed ? "used after its close" : "used by two threads");
                    }
                    inUse = true;
                }
            }

            private LeaseAnswer current() {
                inUse = false;
                read = version;
                return stored.<LeaseAnswer>map(LeaseAnswer.Current::new).orElseGet(LeaseAnswer.Missing::new);
            }

            @Override
            public LeaseAnswer read() {
                begin();
                synchronized (Lease.this) {
                    return current();
                }
            }

            @Override
            public LeaseAnswer create(LeaseRecord lease) {
                begin();
                synchronized (Lease.this) {
                    return stored.isPresent() ? changed() : write(lease);
                }
            }

            @Override
            public LeaseAnswer replace(LeaseRecord lease) {
                begin();
                synchronized (Lease.this) {
                    return read == version ? write(lease) : changed();
                }
            }

            private LeaseAnswer changed() {
                inUse = false;
                return new LeaseAnswer.Changed();
            }

            private LeaseAnswer write(LeaseRecord lease) {
                stored = Optional.of(lease);
                version++;
                return current();
            }

            @Override
            public void note(String lastWrite) {
                // Not used here.
            }

            @Override
            public Optional<String> noted() {
                return Optional.empty();
            }

            @Override
            public void close() {
                begin();
                synchronized (Lease.this) {
                    closed = true;
                }
            }
        }

        Leadership replica(String name) {
            SteadyClock clock = new SteadyClock(() -> NOON, () -> 0);
            return new Leadership(
                    new Session(),
                    SETTINGS,
                    name,
                    () -> true,
                    clock,
                    new ClockComparison(clock),
                    event -> tell(name, event),
                    (_, death) -> {
                        throw new IllegalStateException(death);
                    });
        }
    }

    @Test
    void ofTwoReplicasOneLeadsAtATimeAndBothReleaseTheLease() {
        Schedules.play(() -> {
            Lease lease = new Lease();
            Leadership one = lease.replica("one");
            Leadership two = lease.replica("two");
            one.start();
            two.start();
            Thread closing = Thread.ofPlatform().start(one::close);
            two.close();
            closing.join();
            if (one.leads() || two.leads() || !lease.leading.isEmpty() || lease.isHeld()) {
                throw new IllegalStateException("still leading: " + lease.leading + ", stored " + lease.stored);
            }
        });
    }

    @Test
    void aReplicaThatIsClosedByAnInterruptedThreadNoLongerLeads() {
        Schedules.play(() -> {
            Lease lease = new Lease();
            Leadership one = lease.replica("one");
            one.start();
            Thread closing = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                one.close();
                if (one.leads()) {
                    throw new IllegalStateException("leads after its close");
                }
            });
            closing.join();
            if (one.leads() || lease.isHeld()) {
                throw new IllegalStateException("still leading, stored " + lease.stored);
            }
        });
    }
}
