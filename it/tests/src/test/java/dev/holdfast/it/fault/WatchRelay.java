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

/** Relay of one watch in a {@link FaultProxy}: passes it on frame by frame and applies the current fault. */
final class WatchRelay {
    private static final long POLL_MILLIS = 20;

    /** How long a frame waits for the next frame, which is then sent first. */
    private static final Duration SWAPPED_WITHIN = Duration.ofSeconds(1);

    private final ProxyExchange proxyExchange;
    private final HttpHead request;
    private final WatchForm form;
    private final long opened = System.nanoTime();
    private final BlockingQueue<Came> came = new LinkedBlockingQueue<>();
    private final Set<ProxyFault> done = Collections.newSetFromMap(new IdentityHashMap<>());

    private sealed interface Came {
        @SuppressWarnings("ArrayRecordComponent") // no instance is ever compared
        record Frame(byte[] bytes) implements Came {}

        record End() implements Came {}
    }

    WatchRelay(ProxyExchange proxyExchange, HttpHead request, WatchForm form) {
        this.proxyExchange = proxyExchange;
        this.request = request;
        this.form = form;
    }

    void run(DataInputStream from, ClientBody to) throws IOException, InterruptedException {
        Thread.ofVirtual().start(() -> read(from));
        while (!proxyExchange.isClosed()) {
            if (ends(proxyExchange.unfrozen(request), to)) {
                return;
            }
            Came next = came.poll(POLL_MILLIS, TimeUnit.MILLISECONDS);
            // The frame may have arrived while the proxy was frozen.
            ProxyFault proxyFault = proxyExchange.unfrozen(request);
            if (next instanceof Came.Frame(byte[] bytes)) {
                pass(bytes, proxyFault, to);
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

    /** Ends the watch if this fault demands it, and returns whether it did. */
    private boolean ends(ProxyFault proxyFault, ClientBody to) throws IOException {
        switch (proxyFault) {
            case ProxyFault.Expire(Duration age) -> {
                return System.nanoTime() - opened >= age.toNanos() && ended(410, to);
            }
            case ProxyFault.Fail(int code) -> {
                return ended(code, to);
            }
            case ProxyFault.Insert(String bytes) -> {
                if (done.add(proxyFault)) {
                    to.write(bytes.getBytes(ISO_8859_1));
                }
                return false;
            }
            case ProxyFault.Pass _,
                    ProxyFault.Stall _,
                    ProxyFault.Freeze _,
                    ProxyFault.HangUp _,
                    ProxyFault.Answer _,
                    ProxyFault.Cut _,
                    ProxyFault.Repeat _,
                    ProxyFault.Swap _ -> {
                return false;
            }
        }
    }

    private boolean ended(int code, ClientBody to) throws IOException {
        to.write(form.error(code));
        to.end();
        return true;
    }

    private void pass(byte[] frame, ProxyFault proxyFault, ClientBody to) throws IOException, InterruptedException {
        switch (proxyFault) {
            case ProxyFault.Repeat _ -> {
                to.write(frame);
                to.write(frame);
            }
            case ProxyFault.Swap _ -> {
                Came other = came.poll(SWAPPED_WITHIN.toMillis(), TimeUnit.MILLISECONDS);
                if (other instanceof Came.Frame(byte[] bytes)) {
                    to.write(bytes);
                } else if (other instanceof Came.End) {
                    came.add(other);
                }
                to.write(frame);
            }
            case ProxyFault.Cut(long bytes, ProxyFault.Manner manner) -> {
                to.write(frame, (int) Math.min(frame.length, bytes));
                if (manner == ProxyFault.Manner.AS_IF_IT_WERE_ALL) {
                    to.end();
                }
                proxyExchange.close();
            }
            case ProxyFault.Pass _,
                    ProxyFault.Stall _,
                    ProxyFault.Freeze _,
                    ProxyFault.HangUp _,
                    ProxyFault.Answer _,
                    ProxyFault.Expire _,
                    ProxyFault.Fail _,
                    ProxyFault.Insert _ -> to.write(frame);
        }
    }
}
