package dev.holdfast.operator.offline.simulate.object;

/**
 * A disruption budget that fewer Ready pods have than it requires.
 *
 * @param budget its name
 * @param ready how many of its pods are Ready
 * @param required how many must be
 */
public record BudgetShortage(String budget, int ready, int required) {}
