package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.it.schedules.Schedules;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The engine's thread that reports on policies, and the informers that create and delete them. */
class ReportSchedulesIT {
    private static final PolicyId WEB = Samples.POLICY;

    // Made before the schedules begin, in which each access to memory takes a step.
    private static final PlacementPolicy FIRST = policy("a");
    private static final PlacementPolicy NEXT = policy("b");
    private static final PolicyReport REPORT = Samples.report(WEB);

    private static PlacementPolicy policy(String uid) {
        return Serialization.unmarshal("""
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: web, uid: %s, generation: 1}
            spec: {}
            """.formatted(uid), PlacementPolicy.class);
    }

    @Test
    void theNextPolicyOfANameNeverGetsAReportOfTheDeletedOne() {
        Schedules.play(() -> {
            PolicyReports reports = new PolicyReports();
            List<Event> told = new ArrayList<>();
            PolicyRegistry registry = new PolicyRegistry(
                    new PolicyTranslator(Duration.ofMinutes(5)), told::add, reports::forget, () -> Instant.EPOCH);
            registry.take(FIRST);
            Thread engine = Thread.ofPlatform().start(() -> {
                boolean stored = registry.whilePresent(WEB, uid -> {
                    reports.store(REPORT);
                    return uid.equals("a");
                });
                if (stored) {
                    reports.notifyChanged(WEB);
                }
            });
            Thread informer = Thread.ofPlatform().start(() -> {
                registry.gone(WEB, "a");
                if (reports.takeLatest(WEB).isPresent()) {
                    throw new IllegalStateException("a report of the deleted policy");
                }
            });
            informer.join();
            registry.take(NEXT);
            engine.join();
            boolean removedBetween =
                    told.stream().filter(Event.PolicyRemoved.class::isInstance).count() == 1;
            if (!registry.uid(WEB).equals(Optional.of("b")) || !removedBetween) {
                throw new IllegalStateException("told: " + told);
            }
        });
    }
}
