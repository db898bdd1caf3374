package dev.holdfast.policies.engine.report;

/**
 * The report that a node label is dynamic: it changes all the time on most nodes, so its changes no longer open the
 * label breaker.
 *
 * @param key the key of the label
 */
public record DynamicLabel(String key, String message) implements BrakeReport {}
