package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
import static dev.holdfast.policies.testing.Changes.deploymentChanged;
import static dev.holdfast.policies.testing.Changes.nodeChanged;
import static dev.holdfast.policies.testing.Changes.podChanged;
import static dev.holdfast.policies.testing.Changes.podGone;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.marks;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests Holdfast annotations that are added and removed while a rule with a forgiveness of one minute is violated. */
class AnnotationsTest {
    private static final DisruptionAnnotations TWO_MINUTES = marks("holdfast.dev/forgiveness-seconds", "120");

    private static EngineScenario broken(PodTrait... traits) {
        return EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "ssd"))
                                .node("n2", labels("disk", "ssd"))
                                .pod("web", web(traits)),
                        enforcing())
                .happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    private static PodTrait[] web(PodTrait... traits) {
        return Stream.concat(
                        Stream.of(on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "web", "rs")),
                        Stream.of(traits))
                .toArray(PodTrait[]::new);
    }

    private static ClusterEvent namespace(DisruptionAnnotations disruptionAnnotations) {
        return new ClusterEvent.NamespaceChanged(new Namespace("shop", 1, Labels.none(), disruptionAnnotations));
    }

    @Test
    void aLongerForgivenessCountsFromWhenTheRuleBrokeAndNotASecondLess() {
        EngineScenario engineScenario =
                broken(annotated("holdfast.dev/forgiveness-seconds", "120")).afterSeconds(119);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void aLongerForgivenessThatComesWhileTheClockRunsLengthensIt() {
        EngineScenario engineScenario =
                broken().afterSeconds(59).happens(namespace(TWO_MINUTES)).afterSeconds(60);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void aPodWhoseLongerForgivenessIsTakenBackIsDueOneForgivenessAfterThat() {
        EngineScenario engineScenario = broken().happens(namespace(TWO_MINUTES)).afterSeconds(70);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.happens(namespace(DisruptionAnnotations.none())).afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    static Stream<Arguments> keeping() {
        return Stream.of(
                argumentSet("keep", "holdfast.dev/keep", "true"),
                argumentSet("keep until the next day", "holdfast.dev/keep-until", "2026-11-21T12:00:00Z"));
    }

    @ParameterizedTest
    @MethodSource("keeping")
    void aPodThatIsKeptNoMoreGoesOneForgivenessAfterThat(String annotation, String value) {
        EngineScenario engineScenario = broken(annotated(annotation, value)).afterSeconds(600);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.happens(podChanged("web", web())).afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void aPodGoesAtOnceWhenAnAnnotationForAnotherComponentIsTakenOff() {
        EngineScenario engineScenario = broken(annotated("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"))
                .afterSeconds(600);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.happens(podChanged("web", web())).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    @Test
    void aKeepUntilThatIsOverReleasesNothingWhenItIsTakenOff() {
        EngineScenario engineScenario = broken(annotated("holdfast.dev/keep-until", "2026-11-20T12:00:30Z"))
                .afterSeconds(40);

        engineScenario.happens(podChanged("web", web())).afterSeconds(20);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    private static final DisruptionAnnotations KEEP = marks("holdfast.dev/keep", "true");

    /** {@return a pod of a Deployment, on a node that lost the label that the pod needs} */
    private static EngineScenario brokenOfDeployment(
            DisruptionAnnotations ofDeployment, DisruptionAnnotations ofReplicaSet) {
        return EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "ssd"))
                                .node("n2", labels("disk", "ssd"))
                                .with(deploymentChanged("web", ofDeployment))
                                .with(revision(ofReplicaSet))
                                .pod("web", web()),
                        enforcing())
                .happens(nodeChanged("n1", labels("disk", "hdd")));
    }

    /** {@return the event of the ReplicaSet {@code rs} of Deployment {@code web}, which may be an old revision} */
    private static ClusterEvent revision(DisruptionAnnotations disruptionAnnotations) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "rs",
                "ReplicaSet",
                new NamespacedName("shop", "web-1"),
                Optional.of(new Controller("Deployment", "web", "deployment-web")),
                OptionalInt.of(1),
                disruptionAnnotations));
    }

    @Test
    void anAnnotationOfTheDeploymentKeepsPodsOfEveryRevision() {
        EngineScenario engineScenario =
                brokenOfDeployment(KEEP, DisruptionAnnotations.none()).afterSeconds(600);

        assertThat(engineScenario.evicted()).isEmpty();
        assertThat(engineScenario.heldBecause())
                .isEqualTo("annotation holdfast.dev/keep of Deployment shop/web forbids the eviction");
    }

    @Test
    void aCopyOnTheReplicaSetKeepsNothing() {
        EngineScenario engineScenario =
                brokenOfDeployment(DisruptionAnnotations.none(), KEEP).afterSeconds(60);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    @Test
    void anAnnotationThatIsTakenOffTheDeploymentIsGoneThoughItsCopyStays() {
        EngineScenario engineScenario = brokenOfDeployment(KEEP, KEEP).afterSeconds(600);

        engineScenario
                .happens(deploymentChanged("web", DisruptionAnnotations.none()))
                .afterSeconds(59);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void anAnnotationThatIsTakenOffAnotherDeploymentDelaysNothing() {
        EngineScenario engineScenario = brokenOfDeployment(DisruptionAnnotations.none(), DisruptionAnnotations.none())
                .happens(deploymentChanged("api", KEEP))
                .afterSeconds(59);

        engineScenario
                .happens(deploymentChanged("api", DisruptionAnnotations.none()))
                .afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    @Test
    void aCopyThatIsTakenOffTheReplicaSetDelaysNothing() {
        EngineScenario engineScenario =
                brokenOfDeployment(DisruptionAnnotations.none(), KEEP).afterSeconds(59);

        engineScenario.happens(revision(DisruptionAnnotations.none())).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    static Stream<Arguments> overrides() {
        return Stream.of(
                argumentSet("a policy that honors none", new PodOverrides(false, Optional.empty())),
                argumentSet(
                        "a policy that honored it for 20 s",
                        new PodOverrides(true, Optional.of(Duration.ofSeconds(20)))));
    }

    @ParameterizedTest
    @MethodSource("overrides")
    void anAnnotationThatDoesNotCountDelaysNothingWhenItIsTakenOff(PodOverrides overrides) {
        DisruptionControls controls = ControlsDraft.plain()
                .overrides(overrides)
                .limits(DisruptionControls.plain().limits())
                .controls();
        EngineScenario engineScenario = EngineScenario.begin(cluster()
                        .node("n1", labels("disk", "ssd"))
                        .node("n2", labels("disk", "ssd"))
                        .pod("web", web(annotated("holdfast.dev/keep", "true"))))
                .event(new Event.PolicyChanged(enforcing(), controls))
                .happens(nodeChanged("n1", labels("disk", "hdd")))
                .afterSeconds(30);

        engineScenario.happens(podChanged("web", web())).afterSeconds(30);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    @Test
    void anAnnotationThatCannotBeReadIsReportedOnceAndChangesNothing() {
        PodTrait yes = annotated("holdfast.dev/keep", "yes");
        EngineScenario engineScenario = broken(yes).afterSeconds(59);
        engineScenario.happens(podChanged("web", web(yes)));
        assertThat(engineScenario.events()).containsExactly("Started web", "AnnotationIgnored web");
        assertThat(ignored(engineScenario))
                .containsExactly("holdfast.dev/keep must be \"true\" or \"false\", got \"yes\", on the pod");

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void anAnnotationThatCannotBeReadEitherAfterAnEditIsReportedAgain() {
        EngineScenario engineScenario =
                broken(annotated("holdfast.dev/keep", "yes")).afterSeconds(30);

        engineScenario.happens(podChanged("web", web(annotated("holdfast.dev/keep", "always"))));

        assertThat(engineScenario.events())
                .containsExactly("Started web", "AnnotationIgnored web", "AnnotationIgnored web");
    }

    private static ClusterEvent replicaSet(DisruptionAnnotations disruptionAnnotations) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "rs",
                "ReplicaSet",
                new NamespacedName("shop", "web"),
                Optional.empty(),
                OptionalInt.of(1),
                disruptionAnnotations));
    }

    private static List<String> ignored(EngineScenario engineScenario) {
        return engineScenario.told.stream()
                .filter(Notification.AnnotationIgnored.class::isInstance)
                .map(Notification.AnnotationIgnored.class::cast)
                .map(Notification.AnnotationIgnored::problem)
                .toList();
    }

    @Test
    void oneOfThePodsOwnerOrNamespaceThatCannotBeReadIsReportedWithWhoseItIsAndChangesNothing() {
        EngineScenario engineScenario = EngineScenario.begin(
                        cluster()
                                .node("n1", labels("disk", "ssd"))
                                .node("n2", labels("disk", "ssd"))
                                .with(replicaSet(marks("holdfast.dev/keep", "yes")))
                                .with(namespace(marks("holdfast.dev/forgiveness-seconds", "2h")))
                                .pod("web", web()),
                        enforcing())
                .happens(nodeChanged("n1", labels("disk", "hdd")));

        assertThat(ignored(engineScenario))
                .containsExactly(
                        "holdfast.dev/keep must be \"true\" or \"false\", got \"yes\", on ReplicaSet shop/web",
                        "holdfast.dev/forgiveness-seconds must be 0 to 604800 (a week), got \"2h\", on namespace shop");
        assertThat(engineScenario.afterSeconds(59).evicted()).isEmpty();
        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void oneThatWasReportedIsNotReportedAgainWhenAnotherChanges() {
        EngineScenario engineScenario = broken().happens(namespace(marks("holdfast.dev/keep", "yes")))
                .happens(replicaSet(marks("holdfast.dev/keep", "no")))
                .happens(namespace(marks("holdfast.dev/keep", "yes")))
                .happens(podChanged("web", web(annotated("holdfast.dev/forgiveness-seconds", "120"))));

        assertThat(ignored(engineScenario))
                .containsExactly(
                        "holdfast.dev/keep must be \"true\" or \"false\", got \"yes\", on namespace shop",
                        "holdfast.dev/keep must be \"true\" or \"false\", got \"no\", on ReplicaSet shop/web");
    }

    @Test
    void oneThatComesBackAfterItWasMendedIsReportedAgain() {
        EngineScenario engineScenario = broken().happens(namespace(marks("holdfast.dev/keep", "yes")))
                .happens(namespace(DisruptionAnnotations.none()))
                .happens(namespace(marks("holdfast.dev/keep", "yes")));

        assertThat(ignored(engineScenario)).hasSize(2);
    }

    @Test
    void whatWasReportedIsForgottenWithTheViolation() {
        EngineScenario quiet = broken().happens(podGone("web"));
        EngineScenario engineScenario = broken(annotated("holdfast.dev/keep", "yes"));

        engineScenario.happens(podGone("web"));

        assertThat(engineScenario.engine.remembered()).isEqualTo(quiet.engine.remembered());
    }
}
