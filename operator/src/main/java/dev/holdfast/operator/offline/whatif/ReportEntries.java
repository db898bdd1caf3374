package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.check.ViolationState;
import dev.holdfast.operator.offline.simulate.History;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.plan.move.Outcome;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;

/** Makes the entries of a report from what happened in a simulation. */
final class ReportEntries {
    private final Instant start;
    private final RuleKinds kinds;

    /** @param start the time of the change */
    ReportEntries(Instant start, RuleKinds kinds) {
        this.start = start;
        this.kinds = kinds;
    }

    static BoundPod victim(History.Eviction eviction) {
        return eviction.violation().victim();
    }

    long seconds(Instant at) {
        return Duration.between(start, at).toSeconds();
    }

    WhatIfReport.Violation violation(History.Turn turn, ViolationState state) {
        ViolationReport violation = turn.violation();
        return new WhatIfReport.Violation(
                seconds(turn.at()),
                violation.pod().namespace(),
                violation.pod().name(),
                violation.key().podUid(),
                violation.key().node(),
                kinds.reference(violation),
                violation.violationDetail().describe(),
                state);
    }

    WhatIfReport.Audited audited(History.Audited audited, boolean anyway) {
        ViolationReport violation = audited.violation();
        BoundPod victim = violation.victim();
        return new WhatIfReport.Audited(
                seconds(audited.at()),
                victim.name().namespace(),
                victim.name().name(),
                victim.uid(),
                victim.node(),
                audited.toNode().orElse(""),
                violation.policy().toString(),
                kinds.reference(violation),
                anyway);
    }

    WhatIfReport.Eviction eviction(History.Eviction eviction, Set<String> anyway) {
        ViolationReport violation = eviction.violation();
        BoundPod victim = victim(eviction);
        return new WhatIfReport.Eviction(
                seconds(eviction.at()),
                victim.name().namespace(),
                victim.name().name(),
                victim.uid(),
                victim.node(),
                eviction.move().flatMap(Notification.Moved::toNode).orElse(""),
                violation.policy().toString(),
                kinds.reference(violation),
                eviction.move()
                        .map(Notification.Moved::outcome)
                        .map(Outcome::label)
                        .orElse(""),
                anyway.contains(victim.uid()));
    }

    WhatIfReport.Held held(History.Held held, Set<ViolationKey> anyway) {
        ViolationReport violation = held.violation();
        return new WhatIfReport.Held(
                violation.pod().namespace(),
                violation.pod().name(),
                violation.key().podUid(),
                violation.key().node(),
                violation.policy().toString(),
                kinds.reference(violation),
                held.hold().reason().label(),
                held.hold().advised(),
                anyway.contains(violation.key()));
    }
}
