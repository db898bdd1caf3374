package dev.holdfast.policies.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Parsing of disruption annotations, valid and malformed. */
class DisruptionAnnotationsTest {
    private static final DisruptionAnnotations KEPT = new DisruptionAnnotations(
            Optional.empty(), true, Optional.empty(), Optional.empty(), Set.of(), 0, List.of());

    private static DisruptionAnnotations costing(int deletionCost) {
        return new DisruptionAnnotations(
                Optional.empty(), false, Optional.empty(), Optional.empty(), Set.of(), deletionCost, List.of());
    }

    private static DisruptionAnnotations forOthers(String annotation) {
        return new DisruptionAnnotations(
                Optional.of(annotation), false, Optional.empty(), Optional.empty(), Set.of(), 0, List.of());
    }

    private static DisruptionAnnotations malformed(String problem) {
        return new DisruptionAnnotations(
                Optional.empty(), false, Optional.empty(), Optional.empty(), Set.of(), 0, List.of(problem));
    }

    static Stream<Arguments> annotations() {
        return Stream.of(
                row("none", Map.of(), DisruptionAnnotations.none()),
                row(
                        "annotations of other tools that do not concern evictions",
                        Map.of("example.com/keep", "true"),
                        DisruptionAnnotations.none()),
                row("keep", Map.of("holdfast.dev/keep", "true"), KEPT),
                row("a deletion cost", Map.of("controller.kubernetes.io/pod-deletion-cost", "-100"), costing(-100)),
                row(
                        "a deletion cost that the API server would reject",
                        Map.of("controller.kubernetes.io/pod-deletion-cost", "much"),
                        DisruptionAnnotations.none()),
                row("keep not", Map.of("holdfast.dev/keep", "false"), DisruptionAnnotations.none()),
                row(
                        "keep with an invalid value",
                        Map.of("holdfast.dev/keep", "yes"),
                        malformed("holdfast.dev/keep must be \"true\" or \"false\", got \"yes\"")),
                row(
                        "keep with a value of 10,000 characters, which is quoted in part",
                        Map.of("holdfast.dev/keep", "y".repeat(10_000)),
                        malformed(
                                "holdfast.dev/keep must be \"true\" or \"false\", got \"" + "y".repeat(57) + "...\"")),
                row(
                        "keep until a time of more than 64 characters",
                        Map.of("holdfast.dev/keep-until", "2026-12-31T00:00:00Z" + " ".repeat(10_000)),
                        malformed("holdfast.dev/keep-until must be a time as in 2026-12-31T00:00:00Z (RFC 3339), got"
                                + " \"2026-12-31T00:00:00Z" + " ".repeat(37) + "...\"")),
                row(
                        "Karpenter's with a value of 10,000 characters",
                        Map.of("karpenter.sh/do-not-disrupt", "3".repeat(10_000)),
                        forOthers("karpenter.sh/do-not-disrupt: \"" + "3".repeat(57) + "...\"")),
                row(
                        "acknowledged ids beyond 1,024 characters",
                        Map.of("holdfast.dev/acknowledge", "disk@1," + "x".repeat(1_017) + ",cpu@2"),
                        new DisruptionAnnotations(
                                Optional.empty(),
                                false,
                                Optional.empty(),
                                Optional.empty(),
                                Set.of("disk@1", "x".repeat(1_017)),
                                0,
                                List.of())),
                row(
                        "keep until a time in another zone",
                        Map.of("holdfast.dev/keep-until", "2026-12-31T01:00:00+01:00"),
                        new DisruptionAnnotations(
                                Optional.empty(),
                                false,
                                Optional.of(Instant.parse("2026-12-31T00:00:00Z")),
                                Optional.empty(),
                                Set.of(),
                                0,
                                List.of())),
                row(
                        "keep until a day",
                        Map.of("holdfast.dev/keep-until", "2026-12-31"),
                        malformed("holdfast.dev/keep-until must be a time as in 2026-12-31T00:00:00Z (RFC 3339), got"
                                + " \"2026-12-31\"")),
                row(
                        "a forgiveness",
                        Map.of("holdfast.dev/forgiveness-seconds", "3600"),
                        new DisruptionAnnotations(
                                Optional.empty(),
                                false,
                                Optional.empty(),
                                Optional.of(Duration.ofHours(1)),
                                Set.of(),
                                0,
                                List.of())),
                row(
                        "a forgiveness of more than a week",
                        Map.of("holdfast.dev/forgiveness-seconds", "604801"),
                        malformed("holdfast.dev/forgiveness-seconds must be 0 to 604800 (a week), got \"604801\"")),
                row(
                        "a forgiveness below zero",
                        Map.of("holdfast.dev/forgiveness-seconds", "-1"),
                        malformed("holdfast.dev/forgiveness-seconds must be 0 to 604800 (a week), got \"-1\"")),
                row(
                        "a forgiveness with a unit",
                        Map.of("holdfast.dev/forgiveness-seconds", "10m"),
                        malformed("holdfast.dev/forgiveness-seconds must be 0 to 604800 (a week), got \"10m\"")),
                row(
                        "two acknowledged ids, with more commas and spaces than are needed",
                        Map.of("holdfast.dev/acknowledge", "disk@1, cpu@2,,"),
                        new DisruptionAnnotations(
                                Optional.empty(),
                                false,
                                Optional.empty(),
                                Optional.empty(),
                                Set.of("disk@1", "cpu@2"),
                                0,
                                List.of())),
                row(
                        "two that cannot be read beside one that can",
                        Map.of(
                                "holdfast.dev/keep", "true",
                                "holdfast.dev/keep-until", "",
                                "holdfast.dev/forgiveness-seconds", ""),
                        new DisruptionAnnotations(
                                Optional.empty(),
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                Set.of(),
                                0,
                                List.of(
                                        "holdfast.dev/keep-until must be a time as in 2026-12-31T00:00:00Z (RFC 3339),"
                                                + " got \"\"",
                                        "holdfast.dev/forgiveness-seconds must be 0 to 604800 (a week), got \"\""))),
                row(
                        "the cluster autoscaler's",
                        Map.of("cluster-autoscaler.kubernetes.io/safe-to-evict", "false"),
                        forOthers("cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\"")),
                row(
                        "the cluster autoscaler's, which allows it",
                        Map.of("cluster-autoscaler.kubernetes.io/safe-to-evict", "true"),
                        DisruptionAnnotations.none()),
                row(
                        "Karpenter's",
                        Map.of("karpenter.sh/do-not-disrupt", "true"),
                        forOthers("karpenter.sh/do-not-disrupt: \"true\"")),
                row(
                        "Karpenter's, for a time",
                        Map.of("karpenter.sh/do-not-disrupt", "30m"),
                        forOthers("karpenter.sh/do-not-disrupt: \"30m\"")),
                row(
                        "Karpenter's, which allows it",
                        Map.of("karpenter.sh/do-not-disrupt", "false"),
                        DisruptionAnnotations.none()),
                row(
                        "Karpenter's of old",
                        Map.of("karpenter.sh/do-not-evict", "true"),
                        forOthers("karpenter.sh/do-not-evict: \"true\"")),
                row(
                        "the descheduler's, whatever its value",
                        Map.of("descheduler.alpha.kubernetes.io/prefer-no-eviction", ""),
                        forOthers("descheduler.alpha.kubernetes.io/prefer-no-eviction: \"\"")));
    }

    private static Arguments row(String name, Map<String, String> annotations, DisruptionAnnotations expected) {
        return argumentSet(name, annotations, expected);
    }

    @ParameterizedTest
    @MethodSource("annotations")
    void annotationsAskForThis(Map<String, String> annotations, DisruptionAnnotations expected) {
        assertThat(DisruptionAnnotations.of(annotations)).isEqualTo(expected);
    }
}
