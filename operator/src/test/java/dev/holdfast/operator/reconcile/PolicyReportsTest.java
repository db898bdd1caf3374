package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.publish.Samples;
import dev.holdfast.policies.rule.PolicyId;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests when a report of the engine triggers the reconciliation of its policy. */
class PolicyReportsTest {
    private static final PolicyId AUDIT = PolicyId.cluster("audit");

    private final List<PolicyId> rung = new ArrayList<>();
    private final PolicyReports reports = new PolicyReports();

    @BeforeEach
    void listen() {
        reports.onChange(rung::add);
    }

    @Test
    void manyReportsRingOnceUntilSomebodyLooks() {
        reports.publish(Samples.report(AUDIT));
        reports.publish(Samples.report(AUDIT));
        assertThat(rung).containsExactly(AUDIT);

        assertThat(reports.takeLatest(AUDIT)).contains(Samples.report(AUDIT));
        reports.publish(Samples.report(AUDIT));
        assertThat(rung).containsExactly(AUDIT, AUDIT);
    }

    @Test
    void whoIsHushedIsNotRungFor() {
        reports.publish(Samples.report(AUDIT));
        reports.takeLatest(AUDIT);
        reports.suppress(AUDIT);
        reports.publish(Samples.report(AUDIT));

        assertThat(rung).containsExactly(AUDIT);
    }

    @Test
    void everyPolicyRingsByItself() {
        reports.publish(Samples.report(AUDIT));
        reports.publish(Samples.report(Samples.POLICY));

        assertThat(rung).containsExactly(AUDIT, Samples.POLICY);
    }

    @Test
    void aPolicyThatIsGoneIsForgotten() {
        reports.publish(Samples.report(AUDIT));
        reports.forget(AUDIT);

        assertThat(reports.takeLatest(AUDIT)).isEmpty();
    }
}
