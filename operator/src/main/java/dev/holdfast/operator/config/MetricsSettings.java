package dev.holdfast.operator.config;

/**
 * How metrics are served.
 *
 * @param port the port; 0 takes any free port
 * @param secure whether they are served by HTTPS, and only to users of the cluster who may GET the path
 * @param byNamespace whether there is a time series for each namespace with violations
 */
public record MetricsSettings(int port, boolean secure, boolean byNamespace) {}
