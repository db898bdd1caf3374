package dev.holdfast.operator.observe;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import okhttp3.Interceptor;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.ResponseBody;

/**
 * Hands the bodies of answers to whoever asked. The Kubernetes client above would read each part of them on another thread,
 * which costs more than the reading: 1.2 GB of pods come in 150,000 parts. What it gets itself is the answer
 * with an empty body, by which it finds out when to renew credentials and to ask again.
 */
final class Handover implements Interceptor, AutoCloseable {
    /** Names who asked; it does not go on to the server. */
    static final String HEADER = "Holdfast-Asked-By";

    private static final ResponseBody NOTHING = ResponseBody.create(new byte[0], null);

    private final AtomicLong last = new AtomicLong();
    private final Map<String, Ticket> tickets = new ConcurrentHashMap<>();
    private final Set<Body> open = ConcurrentHashMap.newKeySet();

    /** {@return what a request has to be sent with} */
    Ticket expect() {
        Ticket ticket = new Ticket(Long.toString(last.incrementAndGet()));
        tickets.put(ticket.id, ticket);
        return ticket;
    }

    @Override
    public Response intercept(Chain chain) throws IOException {
        Request request = chain.request();
        Optional<Ticket> ticket = Optional.ofNullable(request.header(HEADER)).map(tickets::get);
        Response answer =
                chain.proceed(request.newBuilder().removeHeader(HEADER).build());
        Body body = Body.of(chain.call(), answer.body(), open);
        ticket.ifPresentOrElse(it -> it.hand(body), body::close);
        return answer.newBuilder().body(NOTHING).build();
    }

    /** Ends all answers that are being read. */
    @Override
    public void close() {
        open.forEach(Body::end);
    }

    /** One request, which may be sent twice: with renewed credentials. */
    final class Ticket implements AutoCloseable {
        private final String id;
        private Optional<Body> body = Optional.empty();
        private boolean closed;

        private Ticket(String id) {
            this.id = id;
        }

        String id() {
            return id;
        }

        private synchronized void hand(Body next) {
            body.ifPresent(Body::close);
            body = Optional.of(next);
            if (closed) {
                close();
            }
        }

        /** {@return the body of the last answer; it is the caller's now} */
        synchronized Body take() {
            Body taken = body.orElseThrow(() -> new IllegalStateException("an answer that no server gave"));
            body = Optional.empty();
            return taken;
        }

        /** Closes what was not taken, and what comes yet. */
        @Override
        public synchronized void close() {
            closed = true;
            tickets.remove(id);
            body.ifPresent(Body::close);
            body = Optional.empty();
        }
    }
}
