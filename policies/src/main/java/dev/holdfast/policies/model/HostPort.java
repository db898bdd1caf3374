package dev.holdfast.policies.model;

/**
 * A port of the node itself that a pod takes while it is there.
 *
 * @param ip the address of the node; {@code 0.0.0.0} is each of them
 * @param protocol {@code TCP}, {@code UDP} or {@code SCTP}
 */
public record HostPort(String ip, int port, String protocol) {}
