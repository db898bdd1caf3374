package dev.holdfast.operator.app;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handler of failures that only a restart of the process can fix.
 *
 * @param onFatal called with one line that names the failure; it should end the process
 */
record Failures(Consumer<String> onFatal) {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    /** Handles an uncaught exception that ended a thread. No other thread takes over its work. */
    void threadDied(Thread thread, Throwable why) {
        LOG.atError().addKeyValue("thread", thread.getName()).setCause(why).log("Thread died");
        onFatal.accept("thread \"" + thread.getName() + "\" died: " + why);
    }

    /**
     * Handles a bug: the engine threw an exception when it got the event. Or a read or request that the engine wanted
     * ended in an {@link Error}; then the event reports this.
     */
    void engineFailed(Event event, Throwable bug) {
        LOG.atError()
                .addKeyValue("event", event)
                .setCause(bug)
                .log("Bug in the engine or in one of its requests; the operator stops. Please report this bug");
        onFatal.accept(
                "this is a bug: the engine failed, or the operator could not carry out what the engine requested: "
                        + bug);
    }

    /** Handles the permanent end of the informer of policies or of pauses. */
    void informerStopped(Throwable failure) {
        onFatal.accept("a watch of policies or pauses ended permanently: " + failure);
    }
}
