package dev.holdfast.operator.serve;

import java.util.concurrent.Semaphore;
import java.util.function.Supplier;

/**
 * Creates few replies at once: a scrape of metrics takes memory and time, which a crowd of clients could exhaust. The others
 * get status 503 at once.
 */
public final class FewAtOnce implements Supplier<HttpReply> {
    private static final int MOST = 2;
    private static final int BUSY = 503;

    private final Semaphore free = new Semaphore(MOST);
    private final Supplier<HttpReply> replies;

    /** Creates the bound for one path. */
    public FewAtOnce(Supplier<HttpReply> replies) {
        this.replies = replies;
    }

    @Override
    public HttpReply get() {
        if (!free.tryAcquire()) {
            return HttpReply.of(BUSY, "busy with " + MOST + " other requests; try again");
        }
        try {
            return replies.get();
        } finally {
            free.release();
        }
    }
}
