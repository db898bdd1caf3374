package dev.holdfast.operator.app;

import dev.holdfast.policies.engine.protocol.Event;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Failures that only a restart of the process can fix: logs each and ends the process.
 *
 * @param onFatal takes one line that says what failed
 */
record Failures(Consumer<String> onFatal) {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    /** Takes the death of a thread: no other thread takes over its work. */
    void threadDied(Thread thread, Throwable why) {
        LOG.atError().addKeyValue("thread", thread.getName()).setCause(why).log("A thread has died");
        onFatal.accept("the thread \"" + thread.getName() + "\" has died: " + why);
    }

    /** Takes an exception of the engine, which does nothing after it. */
    void engineFailed(Event event, Throwable bug) {
        LOG.atError().addKeyValue("event", event).setCause(bug).log("The engine has a bug and stops");
        onFatal.accept("the engine has a bug: " + bug);
    }

    /** Takes the end of an informer of policies or pauses. */
    void informerStopped(Throwable failure) {
        onFatal.accept("a watch of policies or pauses has ended for good: " + failure);
    }
}
