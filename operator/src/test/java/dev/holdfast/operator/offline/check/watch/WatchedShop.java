package dev.holdfast.operator.offline.check.watch;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import java.io.ByteArrayInputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** A watched cluster of texts: node n1 with an HDD and n2 with an SSD, and pods that want an SSD. */
final class WatchedShop {
    static final Instant START = Instant.parse("2026-11-20T12:00:00Z");

    static final String HDD = "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: hdd}}}";
    static final String SSD = "{apiVersion: v1, kind: Node, metadata: {name: n1, labels: {disk: ssd}}}";

    private static final String OBJECTS = """
        {apiVersion: v1, kind: Namespace, metadata: {name: shop}}
        ---
        {apiVersion: v1, kind: Node, metadata: {name: n2, labels: {disk: ssd}}}
        ---
        """;

    private WatchedShop() {}

    static String pod(String name, String node, String more) {
        return "{apiVersion: v1, kind: Pod, metadata: {namespace: shop, name: " + name + ", uid: uid-" + name
                + ", labels: {app: " + name + "}" + more + "}, spec: {nodeName: " + node
                + ", nodeSelector: {disk: ssd}}}";
    }

    static String policy(String name, String spec, String status) {
        return """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: %s}
            spec: {podSelector: {}, %s}
            status: {violations: [%s]}
            """.formatted(name, spec, status);
    }

    /** {@return the namespace, node n2, and some other objects} */
    static ReadCluster read(String... objects) {
        try {
            Dump dump = dump(OBJECTS + String.join("\n---\n", objects));
            List<Event.PolicyChanged> policies = new DumpedPolicies(
                            new PolicyTranslator(OperatorConfig.defaults().defaultForgiveness()))
                    .translateValid(dump.policies());
            return new ReadCluster(dump, policies, List.of(), dump.policies());
        } catch (DumpException e) {
            throw new AssertionError(e);
        }
    }

    private static Dump dump(String text) throws DumpException {
        return new DumpReader(_ -> {})
                .read(List.of(new DumpFile("shop", () -> new ByteArrayInputStream(text.getBytes(UTF_8)))));
    }

    static WatchedCluster watched(boolean ownRules, ReadCluster cluster) {
        return new WatchedCluster(
                cluster,
                new WatchedPods(
                        pod -> pod.labels().get("hidden").isEmpty(), List.of(), ownRules, OperatorConfig.defaults()),
                START);
    }

    /** {@return the change of an object that a watch delivers} */
    static ClusterEvent changed(String object) {
        try {
            return dump(object).objects().getFirst();
        } catch (DumpException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return the changes in few words: {@code BEGAN web-1: why}} */
    static List<String> words(List<ViolationChange> changes) {
        List<String> words = new ArrayList<>();
        changes.forEach(it -> words.add(it.event() + " " + it.violation().pod() + ": " + it.why()));
        return words;
    }
}
