package dev.holdfast.policies.engine.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests that a report is read back as it was stored, although its parts are stored apart. */
class LastReportsTest {
    private static final Instant SINCE = Instant.parse("2026-11-20T12:00:00Z");
    private static final PolicyId POLICY = PolicyId.namespaced("shop", "web");
    private static final ViolationKey KEY = new ViolationKey("uid-1", "n1", new RuleIdentity("ssd"));
    private static final NamespacedName POD = new NamespacedName("shop", "web-1");
    private static final Optional<Controller> OWNER = Optional.of(new Controller("ReplicaSet", "web", "uid-web"));
    private static final Hold HOLD = Hold.untilChange(Reason.INFEASIBLE, "no other node would take the pod now");

    private final LastReports reports = new LastReports();

    private static ViolationReport report(ViolationDetail detail, BoundPod victim, Optional<Hold> hold) {
        return new ViolationReport(
                KEY,
                POD,
                OWNER,
                victim,
                POLICY,
                "ssd",
                "disk In [ssd]",
                Mode.ENFORCE,
                new Cause.FoundAtStart(),
                detail,
                SINCE,
                Duration.ofMinutes(5),
                SINCE.plusSeconds(300),
                Optional.of(Reason.NO_CONTROLLER),
                hold.isPresent() ? ViolationState.HELD : ViolationState.FORGIVING,
                hold);
    }

    static Stream<Arguments> rows() {
        BoundPod owner = new BoundPod(POD, "uid-1", "n1", OWNER);
        ViolationDetail mismatch = new ViolationDetail.NodeMismatch("n1", "disk In [ssd]", "it has disk=hdd");
        ViolationDetail conflict = new ViolationDetail.Conflict("zone", "a", List.of());
        return Stream.of(
                argumentSet("a node without a label", report(mismatch, owner, Optional.empty())),
                argumentSet("a hold", report(mismatch, owner, Optional.of(HOLD))),
                argumentSet("partners", report(conflict, owner, Optional.empty())),
                argumentSet(
                        "another pod as the victim",
                        report(
                                conflict,
                                new BoundPod(new NamespacedName("data", "job-1"), "uid-2", "n1", Optional.empty()),
                                Optional.empty())));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aReportIsReadBackAsItWasStored(ViolationReport report) {
        reports.put(report);

        assertThat(reports.find(KEY)).contains(report);
    }

    @Test
    void theHoldIsThatOfThePolicyOfTheReport() {
        reports.put(report(
                new ViolationDetail.NodeMismatch("n1", "disk In [ssd]", "it has disk=hdd"),
                new BoundPod(POD, "uid-1", "n1", OWNER),
                Optional.of(HOLD)));

        assertThat(reports.saysHeld(KEY, policy -> policy.equals(POLICY) ? Reason.INFEASIBLE : Reason.QUEUED))
                .isTrue();
        assertThat(reports.saysHeld(KEY, policy -> policy.equals(POLICY) ? Reason.QUEUED : Reason.INFEASIBLE))
                .isFalse();
    }

    @Test
    void aForgottenReportIsGone() {
        reports.put(report(
                new ViolationDetail.NodeMismatch("n1", "disk In [ssd]", "it has disk=hdd"),
                new BoundPod(POD, "uid-1", "n1", OWNER),
                Optional.empty()));

        reports.forget(KEY);

        assertThat(reports.find(KEY)).isEmpty();
        assertThat(reports.size()).isZero();
    }
}
