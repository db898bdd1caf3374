package dev.holdfast.operator.app;

import dev.holdfast.operator.publish.AuditLog;
import dev.holdfast.operator.publish.EventRecorder;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.publish.NotificationLog;
import dev.holdfast.operator.publish.series.NamespaceViolations;
import dev.holdfast.operator.reconcile.PolicyReports;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BiPredicate;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the engine's reports to metrics, audit log, log, Kubernetes events and statuses. If one of these writes throws,
 * the exception is logged, and the other writes and the engine continue. Used by the engine's thread only, except for
 * {@link #forget}.
 */
final class EffectReporter implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private final BiPredicate<PolicyId, Predicate<String>> whilePresent;
    private final Metrics metrics;
    private final EventRecorder eventRecorder;
    private final PolicyReports reports;
    private final String namespace;
    private final Optional<NamespaceViolations> byNamespace;
    private final AuditLog audit;
    private final NotificationLog log;
    private boolean distrusted;
    private final CountDownLatch closing = new CountDownLatch(1);
    private final Thread summaries =
            Thread.ofVirtual().name("holdfast-log-summaries").unstarted(this::sumUpEachSecond);

    /**
     * A reporter for one operator.
     *
     * @param whilePresent runs an action with the UID of a policy, and lets the policy exist until the action ends;
     *     returns false, without running it, if the policy was deleted. So a late report changes no metric or status
     * @param leads whether this replica leads now
     * @param namespace the operator's own namespace, to which Kubernetes events about breakers are attached
     * @param byNamespace the gauge of violations by namespace; empty unless the configuration asks for it
     */
    EffectReporter(
            BiPredicate<PolicyId, Predicate<String>> whilePresent,
            BooleanSupplier leads,
            Metrics metrics,
            EventRecorder eventRecorder,
            PolicyReports reports,
            String namespace,
            Optional<NamespaceViolations> byNamespace,
            InstantSource clock) {
        this.whilePresent = whilePresent;
        this.metrics = metrics;
        this.eventRecorder = eventRecorder;
        this.reports = reports;
        this.namespace = namespace;
        this.byNamespace = byNamespace;
        this.audit = new AuditLog(clock);
        this.log = new NotificationLog(leads, clock);
    }

    /**
     * Starts to count in the log, each second, the lines that were left out.
     *
     * @param onDeath called if the thread that counts dies
     */
    void start(Thread.UncaughtExceptionHandler onDeath) {
        summaries.setUncaughtExceptionHandler(onDeath);
        summaries.start();
    }

    private void sumUpEachSecond() {
        try {
            while (!closing.await(1, TimeUnit.SECONDS)) {
                quietly(log::sumUp);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Counts the lines that were left out, and stops. */
    @Override
    public void close() {
        closing.countDown();
        quietly(log::sumUp);
    }

    void report(Notification notification) {
        quietly(() -> {
            boolean _ = whilePresent.test(notification.violation().policy(), _ -> {
                metrics.count(notification);
                return true;
            });
        });
        byNamespace.ifPresent(it -> quietly(() -> it.count(notification)));
        quietly(() -> audit.write(notification));
        quietly(() -> log.log(notification));
        quietly(() -> eventRecorder.record(notification));
    }

    void braked(BrakeReport report) {
        quietly(() -> log.log(report));
        quietly(() -> eventRecorder.record(report, namespace));
    }

    /** Drops the state of the rate limits of a deleted policy. May be called from any thread. */
    void forget(PolicyId policy) {
        eventRecorder.forget(policy);
        log.forget(policy);
    }

    void compared(Effect.Compared compared) {
        quietly(() -> metrics.compared(compared));
        if (compared.difference().isPresent() && !distrusted) {
            LOG.atError()
                    .addKeyValue("difference", compared.difference().get())
                    .log("A check of the operator against itself failed: evictions stopped until you acknowledge"
                            + " it, as the hold VerdictsDiffer says; please report it");
        } else if (compared.difference().isEmpty() && distrusted) {
            LOG.info("A user acknowledged the failed check: evictions may go on");
        }
        distrusted = compared.difference().isPresent();
    }

    void tooComplex(Effect.FoundTooComplex found) {
        quietly(() -> log.log(found));
        quietly(() -> eventRecorder.record(found));
    }

    void invalidRules(Effect.FoundInvalidRules found) {
        quietly(() -> log.log(found));
        quietly(() -> eventRecorder.record(found));
    }

    void publish(PolicyReport report) {
        quietly(() -> {
            // The engine may not know yet that the policy was deleted, and that another one has its name.
            if (whilePresent.test(report.policy(), uid -> uid.equals(report.uid()) && stored(report))) {
                // Not before: this runs code of the Operator SDK, for which no deletion should wait.
                reports.notifyChanged(report.policy());
            }
        });
    }

    private boolean stored(PolicyReport report) {
        quietly(() -> metrics.publish(report));
        reports.store(report);
        return true;
    }

    private static void quietly(Runnable report) {
        try {
            report.run();
        } catch (RuntimeException e) {
            LOG.error("Failed to publish a report of the engine", e);
        }
    }
}
