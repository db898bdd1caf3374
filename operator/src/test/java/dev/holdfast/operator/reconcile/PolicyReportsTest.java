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

    private void publish(PolicyId policy) {
        reports.store(Samples.report(policy));
        reports.notifyChanged(policy);
    }

    @BeforeEach
    void listen() {
        reports.onChange(rung::add);
    }

    @Test
    void manyReportsRingOnceUntilTheyAreRead() {
        publish(AUDIT);
        publish(AUDIT);
        assertThat(rung).containsExactly(AUDIT);

        assertThat(reports.takeLatest(AUDIT)).contains(Samples.report(AUDIT));
        publish(AUDIT);
        assertThat(rung).containsExactly(AUDIT, AUDIT);
    }

    @Test
    void whoIsHushedIsNotRungFor() {
        publish(AUDIT);
        reports.takeLatest(AUDIT);
        reports.suppress(AUDIT);
        publish(AUDIT);

        assertThat(rung).containsExactly(AUDIT);
    }

    @Test
    void everyPolicyRingsByItself() {
        publish(AUDIT);
        publish(Samples.POLICY);

        assertThat(rung).containsExactly(AUDIT, Samples.POLICY);
    }

    /** The reconciliation that would take the trigger back never comes. */
    @Test
    void aTriggerThatComesAfterTheDeletionIsDropped() {
        reports.forget(AUDIT);
        reports.notifyChanged(AUDIT);
        reports.notifyChanged(Samples.POLICY);

        reports.keepOnly(Samples.POLICY::equals);

        reports.notifyChanged(AUDIT);
        reports.notifyChanged(Samples.POLICY);
        assertThat(rung).containsExactly(AUDIT, Samples.POLICY, AUDIT);
    }

    @Test
    void aPolicyThatIsGoneIsForgotten() {
        publish(AUDIT);
        reports.forget(AUDIT);

        assertThat(reports.takeLatest(AUDIT)).isEmpty();
    }
}
