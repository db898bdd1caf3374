package dev.holdfast.policies.model;

/**
 * A host port that a pod occupies on its node.
 *
 * @param ip the node's address; {@code 0.0.0.0} means all addresses
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
 */
public record HostPort(String ip, int port, String protocol) {}
