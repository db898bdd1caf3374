package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.PolicyVersion;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.protocol.ledger.RememberedMove;
import dev.holdfast.policies.engine.protocol.ledger.RememberedProtection;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.domain.RememberedNodes;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.EnforcedRules;
import dev.holdfast.policies.plan.move.FutileRules;
import dev.holdfast.policies.plan.move.FutileStreak;
import dev.holdfast.policies.plan.move.MoveHistory;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.Scope;
import dev.holdfast.policies.plan.move.SlowStart;
import dev.holdfast.policies.plan.move.TurnHistory;
import dev.holdfast.policies.plan.move.Workload;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Ledgers for tests. */
final class Ledgers {
    static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static final RuleIdentity RULE = new RuleIdentity("0123456789abcdef");
    private static final RuleIdentity OTHER_RULE = new RuleIdentity("fedcba9876543210");
    private static final MoveHistory.Remembered.Key KEY = new MoveHistory.Remembered.Key("shop", "uid-of-rs", RULE);
    private static final PolicyId POLICY = PolicyId.namespaced("shop", "web");
    private static final Workload WORKLOAD =
            new Workload("uid-of-web", "Deployment", new NamespacedName("shop", "web"));

    private Ledgers() {}

    /** {@return a ledger with something of each kind; all its instants are before noon} */
    static Ledger full() {
        return new Ledger(
                limits(),
                List.of(move(), landed()),
                List.of(missing()),
                brakes(),
                Optional.of(nodes()),
                Optional.of(List.of(new PolicyVersion(POLICY, "uid-of-web/3", Optional.of("1f")))),
                Optional.of(new RememberedProtection(
                        List.of("holdfast", "kube-system"), List.of("default-scheduler"), List.of("kube-system"))));
    }

    private static RememberedNodes nodes() {
        return new RememberedNodes(
                List.of(new RememberedNodes.Changed(
                        "n1",
                        Optional.of(minutesBefore(50)),
                        Map.of("disk", minutesBefore(49)),
                        List.of(new RememberedNodes.RemovedTaint(
                                "dedicated", "gpu", "NoSchedule", minutesBefore(48))))),
                List.of(new RememberedNodes.Usable(
                        "0b8ef0f4-4b5e-3a1c-9d67-0f2d8f2b7c11", "zone-a", minutesBefore(90))),
                List.of(new RememberedNodes.Vanished(
                        "n9",
                        Map.of("disk", "ssd"),
                        List.of(new Taint("dedicated", "gpu", "NoSchedule")),
                        minutesBefore(6))));
    }

    /** {@return the ledger that an earlier version without nodes, rules of moves and causes of backlogs wrote} */
    static Ledger withoutNodes() {
        Ledger full = full();
        RememberedBrakes brakes = full.brakes();
        return new Ledger(
                withoutRules(full.limits()),
                full.moves().stream().map(Ledgers::withoutRules).toList(),
                full.missing().stream()
                        .map(one -> new RememberedMove.Missing(withoutRules(one.move()), one.at()))
                        .toList(),
                new RememberedBrakes(
                        brakes.lost().stream()
                                .filter(one -> one.came().isEmpty())
                                .toList(),
                        brakes.labels(),
                        brakes.accepted(),
                        brakes.volume(),
                        brakes.volumes(),
                        brakes.streaks(),
                        brakes.backlogs().stream()
                                .map(one -> new RememberedBrakes.Backlog(
                                        one.policy(),
                                        one.id(),
                                        one.generation(),
                                        Optional.empty(),
                                        Optional.empty(),
                                        Optional.empty()))
                                .toList(),
                        brakes.resumptions(),
                        Optional.empty(),
                        brakes.failedCheck(),
                        Optional.empty(),
                        Optional.empty()),
                Optional.empty(),
                Optional.of(List.of(new PolicyVersion(POLICY, "uid-of-web/3", Optional.empty()))));
    }

    private static Moves.Remembered withoutRules(Moves.Remembered limits) {
        return new Moves.Remembered(
                limits.evictions(),
                limits.victims(),
                new MoveHistory.Remembered(
                        List.of(new MoveHistory.Remembered.OneStreak(
                                KEY, new FutileStreak(WORKLOAD, 2, List.of(futile(Optional.empty()))))),
                        limits.futility().succeeded(),
                        limits.futility().tries()),
                limits.slowStart(),
                limits.repeated(),
                limits.turns());
    }

    private static FutileStreak.FutileMove futile(Optional<RuleIdentity> rule) {
        return new FutileStreak.FutileMove(minutesBefore(9), POLICY, rule, "landed on n1 again");
    }

    private static RememberedMove withoutRules(RememberedMove move) {
        return new RememberedMove(
                move.id(),
                move.key(),
                move.policy(),
                move.violation(),
                move.victim(),
                move.workload(),
                move.ownerKnown(),
                move.nodeKeys(),
                move.scope(),
                move.target(),
                Optional.empty(),
                move.begun(),
                move.evictedAt(),
                move.replacement());
    }

    private static Instant minutesBefore(int minutes) {
        return NOON.minusSeconds(60L * minutes);
    }

    private static Moves.Remembered limits() {
        FutileStreak streak = new FutileStreak(WORKLOAD, 2, List.of(futile(Optional.of(RULE))));
        return new Moves.Remembered(
                List.of(new Moves.PastEviction(
                        minutesBefore(40), "shop", POLICY, Optional.of(WORKLOAD), Set.of("disk"))),
                List.of(new Moves.Remembered.Victim("uid-of-web-1", minutesBefore(40))),
                new MoveHistory.Remembered(
                        List.of(new MoveHistory.Remembered.OneStreak(KEY, streak)),
                        List.of(new FutileRules.Success(RULE, minutesBefore(50))),
                        List.of(
                                new FutileRules.Tries(RULE, Optional.of("shop"), 3),
                                new FutileRules.Tries(RULE, Optional.empty(), 1))),
                new SlowStart.Remembered(
                        new SlowStart.Remembered.OneAllowance(2, minutesBefore(40), Instant.EPOCH),
                        Map.of("shop", new SlowStart.Remembered.OneAllowance(1, Instant.EPOCH, minutesBefore(9))),
                        Map.of("shop", minutesBefore(9))),
                List.of(new MoveHistory.Lineage(
                        "uid-of-web-2",
                        RULE,
                        new MoveHistory.Rounds(List.of(minutesBefore(45)), 1, false, POLICY, minutesBefore(44)))),
                new TurnHistory.Remembered(
                        List.of("bank", "shop"), List.of(new TurnHistory.Turn("shop", PolicyId.cluster("all")))));
    }

    private static RememberedMove move() {
        return new RememberedMove(
                "mi7v-1",
                new ViolationKey("uid-of-web-3", "n3", RULE),
                POLICY,
                Optional.of(new RememberedMove.Violation(
                        new NamespacedName("shop", "web-3"), "ssd", "disk In [ssd]", minutesBefore(10))),
                victim("web-3"),
                Optional.of(WORKLOAD),
                true,
                Set.of("disk"),
                new Scope.SameRule(RULE, Optional.of("shop"), Map.of("pod-template-hash", "5d")),
                Optional.of("n4"),
                Optional.of(new EnforcedRules(Set.of(OTHER_RULE), Set.of(RULE))),
                minutesBefore(2),
                Optional.empty(),
                Optional.empty());
    }

    private static RememberedMove landed() {
        return new RememberedMove(
                "mi7v-2",
                new ViolationKey("uid-of-web-4", "n3", RULE),
                PolicyId.cluster("all"),
                Optional.of(new RememberedMove.Violation(
                        new NamespacedName("shop", "web-4"), "PodAntiAffinity", "no other web", minutesBefore(10))),
                victim("web-4"),
                Optional.of(WORKLOAD),
                true,
                Set.of("kubernetes.io/hostname"),
                new Scope.Conflicting(Set.of("uid-of-web-4")),
                Optional.empty(),
                Optional.of(EnforcedRules.onlyBroken(RULE)),
                minutesBefore(3),
                Optional.of(minutesBefore(2)),
                Optional.of(new RememberedMove.Replacement("uid-of-web-6", "n5")));
    }

    private static RememberedMove.Missing missing() {
        return new RememberedMove.Missing(
                new RememberedMove(
                        "mi7v-0",
                        new ViolationKey("uid-of-web-7", "n3", RULE),
                        POLICY,
                        Optional.empty(),
                        victim("web-7"),
                        Optional.of(WORKLOAD),
                        false,
                        Set.of("disk"),
                        new Scope.Alone(),
                        Optional.of("n4"),
                        Optional.of(EnforcedRules.onlyBroken(RULE)),
                        minutesBefore(30),
                        Optional.of(minutesBefore(29)),
                        Optional.empty()),
                minutesBefore(19));
    }

    private static RememberedMove.Victim victim(String name) {
        return new RememberedMove.Victim(
                "uid-of-" + name,
                new NamespacedName("shop", name),
                "n3",
                Optional.of(new Controller("ReplicaSet", "web-5d", "uid-of-rs")),
                true,
                RestartPolicy.ALWAYS);
    }

    private static RememberedBrakes brakes() {
        return new RememberedBrakes(
                List.of(
                        new RememberedBrakes.Changed(
                                "disk", "n1", "ssd", minutesBefore(8), Optional.empty(), Optional.empty()),
                        new RememberedBrakes.Changed(
                                "drain",
                                "n2",
                                "true",
                                minutesBefore(6),
                                Optional.of(true),
                                Optional.of(List.of("", "shop")))),
                List.of(new RememberedBrakes.LabelOpening(
                        "disk", Optional.empty(), opening("disk@mi7a"), minutesBefore(68))),
                List.of(new RememberedBrakes.Accepted("zone", Optional.of("shop"), minutesBefore(55))),
                Optional.of(opening("pods@mi7b")),
                List.of(new RememberedBrakes.NamespaceOpening("shop", opening("pods-shop@mi7c"), 3, 4_000)),
                List.of(
                        new RememberedBrakes.Streak(Optional.empty(), List.of("mi7v-0"), Optional.empty()),
                        new RememberedBrakes.Streak(
                                Optional.of("shop"), List.of("mi7v-0"), Optional.of(opening("moves-shop@mi7d")))),
                List.of(new RememberedBrakes.Backlog(
                        POLICY,
                        "backlog@mi7e",
                        7,
                        Optional.of("label team of namespace shop was added as 'web'"),
                        Optional.of(3),
                        Optional.of(new RememberedBrakes.Part(
                                List.of("shop"), Optional.of(List.of("uid-of-web-1", "uid-of-web-2")))))),
                List.of(
                        new RememberedBrakes.SlowResumption(
                                "disk@mi79", new BreakerScope.NodeLabel("disk"), minutesBefore(20), true),
                        new RememberedBrakes.SlowResumption(
                                "pods@mi78", new BreakerScope.Everything(), minutesBefore(25), false),
                        new RememberedBrakes.SlowResumption(
                                "zone-shop@mi77",
                                new BreakerScope.NodeLabelForPolicies("zone", "shop"),
                                minutesBefore(26),
                                false),
                        new RememberedBrakes.SlowResumption(
                                "pods-bank@mi76", new BreakerScope.OneNamespace("bank"), minutesBefore(27), false)),
                Optional.of(List.of(new RememberedBrakes.Gone("n8", Map.of("disk", "ssd"), minutesBefore(7)))),
                Optional.of(opening("verdicts@mi7f")),
                Optional.of(List.of(new RememberedBrakes.Dynamic("load", minutesBefore(5)))),
                Optional.of(List.of(new RememberedBrakes.Paused(
                        "EnforcementPause freeze: the month ends; until it is deleted",
                        Optional.of(List.of("shop")),
                        Optional.of("1f2e3d4c")))));
    }

    private static RememberedBrakes.Opening opening(String id) {
        return new RememberedBrakes.Opening(id, "what happened: " + id);
    }
}
