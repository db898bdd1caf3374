package dev.holdfast.operator.api;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.Call;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

/**
 * Hands the bodies of answers to whoever asked. The Kubernetes client above would read each part of them on another thread,
 * which costs more than the reading: 1.2 GB of pods come in 150,000 parts. What it gets itself is the answer
 * with an empty body, by which it finds out when to renew credentials and to ask again.
 */
final class StreamingBodies implements Interceptor, AutoCloseable {
    /** Names who asked; it does not go on to the server. */
    static final String HEADER = "Holdfast-Asked-By";

    private static final ResponseBody NOTHING = ResponseBody.create(new byte[0], null);

    private final AtomicLong last = new AtomicLong();
    private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();
    private final Set<ResponseStream> open = ConcurrentHashMap.newKeySet();

    /**
     * {@return what a request has to be sent with}
     *
     * @param patience how long nothing may come
     */
    Ticket expect(Duration patience) {
        Ticket ticket = new Ticket(Long.toString(last.incrementAndGet()), patience);
        tickets.put(ticket.id, ticket);
        return ticket;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        Optional<String> asker = Optional.ofNullable(request.header(HEADER));
        if (asker.isEmpty()) {
            // To renew credentials the client asks others than the API server, and reads what they answer.
            return chain.proceed(request);
        }
        Ticket ticket = Optional.ofNullable(tickets.get(asker.get()))
                .orElseThrow(() -> new IOException("nobody waits for the answer any more"));
        ticket.sent(chain.call());
        Response answer = chain.withReadTimeout(Math.toIntExact(ticket.patience.toMillis()), TimeUnit.MILLISECONDS)
                .proceed(request.newBuilder().removeHeader(HEADER).build());
        ticket.hand(ResponseStream.of(chain.call(), answer.body(), ticket.patience, open));
        return answer.newBuilder().body(NOTHING).build();
    }

    /** Ends all answers that are being read. */
    @Override
    public void close() {
        open.forEach(ResponseStream::end);
    }

    /** One request, which may be sent twice: with renewed credentials. */
    final class Ticket implements AutoCloseable {
        private final String id;
        private final Duration patience;
        private Optional<Call> call = Optional.empty();
        private Optional<ResponseStream> responseStream = Optional.empty();
        private boolean closed;

        private Ticket(String id, Duration patience) {
            this.id = id;
            this.patience = patience;
        }

        String id() {
            return id;
        }

        private synchronized void sent(Call next) {
            call = Optional.of(next);
            if (closed) {
                next.cancel();
            }
        }

        private synchronized void hand(ResponseStream next) {
            call = Optional.empty();
            responseStream.ifPresent(ResponseStream::close);
            responseStream = Optional.of(next);
            if (closed) {
                close();
            }
        }

        /** {@return the body of the last answer; it is the caller's now} */
        synchronized ResponseStream take() {
            ResponseStream taken =
                    responseStream.orElseThrow(() -> new IllegalStateException("an answer that no server gave"));
            responseStream = Optional.empty();
            return taken;
        }

        /** Takes back what was not answered yet, and closes what was not taken. */
        @Override
        public synchronized void close() {
            closed = true;
            tickets.remove(id);
            call.ifPresent(Call::cancel);
            responseStream.ifPresent(ResponseStream::close);
            responseStream = Optional.empty();
        }
    }
}
