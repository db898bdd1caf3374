package dev.holdfast.policies.model;

/**
 * Identifies a CSI volume. PersistentVolumes with the same driver and handle are the same volume, and count once
 * towards the attach limit of a node.
 *
 * @param driver the name of the CSI driver: {@code ebs.csi.aws.com}
 * @param handle the id that the driver gave the volume
 */
public record CsiVolume(String driver, String handle) {}
