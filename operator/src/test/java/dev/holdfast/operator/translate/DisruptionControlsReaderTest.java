package dev.holdfast.operator.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.MaintenanceWindow;
import dev.holdfast.policies.plan.controls.MaxUnavailable;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.plan.controls.PolicyLimits.HourlyWorkloadLimit;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the disruption controls that are read from a policy's YAML: windows, exceptions, limits and others. */
class DisruptionControlsReaderTest {
    private static final PolicyTranslator TRANSLATOR = new PolicyTranslator(Duration.ofMinutes(5));

    private static DisruptionControls read(String spec) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: web, generation: 3}
            spec:
            """ + spec.indent(2);
        return understood(TRANSLATOR.translate(Serialization.unmarshal(yaml, PlacementPolicy.class)));
    }

    private static DisruptionControls readOfCluster(String spec) {
        String yaml = """
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: audit, generation: 3}
            spec:
            """ + spec.indent(2);
        return understood(TRANSLATOR.translate(Serialization.unmarshal(yaml, ClusterPlacementPolicy.class)));
    }

    private static DisruptionControls understood(Translation translation) {
        assertThat(translation).isInstanceOf(Translation.Understood.class);
        return ((Translation.Understood) translation).disruptionControls();
    }

    /** The default of {@code maxUnavailable}. */
    private static final MaxUnavailable TENTH = new MaxUnavailable.Percent(10);

    static Stream<Arguments> limits() {
        OptionalInt none = OptionalInt.empty();
        return Stream.of(
                argumentSet(
                        "no limits: one other pod stays Ready",
                        "{}",
                        new PolicyLimits(none, none, 1, none, new HourlyWorkloadLimit.Unlimited(), TENTH)),
                argumentSet(
                        "empty limits have the same meaning",
                        "limits: {perWorkload: {}}",
                        new PolicyLimits(none, none, 1, none, new HourlyWorkloadLimit.Unlimited(), TENTH)),
                argumentSet(
                        "every limit",
                        "limits: {maxConcurrentEvictions: 5, maxEvictionsPerHour: 60, minReplicas: 2, maxUnavailable:"
                                + " 3, perWorkload: {maxConcurrentEvictions: 3, maxEvictionsPerHour: 4}}",
                        new PolicyLimits(
                                OptionalInt.of(5),
                                OptionalInt.of(60),
                                2,
                                OptionalInt.of(3),
                                new HourlyWorkloadLimit.Pods(4),
                                new MaxUnavailable.Pods(3))),
                argumentSet(
                        "a percentage",
                        "limits: {minReplicas: 0, maxUnavailable: \"25%\", perWorkload: {maxEvictionsPerHour:"
                                + " \"10%\"}}",
                        new PolicyLimits(
                                none,
                                none,
                                0,
                                none,
                                new HourlyWorkloadLimit.Percent(10),
                                new MaxUnavailable.Percent(25))));
    }

    @ParameterizedTest
    @MethodSource("limits")
    void readsLimits(String spec, PolicyLimits expected) {
        assertThat(read(spec).limits()).isEqualTo(expected);
    }

    @Test
    void readsWindows() {
        DisruptionControls disruptionControls = read("""
            windows:
            - {name: office-hours, action: Deny, schedule: "0 8 * * 1-5", durationSeconds: 36000, timeZone: Europe/Zurich}
            - {name: nightly, action: Allow, schedule: "@daily", durationSeconds: 60}
            """);

        assertThat(disruptionControls.maintenanceWindows().getFirst().toString())
                .isEqualTo("window 'office-hours' (Deny '0 8 * * 1-5' for 36000 s in Europe/Zurich)");
        MaintenanceWindow daily = disruptionControls.maintenanceWindows().getLast();
        assertThat(daily.action()).isEqualTo(MaintenanceWindow.Action.ALLOW);
        assertThat(daily.duration()).isEqualTo(Duration.ofSeconds(60));
        assertThat(daily.zone()).isEqualTo(ZoneId.of("Etc/UTC"));
        assertThat(daily.schedule().next(Instant.parse("2026-11-20T12:00:00Z"), daily.zone()))
                .contains(Instant.parse("2026-11-21T00:00:00Z"));
    }

    @Test
    void readsExceptions() {
        DisruptionControls disruptionControls = read("""
            exceptions:
            - {name: primary, podSelector: {matchLabels: {role: primary}}, expirationTime: "2026-12-31T01:00:00+01:00", reason: failover planned}
            - {name: all, podSelector: {}, reason: not now}
            """);

        DisruptionControls.StandingException first =
                disruptionControls.exceptions().getFirst();
        assertThat(first.until()).contains(Instant.parse("2026-12-31T00:00:00Z"));
        assertThat(first.reason()).isEqualTo("failover planned");
        assertThat(first.pods().matches(Labels.of("role", "primary"))).isTrue();
        assertThat(first.pods().matches(Labels.none())).isFalse();
        DisruptionControls.StandingException second =
                disruptionControls.exceptions().getLast();
        assertThat(second.until()).isEmpty();
        assertThat(second.pods().matches(Labels.none())).isTrue();
    }

    @Test
    void readsWhatIsAllowed() {
        assertThat(read("allow: [RunsToCompletion, LocalStorage, TooFewReplicas, ForeignScheduler,"
                                + " HasEvictionResponder, UnknownController, ReplacementRefused]")
                        .allowed())
                .isEqualTo(DisruptionControls.LIFTABLE)
                .contains(Reason.TOO_FEW_REPLICAS);
        assertThat(read("{}").allowed()).isEmpty();
    }

    @Test
    void annotationsOfPodsCountUnlessAClusterPolicySaysOtherwise() {
        assertThat(read("{}").overrides()).isEqualTo(PodOverrides.all());
        assertThat(readOfCluster("{}").overrides()).isEqualTo(PodOverrides.all());
        assertThat(readOfCluster("{podOverrides: Ignore}").overrides())
                .isEqualTo(new PodOverrides(false, Optional.empty()));
        assertThat(readOfCluster("{podOverrides: Honor, maxKeepSeconds: 60}").overrides())
                .isEqualTo(new PodOverrides(true, Optional.of(Duration.ofMinutes(1))));
    }

    @Test
    void noNamespaceIsTrustedUnlessItIsSaidAndAnEmptySelectorTrustsAll() {
        assertThat(read("{}").trusted()).isEmpty();
        assertThat(read("trustedNamespaceSelector: {}").trusted()).get().matches(it -> it.matches(Labels.none()));
        assertThat(read("trustedNamespaceSelector: {matchLabels: {team: data}}").trusted())
                .get()
                .matches(it -> it.matches(Labels.of("team", "data")))
                .matches(it -> !it.matches(Labels.none()));
    }
}
