package dev.holdfast.policies.plan.check;

import static dev.holdfast.policies.plan.Due.NOW;
import static dev.holdfast.policies.plan.Due.candidate;
import static dev.holdfast.policies.plan.Due.situation;
import static dev.holdfast.policies.testing.Facts.cluster;
import static dev.holdfast.policies.testing.Facts.labels;
import static dev.holdfast.policies.testing.Facts.marks;
import static dev.holdfast.policies.testing.PodTraits.annotated;
import static dev.holdfast.policies.testing.PodTraits.nodeSelector;
import static dev.holdfast.policies.testing.PodTraits.on;
import static dev.holdfast.policies.testing.PodTraits.ownedBy;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.plan.Due;
import dev.holdfast.policies.plan.Plan;
import dev.holdfast.policies.plan.ShuffledPlanner;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.VictimStrategy;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.testing.ClusterBuilder;
import dev.holdfast.policies.testing.ControlsDraft;
import dev.holdfast.policies.testing.PodTrait;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which annotations keep a pod, and for how long. The pod's rule broke a minute ago. */
class KeptCheckTest {
    private static final PodOverrides HONOR = PodOverrides.all();
    private static final PodOverrides IGNORE = new PodOverrides(false, Optional.empty());
    private static final PodTrait KEEP = annotated("holdfast.dev/keep", "true");
    private static final PodTrait UNTIL_ONE = annotated("holdfast.dev/keep-until", "2026-11-20T13:00:00Z");
    private static final PodTrait UNTIL_NOW = annotated("holdfast.dev/keep-until", "2026-11-20T12:00:00Z");
    private static final PodTrait FOR_OTHERS = annotated("cluster-autoscaler.kubernetes.io/safe-to-evict", "false");

    private static ClusterBuilder web(PodTrait... traits) {
        PodTrait[] all = Stream.concat(
                        Stream.of(on("n1"), nodeSelector("disk", "ssd"), ownedBy("ReplicaSet", "web-1", "rs")),
                        Stream.of(traits))
                .toArray(PodTrait[]::new);
        return cluster()
                .node("n1", labels("disk", "hdd"))
                .node("n2", labels("disk", "ssd"))
                .pod("web", all);
    }

    private static ClusterBuilder ofNamespace(DisruptionAnnotations disruptionAnnotations) {
        return web().with(new ClusterEvent.NamespaceChanged(
                new Namespace("shop", 1, Labels.none(), disruptionAnnotations)));
    }

    private static ClusterBuilder ofOwners(DisruptionAnnotations replicaSet, DisruptionAnnotations deployment) {
        return web().with(owner(
                        "rs", "ReplicaSet", "web-1", Optional.of(new Controller("Deployment", "web", "d")), replicaSet))
                .with(owner("d", "Deployment", "web", Optional.empty(), deployment));
    }

    private static ClusterEvent owner(
            String uid,
            String kind,
            String name,
            Optional<Controller> controller,
            DisruptionAnnotations disruptionAnnotations) {
        return new ClusterEvent.OwnerChanged(new Owner(
                uid, kind, new NamespacedName("shop", name), controller, OptionalInt.of(1), disruptionAnnotations));
    }

    private static PodOverrides atMost(Duration longest) {
        return new PodOverrides(true, Optional.of(longest));
    }

    static Stream<Arguments> rows() {
        DisruptionAnnotations keep = marks("holdfast.dev/keep", "true");
        Instant one = Instant.parse("2026-11-20T13:00:00Z");
        return Stream.of(
                row("no annotation", web(), HONOR, Optional.empty()),
                row(
                        "keep",
                        web(KEEP),
                        HONOR,
                        untilChange(Reason.KEPT, "annotation holdfast.dev/keep of the pod forbids the eviction")),
                row("keep, which the policy ignores", web(KEEP), IGNORE, Optional.empty()),
                row(
                        "keep, capped at two minutes",
                        web(KEEP),
                        atMost(Duration.ofMinutes(2)),
                        until(
                                "annotation holdfast.dev/keep of the pod forbids the eviction until"
                                        + " 2026-11-20T12:01:00Z",
                                NOW.plusSeconds(60))),
                row(
                        "keep, capped at a little over two minutes: messages show whole seconds",
                        web(KEEP),
                        atMost(Duration.ofMillis(120_264)),
                        until(
                                "annotation holdfast.dev/keep of the pod forbids the eviction until"
                                        + " 2026-11-20T12:01:00Z",
                                NOW.plusMillis(60_264))),
                row(
                        "keep until one o'clock, with a cap",
                        web(UNTIL_ONE),
                        atMost(Duration.ofMillis(120_264)),
                        until(
                                "annotation holdfast.dev/keep-until of the pod forbids the eviction until"
                                        + " 2026-11-20T12:01:00Z",
                                NOW.plusMillis(60_264))),
                row("keep, capped at a minute", web(KEEP), atMost(Duration.ofMinutes(1)), Optional.empty()),
                row(
                        "keep until one o'clock",
                        web(UNTIL_ONE),
                        HONOR,
                        until(
                                "annotation holdfast.dev/keep-until of the pod forbids the eviction until"
                                        + " 2026-11-20T13:00:00Z",
                                one)),
                row(
                        "keep until one o'clock, capped at two minutes",
                        web(UNTIL_ONE),
                        atMost(Duration.ofMinutes(2)),
                        until(
                                "annotation holdfast.dev/keep-until of the pod forbids the eviction until"
                                        + " 2026-11-20T12:01:00Z",
                                NOW.plusSeconds(60))),
                row("keep until now", web(UNTIL_NOW), HONOR, Optional.empty()),
                row(
                        "keep of the namespace",
                        ofNamespace(keep),
                        HONOR,
                        untilChange(
                                Reason.KEPT, "annotation holdfast.dev/keep of namespace shop forbids the eviction")),
                row(
                        "keep of a ReplicaSet that a Deployment controls, which is a copy",
                        ofOwners(keep, DisruptionAnnotations.none()),
                        HONOR,
                        Optional.empty()),
                row(
                        "keep of what made the ReplicaSet",
                        ofOwners(DisruptionAnnotations.none(), keep),
                        HONOR,
                        untilChange(
                                Reason.KEPT,
                                "annotation holdfast.dev/keep of Deployment shop/web forbids the eviction")),
                row(
                        "the autoscaler's, which no policy can ignore",
                        web(FOR_OTHERS),
                        IGNORE,
                        untilChange(
                                Reason.MARKED_BY_OTHERS,
                                "annotation cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\" of the pod asks"
                                        + " not to evict the pod")),
                row(
                        "Cluster API's drain=skip",
                        web(labels("app", "web", "cluster.x-k8s.io/drain", "skip")),
                        IGNORE,
                        untilChange(
                                Reason.MARKED_BY_OTHERS,
                                "label cluster.x-k8s.io/drain=skip of the pod asks not to evict the pod")),
                row(
                        "Cluster API's drain=wait-completed",
                        web(labels("app", "web", "cluster.x-k8s.io/drain", "wait-completed")),
                        HONOR,
                        untilChange(
                                Reason.MARKED_BY_OTHERS,
                                "label cluster.x-k8s.io/drain=wait-completed of the pod asks not to evict the pod")),
                row(
                        "Cluster API's drain with an unknown value",
                        web(labels("app", "web", "cluster.x-k8s.io/drain", "later")),
                        HONOR,
                        Optional.empty()),
                row(
                        "the autoscaler's on a namespace, where it has no effect",
                        ofNamespace(marks("cluster-autoscaler.kubernetes.io/safe-to-evict", "false")),
                        HONOR,
                        Optional.empty()),
                row("an invalid value", web(annotated("holdfast.dev/keep", "yes")), HONOR, Optional.empty()));
    }

    private static Optional<Hold> untilChange(Reason reason, String message) {
        return Optional.of(Hold.untilChange(reason, message));
    }

    private static Optional<Hold> until(String message, Instant end) {
        return Optional.of(Hold.until(Reason.KEPT, message, end));
    }

    private static Arguments row(String name, ClusterBuilder facts, PodOverrides overrides, Optional<Hold> expected) {
        return argumentSet(name, facts, overrides, expected);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void annotationsKeepAPod(ClusterBuilder facts, PodOverrides overrides, Optional<Hold> expected) {
        ReferenceCluster referenceCluster = facts.build();
        DisruptionControls disruptionControls =
                ControlsDraft.plain().overrides(overrides).controls();
        Candidate candidate = candidate(referenceCluster, "web");
        Candidate asked = new Candidate(
                candidate.violation(),
                candidate.pod(),
                candidate.rule(),
                candidate.further(),
                List.of(Due.requesting(Due.POLICY, disruptionControls)),
                candidate.mode(),
                candidate.workload(),
                candidate.scope(),
                VictimStrategy.ofOwner());

        Plan plan = new ShuffledPlanner(1, 100_000).plan(List.of(asked), situation(referenceCluster, new Moves()));

        assertThat(plan.held().stream().map(Plan.Held::hold))
                .containsExactlyElementsOf(expected.stream().toList());
        assertThat(plan.chosen()).hasSize(expected.isEmpty() ? 1 : 0);
    }

    static Stream<Arguments> forgivenesses() {
        DisruptionAnnotations hour = marks("holdfast.dev/forgiveness-seconds", "3600");
        DisruptionAnnotations minute = marks("holdfast.dev/forgiveness-seconds", "60");
        return Stream.of(
                argumentSet("no annotation", HONOR, List.of(), 600),
                argumentSet("longer", HONOR, List.of(hour), 3600),
                argumentSet("shorter, which has no effect", HONOR, List.of(minute), 600),
                argumentSet("the longest of several", HONOR, List.of(minute, hour), 3600),
                argumentSet("longer, which the policy ignores", IGNORE, List.of(hour), 600),
                argumentSet("longer than the policy's cap", atMost(Duration.ofMinutes(20)), List.of(hour), 1200),
                argumentSet(
                        "a cap below the policy's forgiveness has no effect",
                        atMost(Duration.ofMinutes(5)),
                        List.of(hour),
                        600));
    }

    @ParameterizedTest
    @MethodSource("forgivenesses")
    void annotationsLengthenAForgivenessOfTenMinutesAndNeverShortenIt(
            PodOverrides overrides, List<DisruptionAnnotations> disruptionAnnotations, long seconds) {
        assertThat(overrides.lengthened(Duration.ofMinutes(10), disruptionAnnotations))
                .isEqualTo(Duration.ofSeconds(seconds));
    }

    static Stream<Arguments> edits() {
        PodOverrides hour = atMost(Duration.ofHours(1));
        PodOverrides day = atMost(Duration.ofDays(1));
        return Stream.of(
                argumentSet("no change", hour, hour, false),
                argumentSet("ignored from now on", HONOR, IGNORE, true),
                argumentSet("honoured from now on", IGNORE, HONOR, false),
                argumentSet("a cap", HONOR, hour, true),
                argumentSet("a shorter cap", day, hour, true),
                argumentSet("a longer cap", hour, day, false),
                argumentSet("no cap any more", hour, HONOR, false));
    }

    @ParameterizedTest
    @MethodSource("edits")
    void anEditByWhichPodsAreKeptLessGoesFurther(PodOverrides before, PodOverrides after, boolean further) {
        assertThat(after.isWiderThan(before)).isEqualTo(further);
    }
}
