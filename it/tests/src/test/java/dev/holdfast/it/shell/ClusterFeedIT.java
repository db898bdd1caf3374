package dev.holdfast.it.shell;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.controlplane.SharedControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.operator.api.ClusterReader;
import dev.holdfast.operator.feed.ClusterFeed;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionBudget;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Requirement;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Collectors;
import org.awaitility.core.ConditionFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * {@link ClusterFeed}, the operator's watches, delivers the state of the API server, and notices when changes may have
 * been missed.
 */
@ExtendWith(SharedControlPlane.class)
@Execution(ExecutionMode.CONCURRENT)
class ClusterFeedIT {
    private final ControlPlane controlPlane;
    private final FeedCollector feedCollector = new FeedCollector();

    ClusterFeedIT(ControlPlane controlPlane) {
        this.controlPlane = controlPlane;
    }

    @Test
    void factsAreWhatTheApiServerSays() {
        try (KubernetesClient client = client(controlPlane.config());
                ClusterFeed feed = feed(controlPlane.config());
                ClusterReader reader = new ClusterReader(controlPlane.config())) {
            Stage stage = Stage.open(client, "feed-facts")
                    .node("n1", "disk=ssd")
                    .deployment("web", 2, "")
                    .budget("web", "web", 1);
            eventually().until(() -> stage.running("web").size() == 2);

            feed.start();

            eventually().until(() -> feedCollector.synced().equals(FeedCollector.ALL));
            eventually()
                    .until(() -> versions(feedCollector.podsIn("feed-facts")).equals(versionsIn(client, "feed-facts")));
            Pod pod = feedCollector.podsIn("feed-facts").getFirst();
            assertThat(pod.nodeName()).contains("feed-facts-n1");
            assertThat(pod.scheduling().nodeSelector()).isEqualTo(Labels.of("pool", "feed-facts"));
            assertThat(pod.life().phase()).isEqualTo(Phase.RUNNING);
            assertThat(pod.life().ready()).isTrue();
            assertOwnedByItsDeployment(pod);
            assertThat(feedCollector
                            .node("feed-facts-n1")
                            .orElseThrow()
                            .labels()
                            .get("disk"))
                    .contains("ssd");
            assertThat(feedCollector.namespace("feed-facts").orElseThrow().labels())
                    .isEqualTo(Labels.of("kubernetes.io/metadata.name", "feed-facts"));
            eventually()
                    .until(() -> feedCollector.budgetsIn("feed-facts").stream()
                            .map(DisruptionBudget::disruptionsAllowed)
                            .toList()
                            .equals(List.of(1)));
            assertThat(feedCollector.budgetsIn("feed-facts"))
                    .extracting(DisruptionBudget::selector)
                    .containsExactly(Optional.of(new LabelSelector(Labels.of("app", "web"), List.of())));

            // Retries: another client may update the node in between.
            eventually()
                    .untilAsserted(() -> assertThat(reader.confirm(new Effect.Confirm(
                                    "p",
                                    pod.name(),
                                    "feed-facts-n1",
                                    List.of(new NamespacedName("feed-facts", "nobody")))))
                            .isEqualTo(new Event.Confirmed(
                                    "p", Optional.of(pod), feedCollector.node("feed-facts-n1"), List.of())));
            eventually()
                    .untilAsserted(() -> assertThat(reader.confirm(new Effect.Confirm(
                                    "p",
                                    new NamespacedName("feed-facts", "nobody"),
                                    "no-such-node",
                                    List.of(pod.name()))))
                            .isEqualTo(new Event.Confirmed("p", Optional.empty(), Optional.empty(), List.of(pod))));
            // The API server reads every operator of the selector.
            LabelSelector selector = new LabelSelector(
                    pod.labels(),
                    List.of(
                            new Requirement("absent", "DoesNotExist", List.of()),
                            new Requirement("absent", "NotIn", List.of("a", "")),
                            new Requirement(pod.labels().key(0), "Exists", List.of())));
            Effect.Confirm counting = new Effect.Confirm(
                    "p",
                    new NamespacedName("feed-facts", "nobody"),
                    "no-such-node",
                    List.of(),
                    Set.of(),
                    Optional.of(new Effect.Counted(Optional.of("feed-facts"), selector)));
            eventually()
                    .untilAsserted(() -> assertThat(reader.confirm(counting))
                            .isInstanceOfSatisfying(Event.Confirmed.class, confirmed -> {
                                Event.CountedPods counted = confirmed.counted().orElseThrow();
                                assertThat(counted.complete()).isTrue();
                                assertThat(counted.pods())
                                        .containsExactlyInAnyOrderElementsOf(feedCollector.podsIn("feed-facts"));
                            }));
        }
    }

    @Test
    void feedsThatHaveDeliveredEverythingAreProvedCurrentEvenIfTheirKindIsQuiet() {
        try (ClusterFeed feed = feed(controlPlane.config())) {
            feed.start();
            eventually().until(() -> feedCollector.synced().equals(FeedCollector.ALL));
            Event read = new Event.Confirmed("p", Optional.empty(), Optional.empty(), List.of());
            Effect.Confirm request = new Effect.Confirm(
                    "p",
                    new NamespacedName("default", "nobody"),
                    "no-such-node",
                    List.of(),
                    Set.of(View.PODS, View.NODES, View.NAMESPACES),
                    Optional.empty());

            eventually()
                    .untilAsserted(
                            () -> assertThat(feed.checkedByFeeds(_ -> read).apply(request))
                                    .isSameAs(read));
        }
    }

    private void assertOwnedByItsDeployment(Pod pod) {
        Controller replicaSet = pod.victimProtection().controller().orElseThrow();
        Owner owner = feedCollector.owner(pod.namespace(), replicaSet.uid()).orElseThrow();
        assertThat(replicaSet.kind()).isEqualTo("ReplicaSet");
        assertThat(owner.replicas()).isEqualTo(OptionalInt.of(2));
        assertThat(owner.controller().map(Controller::kind)).contains("Deployment");
    }

    @Test
    void changesMissedWhileTheConnectionWasCutAreMadeUpForBeforeTheViewIsBack() {
        try (TcpGate gate = new TcpGate(URI.create(controlPlane.config().getMasterUrl()));
                KubernetesClient client = client(controlPlane.config());
                ClusterFeed feed = feed(through(gate))) {
            Stage stage = Stage.open(client, "feed-gap").node("n1", "disk=ssd").node("n2");
            eventually()
                    .until(() -> client.serviceAccounts()
                                    .inNamespace("feed-gap")
                                    .withName("default")
                                    .get()
                            != null);
            String gone = stage.bare("gone", "n1", "app: a").getMetadata().getUid();
            String before = stage.bare("again", "n1", "app: a").getMetadata().getUid();
            feed.start();
            eventually().until(() -> feedCollector.synced().equals(FeedCollector.ALL));
            assertThat(feedCollector.podsIn("feed-gap")).extracting(Pod::uid).containsExactlyInAnyOrder(gone, before);

            gate.shut();
            eventually()
                    .until(() -> feedCollector.lost().keySet().equals(FeedCollector.ALL)
                            && feedCollector.lost().values().stream()
                                    .allMatch(why -> why.startsWith("cannot reach the API server to list ")));
            delete(client, "gone");
            delete(client, "again");
            String after = stage.bare("again", "n2", "app: b").getMetadata().getUid();
            stage.label("n1", "disk", "hdd");
            client.nodes().withName(stage.nodeName("n2")).delete();
            feedCollector.newFacts();
            gate.open();
            eventually().until(() -> feedCollector.synced().equals(FeedCollector.ALL));

            assertThat(feedCollector.podsIn("feed-gap")).extracting(Pod::uid).containsExactly(after);
            assertThat(feedCollector.node(stage.nodeName("n2"))).isEmpty();
            assertThat(feedCollector
                            .node(stage.nodeName("n1"))
                            .orElseThrow()
                            .labels()
                            .get("disk"))
                    .contains("hdd");
            assertThat(feedCollector.newFacts())
                    .contains(
                            new ClusterEvent.PodGone(gone),
                            new ClusterEvent.PodGone(before),
                            new ClusterEvent.NodeGone(stage.nodeName("n2")));
        }
    }

    @Test
    void aCutConnectionThatIsOpenAtOnceAgainLosesNothing() {
        try (TcpGate gate = new TcpGate(URI.create(controlPlane.config().getMasterUrl()));
                KubernetesClient client = client(controlPlane.config());
                ClusterFeed feed = feed(through(gate))) {
            Stage stage = Stage.open(client, "feed-blip").node("n1", "step=0");
            feed.start();
            eventually().until(() -> feedCollector.synced().equals(FeedCollector.ALL));

            for (int step = 1; step <= 5; step++) {
                gate.shut();
                gate.open();
                stage.label("n1", "step", Integer.toString(step));
                String expected = Integer.toString(step);
                eventually()
                        .until(() -> feedCollector
                                        .node(stage.nodeName("n1"))
                                        .orElseThrow()
                                        .labels()
                                        .has("step", expected)
                                && feedCollector.synced().equals(FeedCollector.ALL));
            }
        }
    }

    @Test
    void anApiServerThatFallsSilentIsNoticedThoughTheConnectionStands() {
        try (TcpGate gate = new TcpGate(URI.create(controlPlane.config().getMasterUrl()));
                ClusterFeed feed = feed(through(gate))) {
            feed.start();
            eventually().until(() -> feedCollector.synced().equals(FeedCollector.ALL));

            gate.freeze();

            // After 90 s without any data.
            eventually().until(() -> feedCollector.lost().keySet().equals(FeedCollector.ALL));
        }
    }

    @Test
    void anApiServerThatRestartsIsWaitedFor() {
        try (ControlPlane own = ControlPlane.start();
                KubernetesClient client = client(own.config());
                ClusterFeed feed = feed(own.config())) {
            Stage stage = Stage.open(client, "feed-restart").node("n1", "disk=ssd");
            feed.start();
            eventually().until(() -> feedCollector.synced().equals(FeedCollector.ALL));

            own.stop(Program.KUBE_APISERVER);
            eventually().until(() -> feedCollector.lost().keySet().equals(FeedCollector.ALL));
            own.restart(Program.KUBE_APISERVER);
            stage.label("n1", "disk", "hdd");

            eventually()
                    .until(() -> feedCollector.synced().equals(FeedCollector.ALL)
                            && feedCollector
                                    .node(stage.nodeName("n1"))
                                    .orElseThrow()
                                    .labels()
                                    .has("disk", "hdd"));
        }
    }

    @Test
    void aMissingRightIsNamed() {
        Config withoutRights = new ConfigBuilder(controlPlane.config())
                .withImpersonateUsername("nobody")
                .build();
        try (ClusterFeed feed = feed(withoutRights);
                ClusterReader reader = new ClusterReader(withoutRights)) {
            feed.start();

            eventually().until(() -> feedCollector.lost().keySet().equals(FeedCollector.ALL));
            eventually()
                    .untilAsserted(() -> assertThat(feedCollector.lost())
                            .containsEntry(View.PODS, "the right to list pods is missing: grant it to User \"nobody\"")
                            .containsEntry(
                                    View.BUDGETS,
                                    "the right to list poddisruptionbudgets.policy is missing: grant it to User"
                                            + " \"nobody\""));
            assertThat(feedCollector.synced()).isEmpty();
            assertThat(reader.confirm(new Effect.Confirm("p", new NamespacedName("default", "a"), "n1", List.of())))
                    .isInstanceOfSatisfying(
                            Event.ConfirmFailed.class,
                            failed -> assertThat(failed.message())
                                    .isEqualTo(
                                            "the right to get pods and nodes is missing: grant it to User \"nobody\""));
        }
    }

    private ClusterFeed feed(Config connection) {
        return new ClusterFeed(connection, InstantSource.system(), feedCollector, (_, death) -> {
            throw new AssertionError(death);
        });
    }

    private Config through(TcpGate gate) {
        return new ConfigBuilder(controlPlane.config())
                .withMasterUrl(gate.url())
                .build();
    }

    private static KubernetesClient client(Config config) {
        return new KubernetesClientBuilder().withConfig(config).build();
    }

    private static void delete(KubernetesClient client, String pod) {
        client.pods().inNamespace("feed-gap").withName(pod).withGracePeriod(0).delete();
        eventually()
                .until(() -> client.pods().inNamespace("feed-gap").withName(pod).get() == null);
    }

    private static Map<String, Long> versions(List<Pod> pods) {
        return pods.stream().collect(Collectors.toMap(Pod::uid, Pod::resourceVersion));
    }

    private static Map<String, Long> versionsIn(KubernetesClient client, String namespace) {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .map(HasMetadata::getMetadata)
                .collect(Collectors.toMap(it -> it.getUid(), it -> Long.parseLong(it.getResourceVersion())));
    }

    private static ConditionFactory eventually() {
        return await().atMost(TimeLimits.STATE).pollInterval(Duration.ofMillis(50));
    }
}
