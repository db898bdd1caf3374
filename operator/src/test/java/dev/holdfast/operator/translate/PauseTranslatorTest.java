package dev.holdfast.operator.translate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.EnforcementPauseSpec;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.plan.controls.Pause;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Instant;
import java.util.AbstractMap;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the translation of pauses from YAML; an invalid pause pauses all evictions. */
class PauseTranslatorTest {
    private static final Instant NOW = Instant.parse("2026-11-20T12:00:00Z");
    private static final Optional<Labels> BLUE = Optional.of(Labels.of("team", "blue"));
    private static final Optional<Labels> RED = Optional.of(Labels.of("team", "red"));

    private static PauseReading read(String spec) {
        return PauseTranslator.translate(Serialization.unmarshal("""
            apiVersion: holdfast.dev/v1alpha1
            kind: EnforcementPause
            metadata: {name: freeze}
            """ + spec, EnforcementPause.class));
    }

    @Test
    void oneWithNothingButAReasonPausesEverythingWithoutEnd() {
        PauseReading reading = read("spec: {reason: stop}");

        assertThat(reading.problems()).isEmpty();
        assertThat(reading.pause()).isEqualTo(Pause.ofEverything("freeze", "stop"));
    }

    @Test
    void everyFieldIsRead() {
        PauseReading reading = read("""
            spec:
              reason: quarter end
              namespaceSelector: {matchLabels: {team: blue}}
              windows: [{name: hours, schedule: "0 8 * * 1-5", durationSeconds: 36000, timeZone: Europe/Zurich}]
              expirationTime: "2026-11-20T14:00:00+01:00"
            """);
        Pause pause = reading.pause();

        assertThat(reading.problems()).isEmpty();
        assertThat(pause.at(NOW)).isEqualTo(new Pause.State.Active(Optional.of(Instant.parse("2026-11-20T13:00:00Z"))));
        assertThat(pause.at(Instant.parse("2026-11-20T06:59:59Z")))
                .isEqualTo(new Pause.State.OutsideWindow(Optional.of(Instant.parse("2026-11-20T07:00:00Z"))));
        assertThat(pause.against(BLUE, NOW)).isPresent();
        assertThat(pause.against(RED, NOW)).isEmpty();
    }

    @Test
    void oneThatABugMakesUnreadablePausesEverything() {
        Map<String, Object> bug = new AbstractMap<>() {
            @Override
            public Set<Entry<String, Object>> entrySet() {
                throw new IllegalStateException("a bug");
            }
        };
        EnforcementPause broken = new EnforcementPause();
        broken.setSpec(new EnforcementPauseSpec("stop", null, List.of(), null, bug));
        broken.getMetadata().setName("freeze");

        PauseReading reading = PauseTranslator.translate(broken);

        assertThat(reading.pause())
                .isEqualTo(Pause.ofEverything(
                        "freeze",
                        "all evictions are paused, since this pause is invalid: spec: cannot be read: see the log of"
                                + " the operator"));
        assertThat(reading.problems()).hasSize(1);
    }

    /** {@return a spec of 3 parts and 4 characters, and of 2 parts, 3 characters and the values for each expression} */
    private static String withExpressions(int count, int values, int length) {
        String expression = "{key: k, operator: In, values: ["
                + IntStream.range(0, values).mapToObj(_ -> "v".repeat(length)).collect(Collectors.joining(", ")) + "]}";
        return "spec: {reason: stop, namespaceSelector: {matchExpressions: ["
                + Collections.nCopies(count, expression).stream().collect(Collectors.joining(", ")) + "]}}";
    }

    static Stream<Arguments> sizes() {
        String most = "spec: must have at most 256 objects and values with 4,096 characters, got ";
        String advice = ": select namespaces by a label of their own";
        return Stream.of(
                argumentSet("228 parts with 841 characters", withExpressions(9, 22, 4), List.of()),
                argumentSet("more than 256 parts", withExpressions(10, 24, 4), List.of(most + "273 with 994" + advice)),
                argumentSet(
                        "more than 4,096 characters",
                        withExpressions(9, 22, 21),
                        List.of(most + "228 with 4,189" + advice)));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void aPauseThatIsTooLargePausesEverything(String spec, List<String> problems) {
        PauseReading reading = read(spec);

        assertThat(reading.problems()).map(SpecProblem::toString).isEqualTo(problems);
        assertThat(reading.pause().against(BLUE, NOW).isPresent()).isEqualTo(!problems.isEmpty());
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                argumentSet("no spec", "", "spec: must be given, with a reason"),
                argumentSet("no reason", "spec: {}", "spec.reason: must be given: the message of each hold shows it"),
                argumentSet(
                        "an invalid time zone",
                        "spec: {reason: stop, windows: [{name: hours, schedule: '@daily', durationSeconds: 60,"
                                + " timeZone: Mars}]}",
                        "spec.windows[0].timeZone: must be the IANA name of a time zone, such as Europe/Zurich or"
                                + " Etc/UTC, got 'Mars'"),
                argumentSet(
                        "a date that does not exist",
                        "spec: {reason: stop, windows: [{name: hours, schedule: '0 0 30 2 *', durationSeconds: 60}]}",
                        "spec.windows[0].schedule: must match some date, got '0 0 30 2 *': such a window never"
                                + " opens"),
                argumentSet(
                        "an invalid time",
                        "spec: {reason: stop, expirationTime: tomorrow}",
                        "spec.expirationTime: must be a time as in 2026-12-31T00:00:00Z (RFC 3339), got 'tomorrow'"),
                argumentSet(
                        "a field of a newer version",
                        "spec: {reason: stop, podSelector: {}}",
                        "spec.podSelector: is not known to this version of Holdfast"),
                argumentSet(
                        "an action",
                        "spec: {reason: stop, windows: [{name: hours, action: Allow, schedule: '@daily',"
                                + " durationSeconds: 60}]}",
                        "spec.windows[0].action: is not known to this version of Holdfast"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void whatCannotBeReadPausesEverythingWithoutEndAndSaysWhy(String spec, String problem) {
        PauseReading reading = read(spec);

        assertThat(reading.problems()).extracting(SpecProblem::toString).containsExactly(problem);
        assertThat(reading.pause())
                .isEqualTo(Pause.ofEverything(
                        "freeze", "all evictions are paused, since this pause is invalid: " + problem));
    }

    @Test
    void anExpiredOneThatCannotBeReadStillPausesEverything() {
        Pause pause = read("spec: {reason: '', expirationTime: '2020-01-01T00:00:00Z'}")
                .pause();

        assertThat(pause.against(RED, NOW)).isPresent();
    }
}
