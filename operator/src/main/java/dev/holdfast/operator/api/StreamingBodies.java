package dev.holdfast.operator.api;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
 * OkHttp interceptor that gives response bodies directly to the caller, not through the Kubernetes client. The client
 * would pass each chunk of a body to another thread. Passing a chunk costs more than reading it, and 1.2 GB of pods are
 * 150,000 chunks. The client still gets each response, but with an empty body. From the status code, the client learns
 * when to renew the credentials and send the request again.
 */
final class StreamingBodies implements Interceptor, AutoCloseable {
    /**
     * Request header with the id of the caller's {@link Ticket}, which gets the response body. The header is removed
     * before the request is sent.
     */
    static final String HEADER = "Holdfast-Asked-By";

    private static final ResponseBody NOTHING = ResponseBody.create(new byte[0], null);

    private final AtomicLong last = new AtomicLong();
    private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();
    private final Set<ResponseStream> open = ConcurrentHashMap.newKeySet();

    /**
     * Registers an expected response, and returns its ticket. The request must carry the id of the ticket in {@link
     * #HEADER}.
     *
     * @param patience the longest wait for the next bytes
     */
    Ticket expect(Duration patience) {
        Ticket ticket = new Ticket(Long.toString(last.incrementAndGet()), patience);
        tickets.put(ticket.id, ticket);
        return ticket;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        Optional<String> ticketId = Optional.ofNullable(request.header(HEADER));
        if (ticketId.isEmpty()) {
            // To renew credentials the client sends requests to other servers, and reads their responses itself.
            return chain.proceed(request);
        }
        Ticket ticket = Optional.ofNullable(tickets.get(ticketId.get()))
                .orElseThrow(() -> new IOException("the caller no longer waits for the answer"));
        ticket.sent(chain.call());
        Response answer = chain.withReadTimeout(Math.toIntExact(ticket.patience.toMillis()), TimeUnit.MILLISECONDS)
                .proceed(request.newBuilder().removeHeader(HEADER).build());
        ticket.hand(ResponseStream.of(chain.call(), answer.body(), ticket.patience, open));
        return answer.newBuilder().body(NOTHING).build();
    }

    /** Ends all open response bodies: their readers reach the end of the stream. */
    @Override
    public void close() {
        open.forEach(ResponseStream::end);
    }

    /**
     * A caller's claim to the body of the response that it waits for. If the client sends the request twice, the second
     * time with renewed credentials, the last response counts.
     */
    final class Ticket implements AutoCloseable {
        private final String id;
        private final Duration patience;

        @GuardedBy("this")
        private Optional<Call> call = Optional.empty();

        @GuardedBy("this")
        private Optional<ResponseStream> responseStream = Optional.empty();

        @GuardedBy("this")
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

        /**
         * Returns the body of the last response that has arrived. The caller must close that body; {@link #close} no
         * longer does.
         */
        synchronized ResponseStream take() {
            ResponseStream taken =
                    responseStream.orElseThrow(() -> new IllegalStateException("no server has answered"));
            responseStream = Optional.empty();
            return taken;
        }

        /** Cancels the request if it has no response yet, and closes a body that was not taken. */
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
