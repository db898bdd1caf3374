package dev.holdfast.policies.engine;

import static dev.holdfast.policies.engine.TestPolicies.enforcing;
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

import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.testing.PodTrait;
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
    void aPodWhoseLongerForgivenessIsTakenBackIsDueAsThePolicySays() {
        EngineScenario engineScenario = broken().happens(namespace(TWO_MINUTES)).afterSeconds(70);
        assertThat(engineScenario.evicted()).isEmpty();

        assertThat(engineScenario
                        .happens(namespace(DisruptionAnnotations.none()))
                        .afterSeconds(1)
                        .evicted())
                .containsExactly("web");
    }

    static Stream<Arguments> keeping() {
        return Stream.of(
                argumentSet("keep", "holdfast.dev/keep", "true"),
                argumentSet("keep until the next day", "holdfast.dev/keep-until", "2026-11-21T12:00:00Z"),
                argumentSet(
                        "an annotation for another component",
                        "cluster-autoscaler.kubernetes.io/safe-to-evict",
                        "false"));
    }

    @ParameterizedTest
    @MethodSource("keeping")
    void aPodThatIsKeptGoesWhenItIsKeptNoMore(String annotation, String value) {
        EngineScenario engineScenario = broken(annotated(annotation, value)).afterSeconds(600);
        assertThat(engineScenario.evicted()).isEmpty();

        engineScenario.happens(podChanged("web", web())).afterSeconds(1);

        assertThat(engineScenario.evicted()).containsExactly("web");
    }

    @Test
    void anAnnotationThatCannotBeReadIsToldOfOnceAndChangesNothing() {
        PodTrait yes = annotated("holdfast.dev/keep", "yes");
        EngineScenario engineScenario = broken(yes).afterSeconds(59);
        engineScenario.happens(podChanged("web", web(yes)));
        assertThat(engineScenario.events()).containsExactly("Started web", "AnnotationIgnored web");
        assertThat(ignored(engineScenario))
                .containsExactly("holdfast.dev/keep must be \"true\" or \"false\", got \"yes\", on the pod");

        assertThat(engineScenario.afterSeconds(1).evicted()).containsExactly("web");
    }

    @Test
    void anAnnotationThatCannotBeReadEitherAfterAnEditIsToldOfAgain() {
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
    void oneOfThePodsOwnerOrNamespaceThatCannotBeReadIsToldOfWithWhoseItIsAndChangesNothing() {
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
    void oneThatWasToldOfIsNotToldOfAgainWhenAnotherChanges() {
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
    void oneThatComesBackAfterItWasMendedIsToldOfAgain() {
        EngineScenario engineScenario = broken().happens(namespace(marks("holdfast.dev/keep", "yes")))
                .happens(namespace(DisruptionAnnotations.none()))
                .happens(namespace(marks("holdfast.dev/keep", "yes")));

        assertThat(ignored(engineScenario)).hasSize(2);
    }

    @Test
    void whatWasToldOfIsForgottenWithTheViolation() {
        EngineScenario quiet = broken().happens(podGone("web"));
        EngineScenario engineScenario = broken(annotated("holdfast.dev/keep", "yes"));

        engineScenario.happens(podGone("web"));

        assertThat(engineScenario.engine.remembered()).isEqualTo(quiet.engine.remembered());
    }
}
