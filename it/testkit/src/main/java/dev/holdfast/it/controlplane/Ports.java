package dev.holdfast.it.controlplane;

import java.util.List;

/** The loopback ports of one control plane. */
record Ports(int apiServer, int etcdClient, int etcdPeer) {
    /** {@return three different ports without a listener} */
    static Ports free() {
        List<Integer> ports = FreePorts.find(3);
        return new Ports(ports.get(0), ports.get(1), ports.get(2));
    }
}
