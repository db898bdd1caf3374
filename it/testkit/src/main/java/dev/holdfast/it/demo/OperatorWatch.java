package dev.holdfast.it.demo;

import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.operator.offline.demo.Narrator;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;

/**
 * Watch on the operator process: prints a message if the operator ends by itself. Otherwise a user of {@code --keep}
 * would not notice that no rule is enforced any more.
 */
final class OperatorWatch implements AutoCloseable {
    private final CompletableFuture<Void> report;

    private OperatorWatch(CompletableFuture<Void> report) {
        this.report = report;
    }

    /** Starts a watch on the operator and returns it. The watch lasts until it is closed. */
    static OperatorWatch over(OperatorProcess operator, Path log, Narrator narrator) {
        // If the operator has already ended, the stream is empty, and allOf() without arguments is complete at once.
        CompletableFuture<Void> end = CompletableFuture.allOf(ProcessHandle.of(operator.pid()).stream()
                .map(ProcessHandle::onExit)
                .toArray(CompletableFuture<?>[]::new));
        return new OperatorWatch(end.thenAccept(_ -> narrator.say("!!! the operator ended by itself with exit code "
                + operator.exitCode() + ";\nno rule is enforced any more; log: " + log)));
    }

    /** Stops the watch: the end of the operator is not reported from now on. */
    @Override
    public void close() {
        report.cancel(false);
    }
}
