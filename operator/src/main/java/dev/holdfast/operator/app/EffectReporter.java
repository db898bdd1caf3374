package dev.holdfast.operator.app;

import dev.holdfast.operator.publish.AuditLog;
import dev.holdfast.operator.publish.Events;
import dev.holdfast.operator.publish.Meters;
import dev.holdfast.operator.publish.OccurrenceLog;
import dev.holdfast.operator.reconcile.PolicyReports;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.BreakerReport;
import dev.holdfast.policies.engine.report.Occurrence;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import java.time.InstantSource;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends what the engine reports to metrics, audit log, log, Kubernetes events and statuses. An exception in one of them
 * is logged and stops neither the others nor the engine. For the engine's thread alone.
 */
final class EffectReporter {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private final Predicate<PolicyId> exists;
    private final Meters meters;
    private final Events events;
    private final PolicyReports reports;
    private final String namespace;
    private final AuditLog audit;
    private final OccurrenceLog log;
    private boolean distrusted;

    /**
     * A reporter for one operator.
     *
     * @param exists whether a policy still exists: late reports of deleted policies reach neither metrics nor statuses
     * @param namespace the operator's own, which gets the events about all policies
     */
    EffectReporter(
            Predicate<PolicyId> exists,
            Meters meters,
            Events events,
            PolicyReports reports,
            String namespace,
            InstantSource clock) {
        this.exists = exists;
        this.meters = meters;
        this.events = events;
        this.reports = reports;
        this.namespace = namespace;
        this.audit = new AuditLog(clock);
        this.log = new OccurrenceLog(clock);
    }

    void tell(Occurrence occurrence) {
        quietly(() -> {
            if (exists.test(occurrence.violation().policy())) {
                meters.tell(occurrence);
            }
        });
        quietly(() -> audit.tell(occurrence));
        quietly(() -> log.tell(occurrence));
        quietly(() -> events.tell(occurrence));
    }

    void braked(BrakeReport report) {
        if (report instanceof BreakerReport breaker) {
            quietly(() -> meters.turned(breaker));
        }
        quietly(() -> log.tell(report));
        quietly(() -> events.tell(report, namespace));
    }

    void compared(Effect.Compared compared) {
        quietly(() -> meters.compared(compared));
        if (compared.difference().isPresent() && !distrusted) {
            distrusted = true;
            LOG.atError()
                    .addKeyValue("difference", compared.difference().get())
                    .log("A verdict was found wrong: nothing is evicted until the operator is restarted; please"
                            + " report it");
        }
    }

    void publish(PolicyReport report) {
        if (exists.test(report.policy())) {
            quietly(() -> meters.publish(report));
            quietly(() -> reports.publish(report));
        }
    }

    private static void quietly(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException e) {
            LOG.error("Cannot tell what happened", e);
        }
    }
}
