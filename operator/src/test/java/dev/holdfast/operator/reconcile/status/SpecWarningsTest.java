package dev.holdfast.operator.reconcile.status;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the warnings about valid policies, at noon on 20 November 2026. */
class SpecWarningsTest {
    private static final Instant NOON = Instant.parse("2026-11-20T12:00:00Z");

    private static final String NOTHING = "; its `limits` allow no eviction";

    static Stream<Arguments> notes() {
        return Stream.of(
                row("no warnings", "{}", "", ""),
                row(
                        "limits that allow evictions",
                        "{limits: {maxConcurrentEvictions: 1, maxEvictionsPerHour:" + " 1}}",
                        "",
                        ""),
                row("none at once", "{limits: {maxConcurrentEvictions: 0}}", NOTHING, ""),
                row("none an hour", "{limits: {maxEvictionsPerHour: 0}}", NOTHING, ""),
                row("none of a workload at once", "{limits: {perWorkload: {maxConcurrentEvictions: 0}}}", NOTHING, ""),
                row(
                        "none of a workload an hour",
                        "{limits: {perWorkload: {maxEvictionsPerHour: \"0%\"}}}",
                        NOTHING,
                        ""),
                row("an exception without an end", exceptions(""), "", ""),
                row(
                        "an exception that ends in a second",
                        exceptions(", expirationTime: \"2026-11-20T12:00:01Z\""),
                        "",
                        "2026-11-20T12:00:01Z"),
                row(
                        "an exception that expires now",
                        exceptions(", expirationTime: \"2026-11-20T12:00:00Z\""),
                        "; 1 of its `exceptions` expired at 2026-11-20T12:00:00Z and no longer has an effect",
                        ""),
                row(
                        "two exceptions that have expired, and two that have not",
                        exceptions(
                                ", expirationTime: \"2026-11-20T11:00:00Z\"",
                                ", expirationTime: \"2026-11-21T00:00:00Z\"",
                                ", expirationTime: \"2026-11-20T10:00:00Z\"",
                                ", expirationTime: \"2026-11-20T13:00:00Z\""),
                        "; 2 of its `exceptions` have expired, the last at 2026-11-20T11:00:00Z, and no longer have"
                                + " an effect",
                        "2026-11-20T13:00:00Z"));
    }

    private static String exceptions(String... ends) {
        return "{exceptions: ["
                + String.join(
                        ", ",
                        IntStream.range(0, ends.length)
                                .mapToObj(
                                        i -> "{name: some-" + i + ", podSelector: {}, reason: planned" + ends[i] + "}")
                                .toList())
                + "]}";
    }

    private static Arguments row(String name, String spec, String notes, String nextChange) {
        return argumentSet(
                name,
                spec,
                notes,
                Optional.of(nextChange).filter(it -> !it.isEmpty()).map(Instant::parse));
    }

    @ParameterizedTest
    @MethodSource("notes")
    void says(String spec, String notes, Optional<Instant> nextChange) {
        DisruptionControls disruptionControls = conduct(spec);

        assertThat(SpecWarnings.of(disruptionControls, NOON)).isEqualTo(notes);
        assertThat(SpecWarnings.nextChange(disruptionControls, NOON)).isEqualTo(nextChange);
    }

    private static DisruptionControls conduct(String spec) {
        PlacementPolicy policy = Serialization.unmarshal("""
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: web}
            spec: %s
            """.formatted(spec), PlacementPolicy.class);
        return ((Translation.Understood) new PolicyTranslator(Duration.ofMinutes(5)).translate(policy))
                .disruptionControls();
    }
}
