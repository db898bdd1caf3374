package dev.holdfast.policies.model;

import java.util.List;

/**
 * Resources, host ports and volumes that a pod needs from a node, apart from its placement rules. Pods of one template
 * share an instance if they have no volume claims.
 *
 * @param requests the resources that must be free on a node before the pod can run there: the requests of containers,
 *     init containers, sidecar containers and overhead. Resource limits have no effect
 * @param reserved the resources that the scheduler counts as used by this pod on its node: the requests or, during an
 *     in-place resize, the largest of the desired, allocated and actual requests
 * @param hostPorts in the order of the containers, sidecar containers first
 * @param claims the names of the pod's PersistentVolumeClaims, including those of ephemeral volumes, in the order of
 *     the volumes
 */
public record PodRequirements(Resources requests, Resources reserved, List<HostPort> hostPorts, List<String> claims) {
    private static final PodRequirements NONE =
            new PodRequirements(Resources.none(), Resources.none(), List.of(), List.of());

    public PodRequirements {
        hostPorts = List.copyOf(hostPorts);
        claims = List.copyOf(claims);
    }

    /** {@return requirements without resources, host ports and volume claims} */
    public static PodRequirements none() {
        return NONE;
    }

    /** {@return a copy with these claims; this object if it has these claims already} */
    public PodRequirements withClaims(List<String> names) {
        return names.equals(claims) ? this : new PodRequirements(requests, reserved, hostPorts, names);
    }
}
