package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.OperatorProcess;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/** Reports an operator that ends by itself: everything would look as before, but no rule would be enforced any more. */
final class OperatorWatch implements AutoCloseable {
    private final CompletableFuture<Void> report;

    private OperatorWatch(CompletableFuture<Void> report) {
        this.report = report;
    }

    /** {@return a watch that lasts until it is closed} */
    static OperatorWatch over(OperatorProcess operator, Path log, Narrator narrator) {
        // If the operator has ended already there is no handle, and allOf of nothing is complete at once.
        CompletableFuture<Void> end = CompletableFuture.allOf(ProcessHandle.of(operator.pid()).stream()
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture<?>[]::new));
        return new OperatorWatch(end.thenAccept(_ -> narrator.say("!!! the operator ended by itself with exit code "
                + operator.exitCode() + ";\nno rule is enforced any more; log: " + log)));
    }

    /** From now on the end of the operator is not reported. */
    @Override
    public void close() {
        report.cancel(false);
    }
}
