package dev.holdfast.operator.config;

/**
 * How rules of policies get into the spec of new pods.
 *
 * @param enabled whether the chart has installed the admission policies that inject them
 */
public record SchedulingSettings(boolean enabled) {}
