package dev.holdfast.it.image;

import dev.holdfast.it.controlplane.Prerequisite;
import dev.holdfast.it.controlplane.TimeLimits;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A folder that is the root folder of programs, which see no other file. They also have their own process namespace and
 * user, as in a container.
 *
 * <p>If root runs the test, the programs run as the user. If another user runs the test, they run as root in the user
 * namespace, because the kernel lets that user map no other id.
 *
 * @param path the folder, from {@link #create}
 * @param user the numeric ids of a user and a group, with a colon between them
 */
record RootFolder(Path path, String user) {
    /** How a program ended. */
    record Outcome(int code, String out, String err) {}

    /** Creates a folder that can become the root folder of a program, and returns it. */
    static Path create(Path folder) throws IOException {
        // The mount point for {@code /proc}, which a container engine mounts.
        Files.createDirectories(folder.resolve("proc"));
        return folder;
    }

    /**
     * {@return a process without environment variables, to be started} Fails if this machine cannot start it.
     *
     * @param command the program and its arguments, with paths as they are in the folder
     */
    ProcessBuilder program(List<String> command) throws IOException {
        List<String> all = new ArrayList<>(enter());
        all.addAll(command);
        ProcessBuilder builder = new ProcessBuilder(all);
        builder.environment().clear();
        return builder;
    }

    /**
     * {@return the command that enters the folder, to put before the program} Its outer process creates the process
     * namespace; when the starting thread ends, the kernel kills this process and so all processes in the namespace.
     * Its inner process enters the folder and changes the user, after which a process gets no parent-death signal
     * itself.
     */
    private List<String> enter() throws IOException {
        String unshare = Prerequisite.UNSHARE.require().toString();
        boolean isRoot = Files.getAttribute(Path.of("/proc/self"), "unix:uid").equals(0);
        List<String> command = new ArrayList<>(List.of(unshare));
        if (!isRoot) {
            command.addAll(List.of("--user", "--map-root-user"));
        }
        command.addAll(List.of("--fork", "--kill-child", "--pid", "--mount-proc=" + path.resolve("proc")));
        requireNamespaces(command);
        command.addAll(List.of(unshare, "--fork", "--root=" + path, "--wd=/"));
        if (isRoot) {
            String[] ids = user.split(":", 2);
            command.addAll(List.of("--setuid=" + ids[0], "--setgid=" + ids[1]));
        }
        return command;
    }

    private static void requireNamespaces(List<String> outer) throws IOException {
        List<String> attempt = new ArrayList<>(outer);
        attempt.add("true");
        Outcome outcome = run(new ProcessBuilder(attempt));
        if (outcome.code() != 0) {
            throw new AssertionError(
                    "this machine cannot start an image: run the test as root, or allow user namespaces"
                            + " (sysctl kernel.unprivileged_userns_clone=1; since Ubuntu 24.04 also"
                            + " kernel.apparmor_restrict_unprivileged_userns=0); " + outcome.err());
        }
    }

    /** Runs a command outside of the folder. Fails unless it succeeds, and returns what it printed. */
    static String run(List<String> command) throws IOException {
        Outcome outcome = run(new ProcessBuilder(command));
        if (outcome.code() != 0) {
            throw new AssertionError(
                    String.join(" ", command) + " ended with " + outcome.code() + ": " + outcome.err());
        }
        return outcome.out();
    }

    /** Runs a process, and returns how it ended. Fails if it takes too long. */
    static Outcome run(ProcessBuilder builder) throws IOException {
        Path out = Files.createTempFile("image", ".out");
        Path err = Files.createTempFile("image", ".err");
        try {
            Process process = builder.redirectOutput(out.toFile())
                    .redirectError(err.toFile())
                    .start();
            if (!process.waitFor(TimeLimits.STATE.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError(builder.command() + " still ran after " + TimeLimits.STATE);
            }
            return new Outcome(process.exitValue(), text(out), text(err));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted while " + builder.command() + " ran", e);
        } finally {
            Files.delete(out);
            Files.delete(err);
        }
    }

    private static String text(Path file) throws IOException {
        return Files.readString(file, StandardCharsets.UTF_8);
    }
}
