package dev.holdfast.policies.engine.protocol;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Confines an object to one thread, which owns the object. The first thread that uses the object becomes its owner; a
 * second thread is refused, because its use would be a bug. Each check costs a volatile read.
 */
public final class OwnerThread {
    private final String what;
    private final AtomicReference<@Nullable Thread> owner = new AtomicReference<>();

    /** A second thread has used the object: a bug. */
    public static final class ForeignThreadException extends IllegalStateException {
        private static final long serialVersionUID = 1L;

        private ForeignThreadException(String message) {
            super(message);
        }
    }

    /**
     * An object without an owner yet.
     *
     * @param what names the object in the message of the exception: {@code the engine}
     */
    public OwnerThread(String what) {
        this.what = what;
    }

    /**
     * Checks that the calling thread owns the object; called at the beginning of each use.
     *
     * @throws ForeignThreadException if another thread owns it
     */
    public void check() {
        Thread caller = Thread.currentThread();
        if (!caller.equals(owner.get()) && !owner.compareAndSet(null, caller)) {
            throw new ForeignThreadException(String.format(
                    "%s belongs to the thread '%s' and was used by '%s': a bug, please report it",
                    what, name(owner.get()), name(caller)));
        }
    }

    /**
     * Makes the calling thread the owner. Allowed only if the previous owner no longer uses the object, and if its work
     * happened before this call: it started the caller, or the caller has joined it.
     */
    public void handOver() {
        owner.set(Thread.currentThread());
    }

    private static String name(@Nullable Thread thread) {
        return thread == null ? "none" : thread.getName();
    }
}
