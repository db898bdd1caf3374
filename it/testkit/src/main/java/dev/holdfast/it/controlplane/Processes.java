package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Queries about the processes of this machine, from {@code /proc}. */
public final class Processes {

    private Processes() {}

    /**
     * {@return those command lines of running processes that contain the path of the folder} Zombies are not listed.
     */
    public static List<String> naming(Path folder) throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .map(process -> commandLine(process.resolve("cmdline")))
                    .filter(line -> line.contains(folder.toString()))
                    .toList();
        }
    }

    /** {@return the process group id of a process} */
    public static long group(long process) {
        try {
            String status = Files.readString(Path.of("/proc/" + process + "/stat"));
            // The name, in parentheses, may contain any character; state, parent and group follow.
            return Long.parseLong(status.substring(status.lastIndexOf(')') + 2).split(" ", -1)[2]);
        } catch (IOException e) {
            throw new UncheckedIOException("there is no process " + process, e);
        }
    }

    /** {@return the command line of a process, with a blank after each argument; empty if the process has ended} */
    public static String commandLine(long process) {
        return commandLine(Path.of("/proc/" + process + "/cmdline"));
    }

    private static String commandLine(Path file) {
        try {
            return new String(Files.readAllBytes(file), UTF_8).replace('\0', ' ');
        } catch (IOException _) {
            // Not a process, or it has ended.
            return "";
        }
    }
}
