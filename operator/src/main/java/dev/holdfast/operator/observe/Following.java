package dev.holdfast.operator.observe;

import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * One watch from its opening to its end. Events come one at a time, in order, and never after the end; what an event
 * does not do itself, the client below would lose with its exception, so any exception ends the watch.
 */
final class Following<T extends SlimObject> implements Watcher<T> {
    private final Sight<T> sight;
    private final CompletableFuture<WatchEnd> end = new CompletableFuture<>();

    Following(Sight<T> sight) {
        this.sight = sight;
    }

    /** {@return how the watch ended, once it has and all its events have been taken} */
    WatchEnd await() throws InterruptedException {
        try {
            return end.get();
        } catch (ExecutionException e) {
            throw new IllegalStateException("an end is always a value", e);
        }
    }

    /** Ends a watch of which nothing was heard for too long: it may be opened again from where it was. */
    void giveUp() {
        end.complete(new WatchEnd.Closed());
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
                case ADDED, MODIFIED -> sight.changed(object);
                case DELETED -> sight.deleted(object);
                case BOOKMARK -> sight.reached(object.getMetadata().getResourceVersion());
                case ERROR -> end.complete(new WatchEnd.Broken("the watch reported an error"));
            }
        } catch (RuntimeException | Error e) {
            end.complete(new WatchEnd.Broken("a change could not be read: " + e));
        }
    }

    @Override
    public void onClose(WatcherException cause) {
        end.complete(
                cause.isHttpGone()
                        ? new WatchEnd.Broken("the API server has forgotten the changes since the last one seen")
                        : new WatchEnd.Closed());
    }

    @Override
    public void onClose() {
        end.complete(new WatchEnd.Closed());
    }
}
