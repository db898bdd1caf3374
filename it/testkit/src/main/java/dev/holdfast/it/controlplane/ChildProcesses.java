package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * Starter of child processes that the kernel kills when this JVM ends, even if SIGKILL ends it.
 *
 * <p>This uses the parent-death signal of Linux, which is sent when the <em>thread</em> that started the process ends.
 * Therefore one thread that lives as long as the JVM starts all processes.
 */
public final class ChildProcesses {

    private static final ExecutorService STARTER = Executors.newSingleThreadExecutor(
            Thread.ofPlatform().daemon().name("leash").factory());

    /**
     * Shell script that starts the program only if this JVM, whose process id is {@code $0}, is still the parent
     * process. Otherwise the JVM died before setpriv asked the kernel to kill the program with it: the program would
     * run on.
     */
    private static final String ONLY_AS_CHILD = "[ \"$PPID\" = \"$0\" ] && exec \"$@\"";

    /**
     * As {@link #ONLY_AS_CHILD}, but the shell stays and waits for the program. On SIGTERM the shell kills all
     * processes of its group: itself, the program, and what the program started.
     */
    private static final String WITH_ITS_GROUP =
            "trap 'kill -KILL 0' TERM; [ \"$PPID\" = \"$0\" ] || exit; \"$@\" & wait \"$!\"";

    private ChildProcesses() {}

    /**
     * Starts the builder's command under {@code setpriv --pdeathsig KILL}: the kernel kills it when this JVM ends.
     *
     * @throws ControlPlaneException if setpriv is not on the PATH
     * @throws UncheckedIOException if the process cannot be started
     */
    public static Process start(ProcessBuilder builder) {
        return start(List.of(), "KILL", ONLY_AS_CHILD, builder);
    }

    /**
     * Starts a process as {@link #start}, but in a new session: Ctrl-C in the terminal reaches only this JVM, which can
     * then stop its servers in order.
     *
     * @throws ControlPlaneException if setpriv or setsid is not on the PATH
     */
    public static Process startApart(ProcessBuilder builder) {
        Prerequisite.SETSID.require();
        return start(List.of("setsid"), "KILL", ONLY_AS_CHILD, builder);
    }

    /**
     * Starts a process as {@link #startApart}, but the end of this JVM also ends the children of the process, unless
     * they have left its process group. {@link Process#destroy} ends the children too; {@link Process#destroyForcibly}
     * does not.
     *
     * @throws ControlPlaneException if setpriv or setsid is not on the PATH
     */
    public static Process startWithItsOwn(ProcessBuilder builder) {
        Prerequisite.SETSID.require();
        return start(List.of("setsid"), "TERM", WITH_ITS_GROUP, builder);
    }

    private static Process start(List<String> through, String signal, String script, ProcessBuilder builder) {
        Prerequisite.SETPRIV.require();
        List<String> command = new ArrayList<>(through);
        command.addAll(List.of("setpriv", "--pdeathsig", signal, "sh", "-c", script));
        command.add(Long.toString(ProcessHandle.current().pid()));
        command.addAll(builder.command());
        builder.command(command);
        try {
            return STARTER.submit(builder::start).get();
        } catch (ExecutionException e) {
            throw new UncheckedIOException("cannot start " + command, new IOException(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlPlaneException("interrupted while starting " + command, e);
        }
    }
}
