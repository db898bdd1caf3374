package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/** Chooses loopback ports for servers that are started later. */
public final class FreePorts {
    /**
     * The lowest port to choose; {@code ABOVE_HIGHEST} ends the range, below 32768. From there on, Linux may give a
     * chosen port to an outgoing connection before the server starts.
     */
    private static final int LOWEST = 20_000;

    private static final int ABOVE_HIGHEST = 32_000;

    /**
     * The ports that this process has chosen. On a busy machine many servers are started at once, and each is not
     * listening yet when the next port is chosen.
     */
    private static final Set<Integer> CHOSEN = ConcurrentHashMap.newKeySet();

    private FreePorts() {}

    /** {@return this many different ports without a listener, which were not chosen before} */
    public static List<Integer> find(int count) {
        Set<Integer> found = new LinkedHashSet<>();
        while (found.size() < count) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST, ABOVE_HIGHEST);
            if (isFree(candidate) && CHOSEN.add(candidate)) {
                found.add(candidate);
            }
        }
        return List.copyOf(found);
    }

    private static boolean isFree(int port) {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
