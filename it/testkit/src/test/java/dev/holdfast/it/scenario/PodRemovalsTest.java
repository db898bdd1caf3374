package dev.holdfast.it.scenario;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.it.controlplane.AuditRecord;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The audit log proves that Holdfast moved a pod, and that no other user did. */
class PodRemovalsTest {
    private static final String OPERATOR = "system:serviceaccount:holdfast:holdfast";
    private static final String CONTROLLER = "system:serviceaccount:kube-system:replicaset-controller";
    private static final Pod WEB_1 = pod("web-1", "u1");
    private static final Pod WEB_2 = pod("web-2", "u2");

    private static Pod pod(String name, String uid) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withUid(uid)
                .endMetadata()
                .build();
    }

    private static AuditRecord record(String user, String verb, String pod, String uid, Map<String, String> why) {
        return new AuditRecord(
                Instant.EPOCH,
                user,
                "",
                verb,
                "",
                "pods",
                verb.equals("create") ? "eviction" : "",
                "shop",
                pod,
                uid,
                AuditRecord.Effect.REAL,
                201,
                why);
    }

    private static Map<String, String> why() {
        return Map.of(
                "holdfast.dev/plan", "p1",
                "holdfast.dev/policy", "shop/keep",
                "holdfast.dev/rule", "NodeAffinity",
                "holdfast.dev/cause", "label disk of node n1 changed ssd -> hdd",
                "holdfast.dev/since", "2026-11-20T15:00:00Z");
    }

    private static Map<String, String> whyBut(String key, String value) {
        Map<String, String> why = new TreeMap<>(why());
        why.put("holdfast.dev/" + key, value);
        return why;
    }

    private static Map<String, String> whyWithout(String key) {
        Map<String, String> why = new TreeMap<>(why());
        why.remove("holdfast.dev/" + key);
        return why;
    }

    private static AuditRecord eviction(String pod, String uid) {
        return record(OPERATOR, "create", pod, uid, why());
    }

    private static AuditRecord deletion(String user, String pod) {
        return record(user, "delete", pod, "", Map.of());
    }

    private static PodRemovals expected(Pod... pods) {
        return PodRemovals.evicted(
                List.of(pods), OPERATOR, "shop/keep", "NodeAffinity", "label disk of node n1 changed ssd -> hdd");
    }

    @Test
    void evictionsInAnyOrderThatTheNodesFinishAreAsExpected() {
        PodRemovals seen = PodRemovals.of(
                List.of(eviction("web-2", "u2"), eviction("web-1", "u1")),
                List.of(deletion("kwok", "web-1"), deletion("kwok", "web-2"), deletion("kwok", "web-2")));

        assertThat(seen).isEqualTo(expected(WEB_1, WEB_2));
    }

    @Test
    void aDeletionByAControllerIsToldOnceWithItsUserAndNotThatTheNodeFinishedIt() {
        PodRemovals seen = PodRemovals.of(
                List.of(eviction("web-1", "u1")),
                List.of(
                        deletion("kwok", "web-1"),
                        deletion(CONTROLLER, "web-2"),
                        deletion(CONTROLLER, "web-2"),
                        deletion("kwok", "web-2")));

        assertThat(seen).isEqualTo(PodRemovals.scaledDown(List.of(WEB_2)).and(expected(WEB_1)));
    }

    static Stream<Arguments> notTheEvictionOfWeb1() {
        AuditRecord right = eviction("web-1", "u1");
        List<AuditRecord> none = List.of();
        return Stream.of(
                argumentSet("nothing happened", none, none),
                argumentSet("an eviction of another pod", List.of(eviction("web-2", "u2")), none),
                argumentSet("one more pod", List.of(right, eviction("web-2", "u2")), none),
                argumentSet("the same pod twice", List.of(right, right), none),
                argumentSet("a request for another pod of that name", List.of(eviction("web-1", "u9")), none),
                argumentSet("a request for any pod of that name", List.of(eviction("web-1", "")), none),
                argumentSet("by another user", List.of(record("admin", "create", "web-1", "u1", why())), none),
                argumentSet(
                        "for another policy",
                        List.of(record(OPERATOR, "create", "web-1", "u1", whyBut("policy", "shop/other"))),
                        none),
                argumentSet(
                        "for another rule",
                        List.of(record(OPERATOR, "create", "web-1", "u1", whyBut("rule", "PodAffinity"))),
                        none),
                argumentSet(
                        "for another cause",
                        List.of(record(OPERATOR, "create", "web-1", "u1", whyBut("cause", "node n1 was removed"))),
                        none),
                argumentSet(
                        "without a plan", List.of(record(OPERATOR, "create", "web-1", "u1", whyWithout("plan"))), none),
                argumentSet(
                        "with an empty since",
                        List.of(record(OPERATOR, "create", "web-1", "u1", whyBut("since", ""))),
                        none),
                argumentSet(
                        "with one more annotation",
                        List.of(record(OPERATOR, "create", "web-1", "u1", whyBut("mood", "bad"))),
                        none),
                argumentSet("deleted as well", List.of(right), List.of(deletion(CONTROLLER, "web-1"))),
                argumentSet("another pod deleted", List.of(right), List.of(deletion("admin", "web-2"))),
                argumentSet("all pods deleted", List.of(right), List.of(deletion("admin", ""))),
                argumentSet(
                        "a node that removes a pod without a prior eviction or deletion",
                        List.of(right),
                        List.of(deletion("kwok", "web-1"), deletion("kwok", "web-2"))));
    }

    @ParameterizedTest
    @MethodSource
    void notTheEvictionOfWeb1(List<AuditRecord> evictions, List<AuditRecord> deletions) {
        assertThat(PodRemovals.of(evictions, deletions)).isNotEqualTo(expected(WEB_1));
    }
}
