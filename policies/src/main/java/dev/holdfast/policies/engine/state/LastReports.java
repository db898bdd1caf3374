package dev.holdfast.policies.engine.state;

import dev.holdfast.policies.compact.CompactMap;
import dev.holdfast.policies.engine.report.BoundPod;
import dev.holdfast.policies.engine.report.ViolationReport;
import dev.holdfast.policies.engine.report.ViolationState;
import dev.holdfast.policies.evaluate.LeastCount;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * The last report of each running violation, divided into the part that the violations of one rule share and the part
 * of each violation. A change may break the rules of all pods at once: 150,000 whole reports would take 40 MB.
 */
final class LastReports {
    private final Map<ViolationKey, Own> reports = new CompactMap<>();
    private final SharedValues<Common> shared = new SharedValues<>();
    private final SharedValues<String> texts = new SharedValues<>();
    private final SharedValues<LeastCount> leastCounts = new SharedValues<>();

    /** The part of a report that many violations of one rule share. */
    private record Common(
            PolicyId policy,
            String rule,
            String demand,
            Mode mode,
            Cause cause,
            Instant since,
            Duration forgiveness,
            Instant deadline,
            Optional<Reason> protection,
            ViolationState state,
            Optional<Hold> hold,
            Optional<InjectionOutcome> leftOut) {
        static Common of(ViolationReport report) {
            return new Common(
                    report.policy(),
                    report.rule(),
                    report.demand(),
                    report.mode(),
                    report.cause(),
                    report.since(),
                    report.forgiveness(),
                    report.deadline(),
                    report.protection(),
                    report.state(),
                    report.hold(),
                    report.leftOut());
        }
    }

    /**
     * The part of a report that each violation has of its own.
     *
     * @param substitute the victim, if it is another pod than the rule owner
     */
    private record Own(
            String namespace,
            String name,
            Optional<Controller> controller,
            Optional<BoundPod> substitute,
            ViolationDetail violationDetail,
            Common common) {
        ViolationReport report(ViolationKey key) {
            NamespacedName pod = new NamespacedName(namespace, name);
            return new ViolationReport(
                    key,
                    pod,
                    controller,
                    substitute.orElseGet(() -> new BoundPod(pod, key.podUid(), key.node(), controller)),
                    common.policy(),
                    common.rule(),
                    common.demand(),
                    common.mode(),
                    common.cause(),
                    violationDetail,
                    common.since(),
                    common.forgiveness(),
                    common.deadline(),
                    common.protection(),
                    common.state(),
                    common.hold(),
                    common.leftOut());
        }
    }

    void put(ViolationReport report) {
        reports.put(
                report.key(),
                new Own(
                        report.pod().namespace(),
                        report.pod().name(),
                        report.controller(),
                        report.victim().equals(report.owner()) ? Optional.empty() : Optional.of(report.victim()),
                        sharing(report.violationDetail()),
                        shared.of(Common.of(report))));
    }

    private ViolationDetail sharing(ViolationDetail detail) {
        return switch (detail) {
            case ViolationDetail.NodeMismatch(String node, String requirement, String found) ->
                new ViolationDetail.NodeMismatch(node, texts.of(requirement), texts.of(found));
            case ViolationDetail.UnmatchableRule(String node, String requirement, String why) ->
                new ViolationDetail.UnmatchableRule(node, texts.of(requirement), texts.of(why));
            case ViolationDetail.NoTopologyKey _, ViolationDetail.NoPartner _, ViolationDetail.Conflict _ -> detail;
            case ViolationDetail.Skew(String key, String domain, int others, int self, LeastCount least, int maxSkew) ->
                new ViolationDetail.Skew(key, domain, others, self, leastCounts.of(least), maxSkew);
        };
    }

    /** {@return the last report of a violation; empty if there is none} */
    Optional<ViolationReport> find(ViolationKey key) {
        return Optional.ofNullable(reports.get(key)).map(own -> own.report(key));
    }

    /**
     * {@return whether the last report of a violation says that it is held for this reason}
     *
     * @param reason the reason as the policy of the report sees it
     */
    boolean saysHeld(ViolationKey key, Function<PolicyId, Reason> reason) {
        Own own = reports.get(key);
        return own != null
                && own.common()
                        .hold()
                        .filter(hold ->
                                hold.reason() == reason.apply(own.common().policy()))
                        .isPresent();
    }

    void forget(ViolationKey key) {
        reports.remove(key);
    }

    int size() {
        return reports.size();
    }
}
