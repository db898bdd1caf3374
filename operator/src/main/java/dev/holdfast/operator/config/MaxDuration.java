package dev.holdfast.operator.config;

/** The longest duration that a policy, a pause or the configuration may set: a week. */
public final class MaxDuration {
    public static final int SECONDS = 604_800;

    private MaxDuration() {}
}
