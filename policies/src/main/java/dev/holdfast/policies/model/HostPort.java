package dev.holdfast.policies.model;

/**
 * A host port that a pod occupies on its node.
 *
 * @param ip the address of the node that the port is bound to; {@code 0.0.0.0} means all its addresses
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
 */
public record HostPort(String ip, int port, String protocol) {
    private static final String EVERY_ADDRESS = "0.0.0.0";
    private static final HostPort UNREAD = new HostPort(EVERY_ADDRESS, 0, "");

    /** {@return the host ports of a pod that has more than Holdfast reads: they may be any, so each port clashes} */
    public static HostPort unread() {
        return UNREAD;
    }

    /** {@return whether only one pod with one of these host ports can be on a node} */
    public boolean clashesWith(HostPort other) {
        return equals(UNREAD)
                || other.equals(UNREAD)
                || (port == other.port
                        && protocol.equals(other.protocol)
                        && (ip.equals(other.ip) || ip.equals(EVERY_ADDRESS) || other.ip.equals(EVERY_ADDRESS)));
    }
}
