package dev.holdfast.policies.model;

/**
 * A taint of a node.
 *
 * @param effect {@code NoSchedule}, {@code PreferNoSchedule} or {@code NoExecute}
 */
public record Taint(String key, String value, String effect) {
    /** {@return whether the scheduler places only pods that tolerate this taint on the node (TT-1)} */
    public boolean blocksScheduling() {
        return effect.equals("NoSchedule") || effect.equals("NoExecute");
    }

    @Override
    public String toString() {
        return key + (value.isEmpty() ? "" : "=" + value) + ":" + effect;
    }
}
