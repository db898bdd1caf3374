package dev.holdfast.operator.ledger;

import dev.holdfast.policies.engine.ledger.Ledger;
import dev.holdfast.policies.engine.ledger.PolicyVersion;
import dev.holdfast.policies.engine.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.ledger.RememberedMove;
import dev.holdfast.policies.forgive.ViolationKey;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.plan.domain.RememberedNodes;
import dev.holdfast.policies.plan.move.BreakerScope;
import dev.holdfast.policies.plan.move.Futility;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.RepeatedMoves;
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
                Optional.of(List.of(new PolicyVersion(POLICY, "uid-of-web/3"))));
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

    /** {@return the ledger that an earlier version without nodes wrote} */
    static Ledger withoutNodes() {
        Ledger full = full();
        RememberedBrakes brakes = full.brakes();
        return new Ledger(
                full.limits(),
                full.moves(),
                full.missing(),
                new RememberedBrakes(
                        brakes.lost(),
                        brakes.labels(),
                        brakes.accepted(),
                        brakes.volume(),
                        brakes.volumes(),
                        brakes.streaks(),
                        brakes.backlogs(),
                        brakes.resumptions(),
                        Optional.empty(),
                        brakes.failedCheck()),
                Optional.empty(),
                full.policies());
    }

    private static Instant minutesBefore(int minutes) {
        return NOON.minusSeconds(60L * minutes);
    }

    private static Moves.Remembered limits() {
        Futility.Key key = new Futility.Key("shop", "uid-of-rs", RULE);
        Futility.Streak streak = new Futility.Streak(
                WORKLOAD, 2, List.of(new Futility.FutileMove(minutesBefore(9), POLICY, "landed on n1 again")));
        return new Moves.Remembered(
                List.of(new Moves.PastEviction(
                        minutesBefore(40), "shop", POLICY, Optional.of(WORKLOAD), Set.of("disk"))),
                List.of(new Moves.Remembered.Victim("uid-of-web-1", minutesBefore(40))),
                new Futility.Remembered(
                        List.of(new Futility.Remembered.OneStreak(key, streak)),
                        List.of(new Futility.Remembered.Success(RULE, minutesBefore(50))),
                        List.of(
                                new Futility.Remembered.Tries(RULE, Optional.of("shop"), 3),
                                new Futility.Remembered.Tries(RULE, Optional.empty(), 1))),
                new SlowStart.Remembered(
                        new SlowStart.Remembered.OneAllowance(2, minutesBefore(40), Instant.EPOCH),
                        Map.of("shop", new SlowStart.Remembered.OneAllowance(1, Instant.EPOCH, minutesBefore(9))),
                        Map.of("shop", minutesBefore(9))),
                List.of(new RepeatedMoves.Remembered(
                        "uid-of-web-2",
                        RULE,
                        new RepeatedMoves.Rounds(List.of(minutesBefore(45)), 1, false, POLICY, minutesBefore(44)))),
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
                List.of(new RememberedBrakes.Lost("disk", "n1", "ssd", minutesBefore(8))),
                List.of(new RememberedBrakes.LabelOpening(
                        "disk", Optional.empty(), opening("disk@mi7a"), minutesBefore(68))),
                List.of(new RememberedBrakes.Accepted("zone", Optional.of("shop"), minutesBefore(55))),
                Optional.of(opening("pods@mi7b")),
                List.of(new RememberedBrakes.NamespaceOpening("shop", opening("pods-shop@mi7c"), 3, 4_000)),
                List.of(
                        new RememberedBrakes.Streak(Optional.empty(), List.of("mi7v-0"), Optional.empty()),
                        new RememberedBrakes.Streak(
                                Optional.of("shop"), List.of("mi7v-0"), Optional.of(opening("moves-shop@mi7d")))),
                List.of(new RememberedBrakes.Backlog(POLICY, "backlog@mi7e", 7)),
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
                Optional.of(opening("verdicts@mi7f")));
    }

    private static RememberedBrakes.Opening opening(String id) {
        return new RememberedBrakes.Opening(id, "what happened: " + id);
    }
}
