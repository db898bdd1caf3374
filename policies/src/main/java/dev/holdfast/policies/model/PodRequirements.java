package dev.holdfast.policies.model;

import java.util.List;

/**
 * Resources, host ports and volumes that a pod needs from a node, apart from its placement rules. Pods of one template
 * without volume claims have equal requirements, so instances are shared.
 *
 * @param requests the resources that the scheduler needs on a node for such a pod: containers, init containers, sidecar
 *     containers and overhead. Limits do not count as requests
 * @param reserved the resources that the scheduler counts as used by this pod on its node: its requests. During an
 *     in-place resize it is the largest of the desired, allocated and actual requests
 * @param hostPorts in the order of the containers, sidecar containers first
 * @param claims the names of its PersistentVolumeClaims in the order of its volumes, with those of ephemeral volumes
 */
public record PodRequirements(Resources requests, Resources reserved, List<HostPort> hostPorts, List<String> claims) {
    private static final PodRequirements NONE =
            new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of());

    public PodRequirements {
        hostPorts = List.copyOf(hostPorts);
        claims = List.copyOf(claims);
    }

    /** {@return the requirements of a pod that needs nothing} */
    public static PodRequirements none() {
        return NONE;
    }

    /** {@return the same requirements with these claims; this object if they are equal} */
    public PodRequirements withClaims(List<String> names) {
        return names.equals(claims) ? this : new PodRequirements(requests, reserved, hostPorts, names);
    }
}
