package dev.holdfast.operator.config;

import dev.holdfast.policies.engine.protocol.BrakeSettings;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.plan.conduct.Limits;
import dev.holdfast.policies.rule.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Set;

/**
 * All that the operator can be told at its start; every value has a default.
 *
 * @param defaultForgiveness how long a rule may be broken where its policy does not say
 * @param maxMode the most that any policy may do: AUDIT or ENFORCE
 * @param protectedNamespaces pods in them are never victims; the chart puts the operator's own among them
 * @param exemptNamespaces pods in them never break another pod's anti-affinity
 * @param replacementTimeout how long a replacement may take to become ready
 * @param brakes when so much breaks at once that evictions stop, and the operator's own namespace
 * @param httpPort where probes and metrics are served; 0 takes any free port
 */
public record OperatorConfig(
        Duration defaultForgiveness,
        Mode maxMode,
        Set<String> protectedNamespaces,
        Set<String> exemptNamespaces,
        Limits limits,
        Duration replacementTimeout,
        BrakeSettings brakes,
        LeaseSettings lease,
        int httpPort,
        LogLevel logLevel,
        LogFormat logFormat) {
    public OperatorConfig {
        protectedNamespaces = Set.copyOf(protectedNamespaces);
        exemptNamespaces = Set.copyOf(exemptNamespaces);
    }

    /** {@return the configuration of an empty file} */
    public static OperatorConfig defaults() {
        return new OperatorConfig(
                Duration.ofMinutes(5),
                Mode.ENFORCE,
                Set.of("kube-system", "kube-public", "kube-node-lease"),
                Set.of("kube-system"),
                Limits.defaults(),
                Duration.ofMinutes(10),
                BrakeSettings.defaults("holdfast"),
                new LeaseSettings(
                        "kube-system",
                        "holdfast",
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2)),
                8080,
                LogLevel.INFO,
                LogFormat.JSON);
    }

    /**
     * Reads a file; what it does not say has its default.
     *
     * @throws ConfigException with every error that the file has, when it has one
     */
    public static OperatorConfig read(Path file) throws ConfigException {
        return ConfigFile.read(file);
    }

    /** {@return what the engine needs to know of it} */
    public EngineSettings engineSettings() {
        return new EngineSettings(limits, protectedNamespaces, exemptNamespaces, replacementTimeout, brakes);
    }
}
