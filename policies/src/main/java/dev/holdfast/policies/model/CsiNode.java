package dev.holdfast.policies.model;

import java.util.Map;
import java.util.OptionalInt;

/**
 * The CSI drivers of a node, from the CSINode object of the same name.
 *
 * @param name the name of the node
 * @param drivers the installed drivers by name, each with the maximum number of its volumes on the node; no number
 *     means no limit
 */
public record CsiNode(String name, Map<String, OptionalInt> drivers) {
    public CsiNode {
        drivers = Map.copyOf(drivers);
    }

    /** {@return the maximum number of volumes of a driver on the node; empty if there is no limit or no such driver} */
    public OptionalInt limit(String driver) {
        return drivers.getOrDefault(driver, OptionalInt.empty());
    }
}
