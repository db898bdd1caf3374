package dev.holdfast.it.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.DataInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** Passes a watch on, frame by frame, and does to it what the faults of the moment say. */
final class WatchRelay {
    private static final long GLANCE_MILLIS = 20;

    /** How long a frame waits for another one to come before it. */
    private static final Duration SWAPPED_WITHIN = Duration.ofSeconds(1);

    private final Exchange exchange;
    private final Head asked;
    private final WatchForm form;
    private final long opened = System.nanoTime();
    private final BlockingQueue<Came> came = new LinkedBlockingQueue<>();
    private final Set<Fault> done = Collections.newSetFromMap(new IdentityHashMap<>());

    private sealed interface Came {
        @SuppressWarnings("ArrayRecordComponent") // none is ever compared
        record Frame(byte[] bytes) implements Came {}

        record End() implements Came {}
    }

    WatchRelay(Exchange exchange, Head asked, WatchForm form) {
        this.exchange = exchange;
        this.asked = asked;
        this.form = form;
    }

    void run(DataInputStream from, Given to) throws IOException, InterruptedException {
        Thread.ofVirtual().start(() -> read(from));
        while (!exchange.isClosed()) {
            if (ends(exchange.unfrozen(asked), to)) {
                return;
            }
            Came next = came.poll(GLANCE_MILLIS, TimeUnit.MILLISECONDS);
            // A frame may have come while nothing was to pass.
            Fault fault = exchange.unfrozen(asked);
            if (next instanceof Came.Frame(byte[] bytes)) {
                pass(bytes, fault, to);
            } else if (next instanceof Came.End) {
                to.end();
                return;
            }
        }
    }

    private void read(DataInputStream from) {
        try {
            while (true) {
                came.add(new Came.Frame(form.frame(from)));
            }
        } catch (IOException _) {
            came.add(new Came.End());
        }
    }

    /** {@return whether the watch is over by this fault} */
    private boolean ends(Fault fault, Given to) throws IOException {
        switch (fault) {
            case Fault.Expire(Duration age) -> {
                return System.nanoTime() - opened >= age.toNanos() && ended(410, to);
            }
            case Fault.Fail(int code) -> {
                return ended(code, to);
            }
            case Fault.Insert(String bytes) -> {
                if (done.add(fault)) {
                    to.write(bytes.getBytes(ISO_8859_1));
                }
                return false;
            }
            case Fault.Pass _,
                    Fault.Stall _,
                    Fault.Freeze _,
                    Fault.HangUp _,
                    Fault.Answer _,
                    Fault.Cut _,
                    Fault.Repeat _,
                    Fault.Swap _ -> {
                return false;
            }
        }
    }

    private boolean ended(int code, Given to) throws IOException {
        to.write(form.error(code));
        to.end();
        return true;
    }

    private void pass(byte[] frame, Fault fault, Given to) throws IOException, InterruptedException {
        switch (fault) {
            case Fault.Repeat _ -> {
                to.write(frame);
                to.write(frame);
            }
            case Fault.Swap _ -> {
                Came other = came.poll(SWAPPED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
                if (other instanceof Came.Frame(byte[] bytes)) {
                    to.write(bytes);
                } else if (other instanceof Came.End) {
                    came.add(other);
                }
                to.write(frame);
            }
            case Fault.Cut(long bytes, Fault.Manner manner) -> {
                to.write(frame, (int) Math.min(frame.length, bytes));
                if (manner == Fault.Manner.AS_IF_IT_WERE_ALL) {
                    to.end();
                }
                exchange.close();
            }
            case Fault.Pass _,
                    Fault.Stall _,
                    Fault.Freeze _,
                    Fault.HangUp _,
                    Fault.Answer _,
                    Fault.Expire _,
                    Fault.Fail _,
                    Fault.Insert _ -> to.write(frame);
        }
    }
}
