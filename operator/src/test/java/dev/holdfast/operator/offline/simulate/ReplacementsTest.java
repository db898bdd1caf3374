package dev.holdfast.operator.offline.simulate;

import static dev.holdfast.policies.testing.Changes.quotaChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetChanged;
import static dev.holdfast.policies.testing.Changes.replicaSetFails;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static dev.holdfast.policies.testing.PodTraits.phase;
import static dev.holdfast.policies.testing.PodTraits.satisfying;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.offline.simulate.object.Assumptions;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodSecurityLevel;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.StatefulSetRevisions;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.Facts;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * What controllers create in a simulation in place of pods that are gone. Pod {@code web-2} is deleted. One second
 * later its replacement is bound to node {@code n1}, and 20 s after that it is Ready.
 */
class ReplacementsTest {
    private static final Instant START = Instant.parse("2026-11-26T12:00:00Z");
    private static final PodCreation ORDERED = new PodCreation(false, false, true);
    private static final PodCreation SUSPENDED = new PodCreation(false, true, false);
    private static final PodCreation DELETED = new PodCreation(true, false, false);
    private static final Change DELETE = new Change.DeletePod(new NamespacedName(Facts.NAMESPACE, "web-2"));

    private static ClusterEvent owner(String kind, PodCreation creation) {
        return owner(kind, creation, new StatefulSetRevisions(true, false, 0, 0, "one", "one"));
    }

    private static ClusterEvent owner(String kind, PodCreation creation, StatefulSetRevisions revisions) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "web",
                kind,
                new NamespacedName(Facts.NAMESPACE, "web"),
                Optional.empty(),
                OptionalInt.of(3),
                DisruptionAnnotations.none(),
                kind.equals("StatefulSet") ? Optional.of(revisions) : Optional.empty(),
                creation));
    }

    /** {@return three pods of a controller, web-0 to web-2} */
    private static ClusterBuilder web(String kind, ClusterEvent... objects) {
        ClusterBuilder builder = cluster().node("n1");
        List.of(objects).forEach(builder::with);
        for (int i = 0; i < 3; i++) {
            builder.pod(
                    "web-" + i,
                    on("n1"),
                    ownedBy(kind, "web", "web"),
                    labels(StatefulSetRevisions.LABEL, "one"),
                    satisfying(PodSecurityLevel.BASELINE));
        }
        return builder;
    }

    private static Simulation simulation(ClusterBuilder builder) {
        return new Simulation(
                OperatorConfig.defaults().engineSettings(),
                new SimulationInput(builder.facts(), List.of(), List.of()),
                Mode.ENFORCE,
                Assumptions.defaults(),
                START);
    }

    private static String name(Pod pod) {
        return pod.name().name();
    }

    /** {@return the names of the pods, sorted} */
    private static List<String> pods(Simulation simulation) {
        return simulation.cluster().pods().stream()
                .map(ReplacementsTest::name)
                .sorted()
                .toList();
    }

    /** {@return why pods are missing, as text; empty if none is} */
    private static String missing(Simulation simulation) {
        return String.join("; ", simulation.missing().values());
    }

    private static Arguments none(String name, ClusterBuilder builder, String why) {
        return argumentSet(name, builder, List.of("web-0", "web-1"), why);
    }

    private static Arguments replaced(String name, ClusterBuilder builder, String replacement) {
        return argumentSet(name, builder, List.of("web-0", "web-1", replacement), "");
    }

    static Stream<Arguments> controllers() {
        return Stream.of(
                replaced("a ReplicaSet", web("ReplicaSet", replicaSetChanged("web", "web", 3)), "web-2-new"),
                replaced("a StatefulSet", web("StatefulSet", owner("StatefulSet", ORDERED)), "web-2"),
                replaced("a ReplicationController, which is not watched", web("ReplicationController"), "web-2-new"),
                none(
                        "a ReplicaSet that is being deleted",
                        web("ReplicaSet", owner("ReplicaSet", DELETED)),
                        "its controller ReplicaSet web is being deleted"),
                none(
                        "a suspended Job",
                        web("Job", owner("Job", SUSPENDED)),
                        "its controller Job web is suspended and creates no pods (spec.suspend)"),
                none(
                        "a controller of an unknown kind",
                        web("CloneSet"),
                        "Holdfast does not know whether its controller CloneSet web would create another pod"),
                none(
                        "OrderedReady, and a pod before it is not Ready",
                        web("StatefulSet", owner("StatefulSet", ORDERED))
                                .pod("web-1", on("n1"), ownedBy("StatefulSet", "web", "web"), phase(Phase.PENDING)),
                        "StatefulSet web creates its pods in order, and would not create this one again before pod"
                                + " web-1 is Ready"),
                none(
                        "a namespace that enforces a stricter level than the pod satisfies",
                        web("StatefulSet", owner("StatefulSet", ORDERED))
                                .namespace(Facts.NAMESPACE, labels(PodSecurityLevel.ENFORCE, "restricted")),
                        "the API server would refuse the replacement: the label pod-security.kubernetes.io/enforce of"
                                + " namespace shop enforces restricted, and the pod satisfies baseline at most"),
                replaced(
                        "a quota that is just full",
                        web("ReplicaSet", replicaSetChanged("web", "web", 3), quotaChanged("all", "pods", 3, 3)),
                        "web-2-new"),
                none(
                        "a quota that is exceeded",
                        web("ReplicaSet", replicaSetChanged("web", "web", 3), quotaChanged("all", "pods", 2, 3)),
                        "ResourceQuota all would refuse the replacement: it allows 2 of pods, and 3 are used"),
                none(
                        "a ReplicaSet with the condition ReplicaFailure",
                        web("ReplicaSet", replicaSetFails("web", "web", 3, "a webhook is down")),
                        "ReplicaSet shop/web cannot create pods (condition ReplicaFailure): a webhook is down"));
    }

    @ParameterizedTest
    @MethodSource("controllers")
    void aPodIsReplacedIfItsControllerCreatesOneAndTheApiServerAdmitsIt(
            ClusterBuilder builder, List<String> pods, String why) {
        Simulation simulation = simulation(builder);

        simulation.make(DELETE);
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(pods(simulation)).isEqualTo(pods);
        assertThat(missing(simulation)).isEqualTo(why);
    }

    private static Arguments comes(String name, ClusterBuilder builder, Change change) {
        return argumentSet(name, builder, change);
    }

    static Stream<Arguments> hindrances() {
        return Stream.of(
                comes(
                        "the pod before it is Ready again",
                        web("StatefulSet", owner("StatefulSet", ORDERED))
                                .pod("web-1", on("n1"), ownedBy("StatefulSet", "web", "web"), phase(Phase.PENDING)),
                        new Change.RepairPod(new NamespacedName(Facts.NAMESPACE, "web-1"))),
                comes(
                        "a Job goes on",
                        web("Job", owner("Job", SUSPENDED)),
                        new Change.AddObjects(List.of(owner("Job", PodCreation.atOnce())))),
                comes(
                        "the condition ReplicaFailure is gone",
                        web("ReplicaSet", replicaSetFails("web", "web", 3, "a webhook is down")),
                        new Change.AddObjects(List.of(replicaSetChanged("web", "web", 3)))),
                comes(
                        "the quota has room",
                        web("ReplicaSet", replicaSetChanged("web", "web", 3), quotaChanged("all", "pods", 2, 3)),
                        new Change.AddObjects(List.of(quotaChanged("all", "pods", 3, 3)))),
                comes(
                        "the namespace enforces no level any more",
                        web("ReplicaSet", replicaSetChanged("web", "web", 3))
                                .namespace(Facts.NAMESPACE, labels(PodSecurityLevel.ENFORCE, "restricted")),
                        new Change.AddObjects(List.of(
                                new ClusterEvent.NamespaceChanged(Facts.namespace(Facts.NAMESPACE, labels()))))));
    }

    @ParameterizedTest
    @MethodSource("hindrances")
    void aMissingPodComesWhenNothingHindersItsController(ClusterBuilder builder, Change change) {
        Simulation simulation = simulation(builder);
        simulation.make(DELETE);
        simulation.advanceTo(Duration.ofMinutes(10));
        assertThat(pods(simulation)).containsExactly("web-0", "web-1");

        simulation.make(change);
        simulation.advanceTo(Duration.ofMinutes(11));

        assertThat(pods(simulation)).hasSize(3);
        assertThat(simulation.missing()).isEmpty();
    }

    private static ClusterEvent quota(int pods, Map<String, BigDecimal> used) {
        return new ClusterEvent.QuotaChanged(new ResourceQuota(
                "all",
                new NamespacedName(Facts.NAMESPACE, "all"),
                Set.of(),
                Map.of("pods", BigDecimal.valueOf(pods)),
                used));
    }

    private static Change scaled(int replicas) {
        return new Change.Scale("ReplicaSet", new NamespacedName(Facts.NAMESPACE, "web"), replicas, List.of());
    }

    static Stream<Arguments> scales() {
        Map<String, BigDecimal> three = Map.of("pods", BigDecimal.valueOf(3));
        return Stream.of(
                argumentSet(
                        "a quota of 4 pods, of which 3 are used: one of two further pods comes",
                        quota(4, three),
                        List.of(scaled(5)),
                        4,
                        "ResourceQuota all would refuse the pod: it allows 4 of pods, 4 are used, and the pod needs 1"),
                argumentSet("a quota of 5 pods, of which 3 are used", quota(5, three), List.of(scaled(5)), 5, ""),
                argumentSet(
                        "a quota of 3 pods, and two pods go before two others come",
                        quota(3, three),
                        List.of(scaled(1), scaled(3)),
                        3,
                        ""),
                argumentSet(
                        "a quota of 3 pods, which is raised to 5 later",
                        quota(3, three),
                        List.of(scaled(5), new Change.AddObjects(List.of(quota(5, three)))),
                        5,
                        ""),
                argumentSet(
                        "a quota of 3 pods, whose status was never written",
                        quota(3, Map.of()),
                        List.of(scaled(4)),
                        3,
                        "ResourceQuota all would refuse the pod: it allows 3 of pods, 3 are used, and the pod needs 1"),
                argumentSet(
                        "a quota of 2 pods, of which 3 are used: one pod comes after two have gone",
                        quota(2, three),
                        List.of(scaled(1), scaled(3)),
                        2,
                        "ResourceQuota all would refuse the pod: it allows 2 of pods, 2 are used, and the pod needs"
                                + " 1"));
    }

    @ParameterizedTest
    @MethodSource("scales")
    void aQuotaCountsThePodsOfAWorkloadThatGrows(
            ClusterEvent quota, List<Change> changes, int pods, String whyMissing) {
        Simulation simulation = simulation(web("ReplicaSet", replicaSetChanged("web", "web", 3), quota));

        for (Change change : changes) {
            assertThat(simulation.make(change)).isEmpty();
            simulation.advanceTo(Duration.ofMinutes(1));
        }

        assertThat(pods(simulation)).hasSize(pods);
        assertThat(missing(simulation)).isEqualTo(whyMissing);
    }

    /** No controller creates another pod in place of a bare one, so none is missing. */
    @Test
    void aPodWithoutAControllerIsNotMissing() {
        Simulation simulation = simulation(cluster().node("n1").pod("web-2", on("n1")));

        simulation.make(DELETE);
        simulation.advanceTo(Duration.ofHours(1));

        assertThat(pods(simulation)).isEmpty();
        assertThat(simulation.missing()).isEmpty();
    }

    static Stream<Arguments> revisions() {
        return Stream.of(
                argumentSet("no roll-out", new StatefulSetRevisions(true, false, 0, 0, "one", "one"), "one"),
                argumentSet("OnDelete", new StatefulSetRevisions(true, true, 0, 0, "one", "two"), "two"),
                argumentSet(
                        "the partition has not reached it",
                        new StatefulSetRevisions(true, false, 3, 0, "one", "two"),
                        "one"),
                argumentSet(
                        "the partition has reached it",
                        new StatefulSetRevisions(true, false, 2, 0, "one", "two"),
                        "two"),
                argumentSet(
                        "the status does not say", new StatefulSetRevisions(false, false, 0, 0, "one", "two"), "one"));
    }

    @ParameterizedTest
    @MethodSource("revisions")
    void thePodOfAStatefulSetIsOfTheRevisionThatItsControllerTakes(StatefulSetRevisions revisions, String expected) {
        Simulation simulation = simulation(web("StatefulSet", owner("StatefulSet", ORDERED, revisions)));

        simulation.make(DELETE);
        simulation.advanceTo(Duration.ofMinutes(1));

        assertThat(simulation.cluster().pods())
                .filteredOn(pod -> name(pod).equals("web-2"))
                .extracting(pod -> pod.labels().get(StatefulSetRevisions.LABEL).orElse(""))
                .containsExactly(expected);
    }
}
