package dev.holdfast.it.controlplane;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The processes of this machine. */
final class Processes {

    private Processes() {}

    /** {@return the command lines that name the folder} Those of ended processes are empty, even while they linger. */
    static List<String> naming(Path folder) throws IOException {
        try (Stream<Path> processes = Files.list(Path.of("/proc"))) {
            return processes
                    .map(process -> commandLine(process.resolve("cmdline")))
                    .filter(line -> line.contains(folder.toString()))
                    .toList();
        }
    }

    private static String commandLine(Path file) {
        try {
            return new String(Files.readAllBytes(file), UTF_8).replace('\0', ' ');
        } catch (IOException _) {
            // Not a process, or it has ended meanwhile.
            return "";
        }
    }
}
