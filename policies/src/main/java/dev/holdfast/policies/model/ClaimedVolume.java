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
     * The claim of an ephemeral volume. The claim is deleted with its pod, and a replacement pod gets a new claim, for
     * which the driver makes a new volume.
     *
     * @param storageClass the name of the StorageClass
     * @param reach the nodes for which the driver can make a volume ({@code allowedTopologies} of the StorageClass)
     * @param driver the name of the CSI driver: the provisioner of the StorageClass
     */
    record Ephemeral(String storageClass, VolumeReach reach, String driver) implements ClaimedVolume {}

    /**
     * The operator could not read on which nodes the volume can be used.
     *
     * @param why the reason, as text for messages
     */
    record Unreadable(String why) implements ClaimedVolume {}
}
