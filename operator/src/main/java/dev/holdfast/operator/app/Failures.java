package dev.holdfast.operator.app;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Handler of failures that only a restart of the process can fix: logs each and ends the process.
 *
 * @param onFatal takes one line that names the failure
 */
record Failures(Consumer<String> onFatal) {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    /** Handles the death of a thread, whose work no other thread takes over. */
    void threadDied(Thread thread, Throwable why) {
        LOG.atError().addKeyValue("thread", thread.getName()).setCause(why).log("Thread died");
        onFatal.accept("thread \"" + thread.getName() + "\" died: " + why);
    }

    /** Handles an exception of the engine, which stops. */
    void engineFailed(Event event, Throwable bug) {
        LOG.atError()
                .addKeyValue("event", event)
                .setCause(bug)
                .log("Engine failed on an event and stopped; please" + " report this bug");
        onFatal.accept("the engine failed, which is a bug: " + bug);
    }

    /** Handles the permanent end of an informer of policies or pauses. */
    void informerStopped(Throwable failure) {
        onFatal.accept("a watch of policies or pauses ended permanently: " + failure);
    }
}
