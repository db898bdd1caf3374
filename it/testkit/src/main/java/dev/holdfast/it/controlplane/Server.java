package dev.holdfast.it.controlplane;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** One server of the control plane: its command, its log and, while it runs, its process. */
final class Server {

    private final Program program;
    private final List<String> command;
    private final WorkFolder folder;
    private @Nullable Process process;

    Server(Program program, List<String> command, WorkFolder folder) {
        this.program = program;
        this.command = command;
        this.folder = folder;
    }

    Program program() {
        return program;
    }

    /** Starts the server's process and appends its output to the log. Does nothing if the process runs. */
    synchronized void start() {
        if (process != null && process.isAlive()) {
            return;
        }
        File log = folder.log(program).toFile();
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.directory(folder.root().toFile());
        builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log));
        // Of the user's environment only PATH: proxies, the home folder's kwok.yaml or GOMAXPROCS would change servers.
        String path = System.getenv().getOrDefault("PATH", "");
        builder.environment().clear();
        builder.environment().put("PATH", path);
        builder.environment().put("HOME", folder.root().toString());
        // With 150,000 pods, garbage alone would otherwise fill the memory of a small machine.
        builder.environment().put("GOMEMLIMIT", "12GiB");
        Process started = ChildProcesses.startApart(builder);
        process = started;
        CompletableFuture<Void> _ = started.onExit().thenAccept(this::sayIfUnwanted);
    }

    private synchronized void sayIfUnwanted(Process ended) {
        if (ended.equals(process)) {
            System.err.println(
                    program.label() + " ended by itself with exit code " + ended.exitValue() + "; its log is " + log());
        }
    }

    /**
     * @throws ControlPlaneException if the server does not run
     */
    synchronized long pid() {
        if (process == null) {
            throw new ControlPlaneException(program.label() + " does not run");
        }
        return process.pid();
    }

    /** Kills the process and waits until it is gone. */
    void stop() {
        kill().ifPresent(this::awaitDeath);
    }

    /** Kills the process and returns it; it may still be ending. Returns empty if no process runs. */
    synchronized Optional<Process> kill() {
        Optional<Process> running = Optional.ofNullable(process);
        process = null;
        running.ifPresent(Process::destroyForcibly);
        return running;
    }

    /** Waits until a killed process is gone. */
    void awaitDeath(Process killed) {
        try {
            if (!killed.waitFor(TimeLimits.ANSWER.toSeconds(), TimeUnit.SECONDS)) {
                throw new ControlPlaneException(program.label() + " (process " + killed.pid() + ") does not die");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * {@return the exit code if the process ended by itself} Empty before the start, while it runs, and after {@link
     * #stop}.
     */
    synchronized Optional<Integer> unwantedExit() {
        return process == null || process.isAlive() ? Optional.empty() : Optional.of(process.exitValue());
    }

    Path log() {
        return folder.log(program);
    }
}
