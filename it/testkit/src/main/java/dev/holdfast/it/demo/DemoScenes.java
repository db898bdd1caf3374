package dev.holdfast.it.demo;

import static dev.holdfast.it.scenario.StageDefaults.ON_SSD;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.demo.DemoScene.Cast;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.operator.offline.demo.Scene;
import dev.holdfast.operator.offline.demo.Scene.Ending;
import java.util.List;

/** The scenes of the demo: a violation of each kind of rule, a violation that heals in time and one that is held. */
final class DemoScenes {
    private static final String POLICY = """
        mode: Enforce
        podSelector: {matchLabels: {app: web}}
        forgivenessSeconds: 10
        limits: {minReplicas: 0}
        """;

    private static final String NEAR_CACHE = """
        affinity:
          podAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - {labelSelector: {matchLabels: {app: cache}}, topologyKey: zone}
        """;

    private static final String APART = """
        affinity:
          podAntiAffinity:
            requiredDuringSchedulingIgnoredDuringExecution:
            - {labelSelector: {matchLabels: {app: web}}, topologyKey: zone}
        """;

    private static final String EVEN = """
        topologySpreadConstraints:
        - {maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchLabels: {app: web}}}
        """;

    private DemoScenes() {}

    /** Waits until all nodes of a stage are schedulable: otherwise a domain may be without a node for a moment. */
    private static Stage opened(Stage stage) {
        await("nodes of " + stage.namespace() + " are schedulable")
                .atMost(TimeLimits.STATE)
                .until(stage::nodesAreOpen);
        return stage;
    }

    private static void nothing(Stage stage) {}

    private static Cast web(int pods) {
        return new Cast("web", pods, List.of());
    }

    static List<DemoScene> all() {
        return List.of(
                new DemoScene(
                        new Scene(
                                "node-affinity",
                                "web requires disk=ssd, and node n1 changes to disk=hdd",
                                new Ending.Moved(1, "n2")),
                        web(1),
                        stage -> stage.node("n1", "disk=ssd")
                                .node("n2", "disk=hdd")
                                .deployment("web", 1, ON_SSD)
                                .policy(POLICY),
                        stage -> stage.label("n2", "disk", "ssd").label("n1", "disk", "hdd"),
                        DemoScenes::nothing),
                new DemoScene(
                        new Scene(
                                "pod-affinity",
                                "web must run in the zone of cache, and cache moves to zone b",
                                new Ending.Moved(1, "b1")),
                        new Cast("web", 1, List.of("cache")),
                        stage -> stage.node("a1", "zone=a")
                                .node("b1", "zone=b")
                                .deployment("cache", 1, "nodeSelector: {pool: $NS, zone: a}")
                                .deployment("web", 1, NEAR_CACHE)
                                .policy(POLICY),
                        stage -> stage.deployment("cache", 1, "nodeSelector: {pool: $NS, zone: b}"),
                        DemoScenes::nothing),
                new DemoScene(
                        new Scene(
                                "pod-anti-affinity",
                                "no two pods of web in one zone, and node b1 changes from zone b to a",
                                new Ending.Moved(1, "c1")),
                        web(2),
                        stage -> stage.node("a1", "zone=a")
                                .node("b1", "zone=b")
                                .deployment("web", 2, APART)
                                .policy(POLICY),
                        stage -> stage.node("c1", "zone=c").label("b1", "zone", "a"),
                        DemoScenes::nothing),
                new DemoScene(
                        new Scene(
                                "topology-spread",
                                "web spreads over zones, and node b1 changes from zone b to a",
                                new Ending.Moved(2, "b2")),
                        web(4),
                        stage -> stage.node("a1", "zone=a")
                                .node("b1", "zone=b")
                                .deployment("web", 4, EVEN)
                                .policy(POLICY),
                        stage -> opened(stage.node("b2", "zone=b")).label("b1", "zone", "a"),
                        DemoScenes::nothing),
                new DemoScene(
                        new Scene(
                                "healed",
                                "web requires disk=ssd, and node n1 has another value for 5 seconds",
                                new Ending.Healed()),
                        web(1),
                        stage -> stage.node("n1", "disk=ssd")
                                .deployment("web", 1, ON_SSD)
                                .policy(POLICY),
                        stage -> stage.label("n1", "disk", "unknown"),
                        stage -> stage.label("n1", "disk", "ssd")),
                new DemoScene(
                        new Scene(
                                "held",
                                "web requires disk=ssd, n1 changes to disk=hdd, and no other node has disk=ssd",
                                new Ending.Held("Infeasible")),
                        web(1),
                        stage -> stage.node("n1", "disk=ssd")
                                .node("n2", "disk=hdd")
                                .deployment("web", 1, ON_SSD)
                                .policy(POLICY),
                        stage -> stage.label("n1", "disk", "hdd"),
                        DemoScenes::nothing));
    }
}
