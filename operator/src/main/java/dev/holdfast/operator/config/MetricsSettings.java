package dev.holdfast.operator.config;

import java.nio.file.Path;
import java.util.Optional;

/**
 * How metrics are served.
 *
 * @param port the port; 0 takes any free port
 * @param secure whether they are served by HTTPS, and only to users of the cluster who may GET the path
 * @param certificateFolder the folder with the certificate and its key, as in a Secret of type
 *     {@code kubernetes.io/tls}; if empty, the process makes a certificate itself. Never present unless secure
 * @param byNamespace whether there is a time series for each namespace with violations
 */
public record MetricsSettings(int port, boolean secure, Optional<Path> certificateFolder, boolean byNamespace) {}
