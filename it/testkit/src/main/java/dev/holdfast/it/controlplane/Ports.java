package dev.holdfast.it.controlplane;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;

/** The loopback ports of one control plane. */
record Ports(int apiServer, int etcdClient, int etcdPeer) {

    /**
     * The lowest port to choose; {@code ABOVE_HIGHEST} ends the range, below 32768. From there on, Linux may give a
     * chosen port to an outgoing connection before the server starts.
     */
    private static final int LOWEST = 20_000;

    private static final int ABOVE_HIGHEST = 32_000;

    /** {@return three different ports without a listener} */
    static Ports free() {
        Set<Integer> found = new LinkedHashSet<>();
        while (found.size() < 3) {
            int candidate = ThreadLocalRandom.current().nextInt(LOWEST, ABOVE_HIGHEST);
            if (isFree(candidate)) {
                found.add(candidate);
            }
        }
        List<Integer> ports = List.copyOf(found);
        return new Ports(ports.get(0), ports.get(1), ports.get(2));
    }

    private static boolean isFree(int port) {
        try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            return true;
        } catch (IOException _) {
            return false;
        }
    }
}
