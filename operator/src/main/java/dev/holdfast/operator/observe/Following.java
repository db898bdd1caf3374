package dev.holdfast.operator.observe;

import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * One watch from its opening to its end. Events come one at a time, in order, and never after the end; what an event
 * does not do itself, the client below would lose with its exception, so any exception ends the watch.
 */
final class Following<T extends SlimObject> implements Watcher<T>, Source.Watching {
    private final Slim<T> kind;
    private final Sight sight;
    private final CompletableFuture<WatchEnd> end = new CompletableFuture<>();
    private Optional<Watch> watch = Optional.empty();

    Following(Slim<T> kind, Sight sight) {
        this.kind = kind;
        this.sight = sight;
    }

    /** Takes what is to be closed in the end. */
    void opened(Watch opened) {
        watch = Optional.of(opened);
    }

    @Override
    public WatchEnd await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an end is always a value", e);
        }
    }

    @Override
    public void giveUp() {
        end.complete(new WatchEnd.Closed());
    }

    @Override
    public void close() {
        watch.ifPresent(Watch::close);
    }

    @Override
    public void eventReceived(Action action, T object) {
        sight.alive();
        // A watch that was given up may still be at an event when the next one begins.
        synchronized (sight) {
            if (!end.isDone()) {
                take(action, object);
            }
        }
    }

    private void take(Action action, T object) {
        try {
            switch (action) {
                case ADDED, MODIFIED -> kind.changed(sight, object);
                case DELETED -> kind.deleted(sight, object);
                case BOOKMARK -> sight.reached(CoreFacts.version(object));
                case ERROR -> end.complete(new WatchEnd.Broken("the watch reported an error"));
            }
        } catch (RuntimeException | Error e) {
            end.complete(new WatchEnd.Broken("a change could not be read: " + e));
        }
    }

    @Override
    public void onClose(WatcherException cause) {
        end.complete(cause.isHttpGone() ? WatchEnd.ofStatus(WatchEnd.GONE) : new WatchEnd.Closed());
    }

    @Override
    public void onClose() {
        end.complete(new WatchEnd.Closed());
    }
}
