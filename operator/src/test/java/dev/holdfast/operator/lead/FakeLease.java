package dev.holdfast.operator.lead;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A fake Lease that several replicas share, with faults on demand. */
final class FakeLease {
    Optional<LeaseRecord> stored = Optional.empty();
    boolean reachable = true;
    boolean answering = true;
    boolean mayCreate = true;
    Optional<String> note = Optional.empty();
    Optional<Error> failure = Optional.empty();
    /** Runs while a request to replace the lease is in progress. */
    Runnable whileReplacing = () -> {};

    final List<String> requests = new ArrayList<>();

    /** The threads that sent a request to read or replace the lease. */
    final BlockingQueue<Thread> threads = new LinkedBlockingQueue<>();

    private int version;

    LeaseApi forOne() {
        return new Session();
    }

    /** Writes the lease as another client would. */
    void written(LeaseRecord lease) {
        stored = Optional.of(lease);
        version++;
    }

    private final class Session implements LeaseApi {
        private int read = -1;

        @Override
        public LeaseAnswer read() {
            requests.add("read");
            threads.add(Thread.currentThread());
            return reachable ? current() : new LeaseAnswer.NoAnswer("unreachable");
        }

        @Override
        public LeaseAnswer create(LeaseRecord lease) {
            requests.add("create");
            if (!reachable) {
                return new LeaseAnswer.NoAnswer("unreachable");
            }
            if (!mayCreate) {
                return new LeaseAnswer.Refused("may not create");
            }
            return stored.isPresent() ? new LeaseAnswer.Changed() : write(lease);
        }

        @Override
        public LeaseAnswer replace(LeaseRecord lease) {
            requests.add("replace");
            threads.add(Thread.currentThread());
            whileReplacing.run();
            failure.ifPresent(it -> {
                throw it;
            });
            if (!reachable) {
                return new LeaseAnswer.NoAnswer("unreachable");
            }
            if (Thread.currentThread().isInterrupted()) {
                return new LeaseAnswer.NoAnswer("interrupted");
            }
            if (stored.isEmpty()) {
                return new LeaseAnswer.Missing();
            }
            return read == version ? write(lease) : new LeaseAnswer.Changed();
        }

        private LeaseAnswer write(LeaseRecord lease) {
            written(lease);
            return answering ? current() : new LeaseAnswer.NoAnswer("written, but not answered");
        }

        private LeaseAnswer current() {
            read = version;
            return stored.<LeaseAnswer>map(LeaseAnswer.Current::new).orElseGet(LeaseAnswer.Missing::new);
        }

        @Override
        public void note(String lastWrite) {
            note = Optional.of(lastWrite);
        }

        @Override
        public Optional<String> noted() {
            return note;
        }

        @Override
        public void close() {
            requests.add("close");
        }
    }
}
