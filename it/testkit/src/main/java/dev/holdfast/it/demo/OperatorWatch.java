package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.OperatorProcess;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Tells when the operator ends by itself: everything would look as before, and no rule would be kept any more. */
final class OperatorWatch implements AutoCloseable {
    private final CompletableFuture<Void> told;

    private OperatorWatch(CompletableFuture<Void> told) {
        this.told = told;
    }

    /** {@return a watch that lasts until it is closed} */
    static OperatorWatch over(OperatorProcess operator, Path log, Narrator narrator) {
        // Of none, where it has ended already: that is complete at once.
        CompletableFuture<Void> end = CompletableFuture.allOf(ProcessHandle.of(operator.pid()).stream()
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture<?>[]::new));
        return new OperatorWatch(end.thenAccept(_ -> narrator.say("!!! the operator ended by itself with exit code "
                + operator.exitCode() + ", and keeps no rule any more; its log is " + log)));
    }

    /** Whatever ends the operator from now on is not told. */
    @Override
    public void close() {
        told.cancel(false);
    }
}
