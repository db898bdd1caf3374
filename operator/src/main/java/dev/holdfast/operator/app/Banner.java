package dev.holdfast.operator.app;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The log line at startup: the version, the limits and other settings in effect. */
final class Banner {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private Banner() {}

    static void log(OperatorConfig config, OperatorOptions options, int probesPort, int metricsPort, long policies) {
        OperatorLimits operatorLimits = config.operatorLimits();
        LOG.atInfo()
                .addKeyValue("version", BuildVersion.get())
                .addKeyValue("maxMode", config.maxMode().label())
                .addKeyValue("policies", policies)
                .addKeyValue("defaultForgiveness", config.defaultForgiveness())
                .addKeyValue("inFlight", operatorLimits.cluster())
                .addKeyValue("inFlightPerNamespace", operatorLimits.perNamespace())
                .addKeyValue("inFlightPerNode", operatorLimits.perNode())
                .addKeyValue("inFlightPerWorkload", operatorLimits.perWorkload())
                .addKeyValue("perHour", operatorLimits.perHour())
                .addKeyValue(
                        "protectedNamespaces",
                        config.protectedNamespaces().stream().sorted().toList())
                .addKeyValue("identity", options.identity())
                .addKeyValue("probes", options.httpAddress() + ":" + probesPort)
                .addKeyValue("metrics", options.httpAddress() + ":" + metricsPort)
                .log("Holdfast starting");
    }
}
