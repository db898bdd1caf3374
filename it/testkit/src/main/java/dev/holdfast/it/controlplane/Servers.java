package dev.holdfast.it.controlplane;

import java.time.Duration;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** The five servers of one control plane. */
final class Servers {

    /**
     * The time limit of {@link #await}. A server needs a few seconds to be ready on an idle machine, and longer with
     * many pods.
     */
    private static final Duration LIMIT = TimeLimits.STATE;

    private static final Duration PAUSE = Duration.ofMillis(20);
    private static final int LINES_SHOWN = 20;

    /** All servers, in start order. */
    private static final List<Program> ALL = List.of(
            Program.ETCD,
            Program.KUBE_APISERVER,
            Program.KUBE_CONTROLLER_MANAGER,
            Program.KUBE_SCHEDULER,
            Program.KWOK);

    private final Map<Program, Server> servers = new EnumMap<>(Program.class);
    private boolean over;

    Servers(CommandLines commands, WorkFolder folder) {
        ALL.forEach(program -> servers.put(program, new Server(program, commands.of(program), folder)));
    }

    /**
     * @throws ControlPlaneException if {@link #stopAll} was called: a server started later would create the folder of
     * the control plane again after its deletion
     */
    synchronized void start(Program... programs) {
        if (over) {
            throw new ControlPlaneException("the control plane was closed");
        }
        Arrays.stream(programs).map(this::server).forEach(Server::start);
    }

    long pid(Program program) {
        return server(program).pid();
    }

    void stop(Program program) {
        server(program).stop();
    }

    /** Kills all servers permanently, the last started first, and waits until they are gone. */
    synchronized void stopAll() {
        over = true;
        Map<Server, Process> killed = new LinkedHashMap<>();
        for (Program program : ALL.reversed()) {
            server(program).kill().ifPresent(process -> killed.put(server(program), process));
        }
        killed.forEach(Server::awaitDeath);
    }

    private Server server(Program program) {
        return Optional.ofNullable(servers.get(program))
                .orElseThrow(() -> new IllegalArgumentException(program.label() + " is not a server"));
    }

    /**
     * Waits until the condition holds.
     *
     * @param what the condition, for the message
     * @throws ControlPlaneException with the logs, if the condition does not hold in time or a server ends meanwhile
     */
    void await(String what, BooleanSupplier condition) {
        Deadline deadline = Deadline.in(LIMIT);
        while (true) {
            failIfOneEnded();
            if (condition.getAsBoolean()) {
                return;
            }
            if (deadline.passed()) {
                throw new ControlPlaneException(
                        "waited %s s without success for %s%n%s".formatted(LIMIT.toSeconds(), what, logTails()));
            }
            pause();
        }
    }

    private void failIfOneEnded() {
        for (Program program : ALL) {
            Optional<Integer> exit = server(program).unwantedExit();
            if (exit.isPresent()) {
                throw new ControlPlaneException(
                        "%s ended with exit code %s%n%s".formatted(program.label(), exit.get(), logTails()));
            }
        }
    }

    private static void pause() {
        try {
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ControlPlaneException("interrupted while the control plane started", e);
        }
    }

    /** {@return the last lines of each server's log, under the server's name} */
    String logTails() {
        return ALL.stream()
                .map(program -> "---- " + program.label() + "\n"
                        + LogTail.of(server(program).log(), LINES_SHOWN))
                .collect(Collectors.joining("\n"));
    }
}
