package dev.holdfast.it.bench.measure;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import java.util.stream.Stream;

/** Counts the TCP connections that a process has accepted and not closed yet. */
public final class AcceptedConnections {
    /** In the tables of the kernel, the state of a socket that listens. */
    private static final String LISTEN = "0A";

    private static final int LOCAL_ADDRESS = 1;
    private static final int STATE = 3;
    private static final int INODE = 9;
    private static final int HEXADECIMAL = 16;

    private AcceptedConnections() {}

    /**
     * {@return how many connections to its own ports a process has open now, also those that the client has closed already;
     * 0 if the process has ended}
     */
    public static int now(long pid, Set<Integer> ports) {
        Path process = Path.of("/proc", Long.toString(pid));
        try {
            Set<String> sockets = sockets(process.resolve("fd"));
            return count(process.resolve("net/tcp"), ports, sockets)
                    + count(process.resolve("net/tcp6"), ports, sockets);
        } catch (IOException _) {
            return 0;
        }
    }

    /** The descriptors of a process as the kernel names them, such as {@code socket:[4711]}. */
    private static Set<String> sockets(Path folder) throws IOException {
        Set<String> targets = new HashSet<>();
        try (Stream<Path> descriptors = Files.list(folder)) {
            for (Path descriptor : (Iterable<Path>) descriptors::iterator) {
                targets.add(target(descriptor));
            }
        }
        return targets;
    }

    private static String target(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).toString();
        } catch (IOException _) {
            return ""; // The process has closed it since it was listed.
        }
    }

    private static int count(Path table, Set<Integer> ports, Set<String> sockets) throws IOException {
        if (!Files.exists(table)) {
            return 0; // A kernel without IPv6 has no table of it.
        }
        try (Stream<String> lines = Files.lines(table)) {
            return Math.toIntExact(lines.skip(1)
                    .map(line -> line.strip().split("\\s+"))
                    .filter(row -> !row[STATE].equals(LISTEN))
                    .filter(row -> ports.contains(port(row[LOCAL_ADDRESS])))
                    .filter(row -> sockets.contains("socket:[" + row[INODE] + "]"))
                    .count());
        }
    }

    private static int port(String address) {
        return Integer.parseInt(address.substring(address.indexOf(':') + 1), HEXADECIMAL);
    }
}
