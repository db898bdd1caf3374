package dev.holdfast.operator.config;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.model.VictimProtection;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.rule.Mode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * The operator's configuration; every value has a default.
 *
 * @param defaultForgiveness how long a rule must be violated before the operator acts, for policies that do not set
 *     this
 * @param maxMode the strongest mode in which a policy may act: with AUDIT, policies in ENFORCE act as in AUDIT
 * @param protectedNamespaces namespaces whose pods are never evicted; the chart adds the operator's own namespace
 * @param schedulerNames the schedulers whose pods may be evicted; they must place pods as the scheduler of Kubernetes
 *     does
 * @param exemptNamespaces namespaces whose pods never violate the anti-affinity of another pod, and are never evicted
 *
 * @param replacementTimes by when, and for how long, the replacement of an evicted pod must be Ready
 * @param brakes how many nodes or pods must be affected at once before a breaker stops evictions; also contains the
 *     operator's own namespace
 * @param scheduling whether the API server injects rules of policies into new pods
 * @param httpPort the port of probes; 0 takes any free port
 * @param metrics how metrics are served
 */
public record OperatorConfig(
        Duration defaultForgiveness,
        Mode maxMode,
        Set<String> protectedNamespaces,
        Set<String> schedulerNames,
        Set<String> exemptNamespaces,
        OperatorLimits operatorLimits,
        ReplacementTimes replacementTimes,
        BreakerSettings brakes,
        LeaseSettings lease,
        SchedulingSettings scheduling,
        int httpPort,
        MetricsSettings metrics,
        LogLevel logLevel,
        LogFormat logFormat) {
    public OperatorConfig {
        protectedNamespaces = Set.copyOf(protectedNamespaces);
        schedulerNames = Set.copyOf(schedulerNames);
        exemptNamespaces = Set.copyOf(exemptNamespaces);
    }

    /** {@return the configuration of an empty file} */
    public static OperatorConfig defaults() {
        return new OperatorConfig(
                Duration.ofMinutes(5),
                Mode.ENFORCE,
                Set.of("kube-system", "kube-public", "kube-node-lease"),
                Set.of(VictimProtection.DEFAULT_SCHEDULER),
                Set.of("kube-system"),
                OperatorLimits.defaults(),
                ReplacementTimes.defaults(),
                BreakerSettings.defaults("holdfast"),
                new LeaseSettings(
                        "kube-system",
                        "holdfast",
                        Duration.ofSeconds(15),
                        Duration.ofSeconds(10),
                        Duration.ofSeconds(2)),
                new SchedulingSettings(true),
                8080,
                new MetricsSettings(8081, false, Optional.empty(), false),
                LogLevel.INFO,
                LogFormat.JSON);
    }

    /** {@return this configuration, but with Audit as the strongest mode in which a policy may act} */
    public OperatorConfig observing() {
        return new OperatorConfig(
                defaultForgiveness,
                maxMode.atMost(Mode.AUDIT),
                protectedNamespaces,
                schedulerNames,
                exemptNamespaces,
                operatorLimits,
                replacementTimes,
                brakes,
                lease,
                scheduling,
                httpPort,
                metrics,
                logLevel,
                logFormat);
    }

    /**
     * Reads a configuration file. Absent keys have their defaults.
     *
     * @throws ConfigException with all errors of the file, if it has any
     */
    public static OperatorConfig read(Path file) throws ConfigException {
        return ConfigFile.read(file);
    }

    /** {@return the part of the configuration that the engine uses} */
    public EngineSettings engineSettings() {
        return new EngineSettings(
                operatorLimits,
                new ProtectedPods(protectedNamespaces, schedulerNames),
                exemptNamespaces,
                replacementTimes,
                brakes);
    }
}
