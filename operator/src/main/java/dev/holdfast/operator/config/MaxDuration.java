package dev.holdfast.operator.config;

/** The longest time that a policy, a pause or the configuration may name, whatever it is for. */
public final class MaxDuration {
    public static final int SECONDS = 604_800;

    private MaxDuration() {}
}
