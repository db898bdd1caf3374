package dev.holdfast.operator.ledger;

import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.in;
import static dev.holdfast.policies.testing.PodTraits.on;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.holdfast.policies.engine.protocol.ledger.PolicyVersion;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes.Opening;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.plan.move.Moves.PastEviction;
import dev.holdfast.policies.rule.PolicyId;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class StatusLedgerTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");
    private static final PolicyId KEEP = PolicyId.namespaced("shop", "keep");
    private static final PolicyId ALL = PolicyId.cluster("all");
    /** Of three nodes, one has a fast disk, one a slow one, and one none. */
    private static final List<ClusterEvent> NODES = cluster()
            .node("n1", labels("disk", "ssd"))
            .node("n2", labels("disk", "hdd"))
            .node("n3")
            .pod("web-1", in("shop"), on("n1"))
            .pod("web-2", in("bank"), on("n1"))
            .facts();

    private static JsonNode policy(String status) {
        return yaml("""
            kind: PlacementPolicy
            metadata: {namespace: shop, name: keep, uid: uid-of-keep, generation: 4}
            status: {observedGeneration: 3, effective: {mode: Enforce}, %s}
            """.formatted(status));
    }

    private static JsonNode clusterPolicy(String status) {
        return yaml("""
            kind: ClusterPlacementPolicy
            metadata: {name: all, uid: uid-of-all, generation: 1}
            status: {observedGeneration: 1, effective: {mode: Enforce}, %s}
            """.formatted(status));
    }

    private static JsonNode yaml(String text) {
        try {
            return new YAMLMapper().readTree(text);
        } catch (IOException e) {
            throw new IllegalArgumentException(text, e);
        }
    }

    private static StatusLedger read(JsonNode... policies) {
        return StatusLedger.read(List.of(policies), NODES, NOON).orElseThrow();
    }

    @Test
    void withoutAnEvaluatedPolicyNothingIsKnown() {
        assertThat(StatusLedger.read(
                        List.of(
                                yaml("{kind: PlacementPolicy, metadata: {namespace: shop, name: keep}}"),
                                yaml("{kind: EnforcementPause, status: {effective: {}}}")),
                        NODES,
                        NOON))
                .isEmpty();
    }

    @Test
    void theEvictionsOfTheLastHourCountOldestFirst() {
        StatusLedger read = read(
                policy("""
                    recentEvictions: [{time: "2026-11-20T11:59:59Z"}, {time: "2026-11-20T11:00:01Z"},
                     {time: "2026-11-20T11:00:00Z"}, {time: soon}]\
                    """),
                clusterPolicy("recentEvictions: [{time:" + " \"2026-11-20T11:30:00Z\", namespace:" + " b}]"));

        assertThat(read.ledger().limits().evictions())
                .containsExactly(
                        new PastEviction(
                                Instant.parse("2026-11-20T11:00:01Z"), "shop", KEEP, Optional.empty(), Set.of()),
                        new PastEviction(Instant.parse("2026-11-20T11:30:00Z"), "b", ALL, Optional.empty(), Set.of()),
                        new PastEviction(
                                Instant.parse("2026-11-20T11:59:59Z"), "shop", KEEP, Optional.empty(), Set.of()));
    }

    @Test
    void anEditThatTheOperatorHasNotEvaluatedIsUnseen() {
        assertThat(read(policy(""), clusterPolicy("")).ledger().policies())
                .contains(List.of(
                        new PolicyVersion(ALL, "uid-of-all/1", Optional.empty()),
                        new PolicyVersion(KEEP, "uid-of-keep/3", Optional.empty())));
    }

    @Test
    void aPolicyThatTheOperatorOnlyAuditsWasNeverEnforced() {
        JsonNode capped = yaml("""
            kind: ClusterPlacementPolicy
            metadata: {name: all, uid: uid-of-all, generation: 1}
            spec: {mode: Enforce}
            status: {observedGeneration: 1, effective: {mode: Audit}}
            """);

        assertThat(read(capped).ledger().policies()).contains(List.of());
    }

    private static RememberedBrakes brakes(
            Optional<Opening> volume,
            List<RememberedBrakes.NamespaceOpening> volumes,
            List<RememberedBrakes.Streak> streaks,
            List<RememberedBrakes.Backlog> backlogs) {
        return new RememberedBrakes(
                List.of(),
                List.of(),
                List.of(),
                volume,
                volumes,
                streaks,
                backlogs,
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    private static RememberedBrakes backlog(String id) {
        return brakes(
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(new RememberedBrakes.Backlog(
                        KEEP, id, 3, Optional.empty(), Optional.empty(), Optional.empty())));
    }

    private static RememberedBrakes volume(String namespace, String id, String message) {
        return brakes(
                Optional.empty(),
                List.of(new RememberedBrakes.NamespaceOpening(namespace, new Opening(id, message), 100_000_000, 0)),
                List.of(),
                List.of());
    }

    private static RememberedBrakes moves(Optional<String> namespace, String message) {
        return brakes(
                Optional.empty(),
                List.of(),
                List.of(new RememberedBrakes.Streak(namespace, List.of(), Optional.of(new Opening("ID", message)))),
                List.of());
    }

    static Stream<Arguments> brakes() {
        return Stream.of(
                argumentSet(
                        "no brake without a hold",
                        policy("holds: [{reason: Paused, count: 2}]"),
                        RememberedBrakes.none()),
                argumentSet("a backlog has the id in the condition", policy("""
                    holds: [{reason: Paused, count: 1}, {reason: PolicyBacklog, count: 40}],
                    conditions: [{type: EnforcementHeld, message: "since it was edited, until you acknowledge:
                     kubectl annotate holdfast.dev/acknowledge=backlog@mcu8s1k0; more"}]\
                    """), backlog("backlog@mcu8s1k0")),
                argumentSet("of a message that is cut off the id is unknown", policy("""
                    holds: [{reason: PolicyBacklog, count: 40}],
                    conditions: [{type: EnforcementHeld, message: "holdfast.dev/acknowledge=backlog@mcu8..."}]\
                    """), backlog("ID")),
                argumentSet(
                        "a volume breaker holds the namespaces of the pods that it is said to hold",
                        clusterPolicy("""
                            holds: [{reason: VolumeBreaker, count: 2}], violations: [{namespace: a, reason: VolumeBreaker,
                             message: "label gone; held: 9 of 10 bound pods broke a rule in namespace a within 90 s: holdfast.dev/acknowledge=pods-a@k0"},
                             {namespace: b, reason: Paused}]\
                            """),
                        volume(
                                "a",
                                "pods-a@k0",
                                "9 of 10 bound pods broke a rule in namespace a within 90 s:"
                                        + " holdfast.dev/acknowledge=pods-a@k0")),
                argumentSet(
                        "a volume breaker whose message names no namespace holds everything",
                        clusterPolicy("""
                            holds: [{reason: VolumeBreaker, count: 90}], violations: [{namespace: a, reason: VolumeBreaker,
                             message: "label gone; held: 90 of 100 bound pods broke a rule within 90 s (label a in namespace a left): holdfast.dev/acknowledge=pods@k0"}]\
                            """),
                        brakes(
                                Optional.of(new Opening(
                                        "pods@k0",
                                        "90 of 100 bound pods broke a rule within 90 s (label a in namespace a left):"
                                                + " holdfast.dev/acknowledge=pods@k0")),
                                List.of(),
                                List.of(),
                                List.of())),
                argumentSet(
                        "a breaker of a cluster policy holds everything if what it says is cut off",
                        clusterPolicy("""
                            holds: [{reason: VolumeBreaker, count: 2}],
                             violations: [{namespace: a, reason: VolumeBreaker, message: "label gone, and..."}]\
                            """),
                        brakes(
                                Optional.of(new Opening("ID", "policy all is held by it")),
                                List.of(),
                                List.of(),
                                List.of())),
                argumentSet(
                        "a breaker of a policy in a namespace holds that one if no pod is listed",
                        policy("holds: [{reason: VolumeBreaker, count: 2}]"),
                        volume("shop", "ID", "policy shop/keep is held by it")),
                argumentSet(
                        "a breaker of a cluster policy holds everything if no pod is listed",
                        clusterPolicy("holds: [{reason: VolumeBreaker, count: 2}]"),
                        brakes(
                                Optional.of(new Opening("ID", "policy all is held by it")),
                                List.of(),
                                List.of(),
                                List.of())),
                argumentSet(
                        "an outcome breaker of one namespace",
                        policy("""
                            holds: [{reason: OutcomeBreaker, count: 2}],
                            violations: [{reason: OutcomeBreaker, message: "gone; held: the last 3 moves in namespace shop got none"}]\
                            """),
                        moves(Optional.of("shop"), "the last 3 moves in namespace shop got none")),
                argumentSet(
                        "an outcome breaker of everything, whose event is in a namespace",
                        clusterPolicy("""
                            holds: [{reason: OutcomeBreaker, count: 2}],
                            violations: [{namespace: default, reason: OutcomeBreaker, message: "gone; held: the last 3 moves got none; the event is in namespace default"}]\
                            """),
                        moves(Optional.empty(), "the last 3 moves got none; the event is in namespace default")),
                argumentSet(
                        "an outcome breaker of everything",
                        clusterPolicy("holds: [{reason: OutcomeBreaker, count: 2}]"),
                        moves(Optional.empty(), "policy all is held by it")));
    }

    @ParameterizedTest
    @MethodSource
    void brakes(JsonNode policy, RememberedBrakes expected) {
        StatusLedger read = read(policy);

        assertThat(read.ledger().brakes()).isEqualTo(expected);
        assertThat(read.unnamed()).isEmpty();
    }

    private static final String LIKE_THE_OPERATOR =
            "a pause ended (EnforcementPause freeze: x, the policy would move 9 of"
                    + " its 9 pods beside 99999 within an hour, more than 1: y)";

    private static RememberedBrakes.Backlog partial(
            PolicyId policy, long generation, Optional<RememberedBrakes.Part> part) {
        return new RememberedBrakes.Backlog(
                policy,
                "backlog@k0",
                generation,
                Optional.of("label tier of the pod was added as 'front'"),
                Optional.of(30),
                part);
    }

    private static String backlogOf(int pods, String holds, String violations) {
        return """
            holds: [{reason: PolicyBacklog, count: 2}], violations: [%s],
            conditions: [{type: EnforcementHeld, message: "since label tier of the pod was added as 'front', the policy
             would move %s of its 40 pods beside 30 within an hour, more than 10:
             %s is evicted for it until you acknowledge that this is intended:
             kubectl annotate holdfast.dev/acknowledge=backlog@k0"}]\
            """.formatted(violations, pods, holds);
    }

    private static String heldPods(String... pods) {
        return Stream.of(pods)
                .map(pod -> "{namespace: %s, pod: %s, reason: PolicyBacklog}"
                        .formatted(pod.substring(0, pod.indexOf('/')), pod.substring(pod.indexOf('/') + 1)))
                .collect(Collectors.joining(", "));
    }

    static Stream<Arguments> parts() {
        String these = "none of these pods";
        return Stream.of(
                argumentSet(
                        "one that holds pods of which all are listed",
                        clusterPolicy(backlogOf(2, these, heldPods("shop/web-1", "bank/web-2", "shop/web-1"))),
                        partial(
                                ALL,
                                1,
                                Optional.of(new RememberedBrakes.Part(
                                        List.of("bank", "shop"), Optional.of(List.of("web-1", "web-2")))))),
                argumentSet(
                        "one of a namespace, whose status leaves the namespace out",
                        policy(backlogOf(1, these, "{pod: web-1, reason: PolicyBacklog}, {pod: old, reason: Queued}")),
                        partial(
                                KEEP,
                                3,
                                Optional.of(
                                        new RememberedBrakes.Part(List.of("shop"), Optional.of(List.of("web-1")))))),
                argumentSet(
                        "one of few pods beside which none are named holds all",
                        policy(backlogOf(1, these, "{pod: web-1, reason: PolicyBacklog}")
                                .replace(" beside 30 within an hour", "")),
                        new RememberedBrakes.Backlog(
                                KEEP,
                                "backlog@k0",
                                3,
                                Optional.of("label tier of the pod was added as 'front'"),
                                Optional.empty(),
                                Optional.empty())),
                argumentSet(
                        "one whose cause quotes a user who writes like the operator",
                        clusterPolicy(backlogOf(2, "no pod", heldPods("shop/web-1", "bank/web-2"))
                                .replace("label tier of the pod was added as 'front'", LIKE_THE_OPERATOR)),
                        new RememberedBrakes.Backlog(
                                ALL,
                                "backlog@k0",
                                1,
                                Optional.of(LIKE_THE_OPERATOR),
                                Optional.of(30),
                                Optional.empty())),
                argumentSet(
                        "one of which more pods than the listed ones wait holds all",
                        clusterPolicy(backlogOf(3, these, heldPods("shop/web-1", "bank/web-2"))),
                        partial(ALL, 1, Optional.empty())),
                argumentSet(
                        "one of which a pod is not known holds all",
                        clusterPolicy(backlogOf(2, these, heldPods("shop/web-1", "shop/web-9"))),
                        partial(ALL, 1, Optional.empty())),
                argumentSet(
                        "one that holds its policy holds all",
                        clusterPolicy(backlogOf(2, "no pod", heldPods("shop/web-1", "bank/web-2"))),
                        partial(ALL, 1, Optional.empty())));
    }

    @ParameterizedTest
    @MethodSource("parts")
    void aBacklogIsPartialIf(JsonNode policy, RememberedBrakes.Backlog expected) {
        assertThat(read(policy).ledger().brakes().backlogs()).containsExactly(expected);
    }

    private static JsonNode heldBy(String breaker, String name, String message) {
        return yaml("""
            kind: ClusterPlacementPolicy
            metadata: {name: %s, uid: uid-of-%s, generation: 1}
            status: {observedGeneration: 1, effective: {mode: Enforce}, holds: [{reason: %s, count: 2}],
             violations: [{namespace: a, reason: %s, message: "%s"}]}
            """.formatted(name, name, breaker, breaker, message));
    }

    static Stream<Arguments> ids() {
        return Stream.of(
                argumentSet(
                        "a volume breaker of all", "VolumeBreaker", "90 of 100 bound pods broke a rule within 90 s"),
                argumentSet(
                        "a volume breaker of a namespace",
                        "VolumeBreaker",
                        "9 of 10 bound pods broke a rule in namespace a within 90 s"),
                argumentSet("an outcome breaker of all", "OutcomeBreaker", "the last 3 moves got none"),
                argumentSet(
                        "an outcome breaker of a namespace",
                        "OutcomeBreaker",
                        "the last 3 moves in namespace a got none"),
                argumentSet("a label breaker", "LabelBreaker", "label disk left 6 of 10 nodes in 5 s"));
    }

    /** The message of the other policy is cut off before the id. */
    @ParameterizedTest
    @MethodSource("ids")
    void theIdOfABreakerStaysIfALaterPolicyDoesNotSayIt(String breaker, String says) {
        String whole = "gone; held: " + says + ": holdfast.dev/acknowledge=open@k0";
        String cut = "gone; held: " + says + ": holdfast...";

        assertThat(ids(heldBy(breaker, "a", whole), heldBy(breaker, "b", cut))).containsExactly("open@k0");
        assertThat(ids(heldBy(breaker, "a", cut), heldBy(breaker, "b", whole))).containsExactly("open@k0");
    }

    @Test
    void theIdOfABreakerStaysIfALaterPolicyListsNoMessage() {
        String whole = "gone; held: 90 of 100 bound pods broke a rule: holdfast.dev/acknowledge=open@k0";

        assertThat(ids(heldBy("VolumeBreaker", "a", whole), heldBy("VolumeBreaker", "b", "gone, and...")))
                .containsExactly("open@k0");
    }

    private static List<String> ids(JsonNode... policies) {
        RememberedBrakes brakes = read(policies).ledger().brakes();
        return Stream.of(
                        brakes.volume().stream(),
                        brakes.volumes().stream().map(RememberedBrakes.NamespaceOpening::opening),
                        brakes.streaks().stream().flatMap(one -> one.opening().stream()),
                        brakes.labels().stream().map(RememberedBrakes.LabelOpening::opening))
                .flatMap(openings -> openings)
                .map(Opening::id)
                .toList();
    }

    private static RememberedBrakes.Changed came(String node, String value) {
        return new RememberedBrakes.Changed(
                "disk", node, value, NOON, Optional.of(true), Optional.of(List.of("", "shop")));
    }

    private static RememberedBrakes.Changed left(String node, String value) {
        return new RememberedBrakes.Changed("disk", node, value, NOON, Optional.empty(), Optional.empty());
    }

    static Stream<Arguments> lost() {
        return Stream.of(
                argumentSet(
                        "of a label that left nodes, each node without it counts",
                        "label disk left 6 of 10 nodes in 5 s; probably",
                        List.of(left("n3", ""))),
                argumentSet(
                        "of a value that left nodes, each node without the value counts",
                        "label disk=ssd left 6 of 10 nodes in 5 s; probably",
                        List.of(left("n2", "ssd"), left("n3", "ssd"))),
                argumentSet(
                        "of a value that came to nodes, each node with the value counts",
                        "label disk=hdd came to 6 of 10 nodes in 5 s and broke rules there; probably",
                        List.of(came("n2", "hdd"))),
                argumentSet(
                        "of a label that came to nodes, each node with it counts",
                        "label disk came to 6 of 10 nodes in 5 s and broke rules there; probably",
                        List.of(came("n1", "ssd"), came("n2", "hdd"))));
    }

    @ParameterizedTest
    @MethodSource
    void lost(String message, List<RememberedBrakes.Changed> lost) {
        StatusLedger read = read(policy("""
            holds: [{reason: LabelBreaker, count: 2}],
            violations: [{reason: LabelBreaker, message: "a rule; held: %s"}]\
            """.formatted(message)), clusterPolicy("""
                holds: [{reason: LabelBreaker, count: 2}],
                violations: [{namespace: a, reason: LabelBreaker, message: "a rule; held: %s"}]\
                """.formatted(message)));

        assertThat(read.ledger().brakes().lost()).isEqualTo(lost);
        assertThat(read.ledger().brakes().labels())
                .containsExactly(
                        new RememberedBrakes.LabelOpening("disk", Optional.empty(), new Opening("ID", message), NOON),
                        new RememberedBrakes.LabelOpening(
                                "disk", Optional.of("shop"), new Opening("ID", message), NOON));
        assertThat(read.breakers()).isEqualTo(2);
    }

    @Test
    void aLabelBreakerWhoseLabelIsNotNamedIsLeftOutByName() {
        StatusLedger read = read(policy("""
            holds: [{reason: LabelBreaker, count: 2}],
            violations: [{reason: LabelBreaker, message: "a rule; held: label disk..."}]\
            """));

        assertThat(read.unnamed()).containsExactly(KEEP);
        assertThat(read.breakers()).isZero();
    }
}
