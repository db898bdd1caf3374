package dev.holdfast.policies.model;

import java.util.List;

/**
 * What a pod takes of a node, or ties it to some, beside what its rules say. Equal for all pods of a template that claim
 * no volumes, so instances are worth sharing.
 *
 * @param requests what the scheduler looks for on a node for such a pod: its containers, those that only begin it, those
 *     beside it, its overhead. Limits are no requests
 * @param reserved what the scheduler counts as taken by this pod where it runs: its requests, but for a pod whose
 *     requests are being changed in place the most of those asked for, given and in force
 * @param hostPorts in the order of the containers, those that run beside it first
 * @param claims the names of the PersistentVolumeClaims that it uses, in the order of its volumes, those made for it alone
 *     among them
 */
public record PodRequirements(Resources requests, Resources reserved, List<HostPort> hostPorts, List<String> claims) {
    private static final PodRequirements NONE =
            new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of());

    public PodRequirements {
        hostPorts = List.copyOf(hostPorts);
        claims = List.copyOf(claims);
    }

    /** {@return the needs of a pod that asks for nothing} */
    public static PodRequirements none() {
        return NONE;
    }

    /** {@return the same with volumes; these very ones if there are none} */
    public PodRequirements withClaims(List<String> names) {
        return names.equals(claims) ? this : new PodRequirements(requests, reserved, hostPorts, names);
    }
}
