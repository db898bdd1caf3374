package dev.holdfast.policies.model;

import java.util.Optional;

/** The volume of a PersistentVolumeClaim, as far as the operator could read it. */
public sealed interface ClaimedVolume {
    /**
     * The claim is bound.
     *
     * @param volume the name of the PersistentVolume
     * @param reach the nodes on which the volume can be used
     * @param csi the volume's CSI driver and handle; absent for other volumes, such as NFS or local volumes
     */
    record Bound(String volume, VolumeReach reach, Optional<CsiVolume> csi) implements ClaimedVolume {}

    /**
     * The driver makes the volume for the node of the pod. The claim is that of an ephemeral volume, for which a
     * replacement pod gets a new claim and a new volume, or it has no volume yet and waits for its first pod.
     *
     * @param storageClass the name of the StorageClass
     * @param reach the nodes for which the driver can make a volume ({@code allowedTopologies} of the StorageClass)
     * @param driver the name of the CSI driver: the provisioner of the StorageClass
     */
    record OnDemand(String storageClass, VolumeReach reach, String driver) implements ClaimedVolume {}

    /** The claim does not exist, so the scheduler refuses its pod on every node. */
    record Missing() implements ClaimedVolume {}

    /** The operator could not read on which nodes the volume can be used, with the reason as text for messages. */
    record Unreadable(String why) implements ClaimedVolume {}
}
