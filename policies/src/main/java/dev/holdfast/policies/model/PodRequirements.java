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
    /** The name that stands for the claims of a pod that has more than Holdfast reads. No claim has such a name. */
    private static final String UNREAD_CLAIMS = "not read";

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

    /** {@return a copy with host ports that were not read: they may be any} */
    public PodRequirements withUnreadHostPorts() {
        return new PodRequirements(requests, reserved, List.of(HostPort.unread()), claims);
    }

    /** {@return a copy with claims that were not read: they may use any number of volumes of any driver} */
    public PodRequirements withUnreadClaims() {
        return new PodRequirements(requests, reserved, hostPorts, List.of(UNREAD_CLAIMS));
    }

    /** {@return a copy whose extended resources were not read: they may be any; all other requests are kept} */
    public PodRequirements withUnreadResources() {
        return new PodRequirements(requests.withUnreadOthers(), reserved.withUnreadOthers(), hostPorts, claims);
    }

    /** {@return whether the claims were not read, so that nothing is known about them} */
    public boolean hasUnreadClaims() {
        return claims.size() == 1 && claims.getFirst().equals(UNREAD_CLAIMS);
    }

    /** {@return a copy with these claims; this object if it has these claims already} */
    public PodRequirements withClaims(List<String> names) {
        return names.equals(claims) ? this : new PodRequirements(requests, reserved, hostPorts, names);
    }
}
