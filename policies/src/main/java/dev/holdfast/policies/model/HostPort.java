package dev.holdfast.policies.model;

/**
 * A host port that a pod occupies on its node.
 *
 * @param ip the address of the node that the port is bound to; {@code 0.0.0.0} means all its addresses
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
 */
public record HostPort(String ip, int port, String protocol) {}
