package dev.holdfast.operator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.plan.controls.ProtectedPods;
import dev.holdfast.policies.rule.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class OperatorConfigTest {
    private static final String EVERY_KEY = """
        defaultForgivenessSeconds: 60
        maxMode: Audit
        protectedNamespaces: [infra]
        schedulerNames: [default-scheduler, bin-packing]
        exemptNamespaces: []
        limits:
          maxConcurrentEvictions: 20
          maxEvictionsPerHour: 240
          perNamespace: {maxConcurrentEvictions: 6}
          perNode: {maxConcurrentEvictions: 3}
          perWorkload: {maxConcurrentEvictions: 2}
        replacementMinReadySeconds: 30
        replacementTimeoutSeconds: 90
        ownNamespace: hf
        teamLabel: example.com/team
        breakers: {label: {percent: 30, minNodes: 4}, volume: {percent: 6, minPods: 70}}
        lease: {namespace: hf, name: hold, durationSeconds: 30, renewDeadlineSeconds: 20, retryPeriodSeconds: 4}
        scheduling: {enabled: false}
        http: {port: 9090}
        metrics: {port: 9091, secure: true, certificateFolder: /etc/tls, byNamespace: true}
        logLevel: debug
        logFormat: text
        """;

    @TempDir
    private Path folder = Path.of("");

    @Test
    void everyKeyIsRead() throws Exception {
        assertThat(OperatorConfig.read(file(EVERY_KEY)))
                .isEqualTo(new OperatorConfig(
                        Duration.ofMinutes(1),
                        Mode.AUDIT,
                        Set.of("infra"),
                        Set.of("default-scheduler", "bin-packing"),
                        Set.of(),
                        new OperatorLimits(20, 240, 6, 3, 2),
                        new ReplacementTimes(Duration.ofSeconds(30), Duration.ofSeconds(90)),
                        new BreakerSettings("hf", 30, 4, 6, 70, Optional.of("example.com/team")),
                        new LeaseSettings(
                                "hf", "hold", Duration.ofSeconds(30), Duration.ofSeconds(20), Duration.ofSeconds(4)),
                        new SchedulingSettings(false),
                        9090,
                        new MetricsSettings(9091, true, Optional.of(Path.of("/etc/tls")), true),
                        LogLevel.DEBUG,
                        LogFormat.TEXT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "{}",
                "# nothing\n",
                "limits:\nlease:\n",
                "limits: null",
                "limits: {maxConcurrentEvictions: null, perNode: ~}",
                "protectedNamespaces: null",
                "protectedNamespaces:\nexemptNamespaces:\nmaxMode:\n",
                "defaultForgivenessSeconds: null\nhttp: {port: null}"
            })
    void whatIsNotSaidHasItsDefault(String content) throws Exception {
        assertThat(OperatorConfig.read(file(content))).isEqualTo(OperatorConfig.defaults());
    }

    @Test
    void onlyAnEmptyListProtectsNoNamespace() throws Exception {
        assertThat(OperatorConfig.read(file("protectedNamespaces: []")).protectedNamespaces())
                .isEmpty();
    }

    @Test
    void theDefaultsAreThoseOfTheDocumentation() {
        assertThat(OperatorConfig.defaults())
                .isEqualTo(new OperatorConfig(
                        Duration.ofMinutes(5),
                        Mode.ENFORCE,
                        Set.of("kube-system", "kube-public", "kube-node-lease"),
                        Set.of("default-scheduler"),
                        Set.of("kube-system"),
                        new OperatorLimits(10, 120, 5, 2, 1),
                        new ReplacementTimes(Duration.ofSeconds(10), Duration.ofMinutes(10)),
                        new BreakerSettings("holdfast", 20, 3, 5, 50),
                        new LeaseSettings(
                                "kube-system",
                                "holdfast",
                                Duration.ofSeconds(15),
                                Duration.ofSeconds(10),
                                Duration.ofSeconds(2)),
                        new SchedulingSettings(true),
                        8080,
                        new MetricsSettings(8081, false, Optional.empty(), false),
                        LogLevel.INFO,
                        LogFormat.JSON));
    }

    @Test
    void whatTheEngineMustKnowIsHandedOver() throws Exception {
        OperatorConfig config = OperatorConfig.read(file("protectedNamespaces: [holdfast]"));

        assertThat(config.engineSettings())
                .isEqualTo(new EngineSettings(
                        new OperatorLimits(10, 120, 5, 2, 1),
                        ProtectedPods.in(Set.of("holdfast", "kube-system")),
                        Set.of("kube-system"),
                        new ReplacementTimes(Duration.ofSeconds(10), Duration.ofMinutes(10)),
                        new BreakerSettings("holdfast", 20, 3, 5, 50)));
    }

    static Stream<Arguments> wrong() {
        return Stream.of(
                argumentSet(
                        "for an unknown key the allowed keys are named",
                        "limits: {perPod: 3}",
                        List.of("unknown key limits.perPod; allowed here: maxConcurrentEvictions, maxEvictionsPerHour,"
                                + " perNamespace, perNode, perWorkload")),
                argumentSet(
                        "an unknown key at the top level",
                        "maxmode: Audit",
                        List.of("unknown key maxmode; allowed here: breakers, defaultForgivenessSeconds,"
                                + " exemptNamespaces, http, lease, limits, logFormat, logLevel, maxMode, metrics,"
                                + " ownNamespace, protectedNamespaces, replacementMinReadySeconds,"
                                + " replacementTimeoutSeconds, schedulerNames, scheduling, teamLabel")),
                argumentSet(
                        "a label key with a space",
                        "teamLabel: \"my team\"",
                        List.of("teamLabel must be the key of a label, such as example.com/team, got \"my team\"")),
                argumentSet(
                        "a number written as a string",
                        "defaultForgivenessSeconds: \"300\"",
                        List.of("defaultForgivenessSeconds must be a whole number from 0 to 604800, got \"300\"")),
                argumentSet(
                        "forgiveness above a week",
                        "defaultForgivenessSeconds: 604801",
                        List.of("defaultForgivenessSeconds must be a whole number from 0 to 604800, got 604801")),
                argumentSet(
                        "a number with a fraction",
                        "replacementTimeoutSeconds: 1.5",
                        List.of("replacementTimeoutSeconds must be a whole number from 1 to 86400, got 1.5")),
                argumentSet(
                        "a replacement that must be Ready longer than it may take",
                        "{replacementMinReadySeconds: 60, replacementTimeoutSeconds: 60}",
                        List.of("replacementMinReadySeconds must be less than replacementTimeoutSeconds")),
                argumentSet(
                        "a number one too small",
                        "limits: {perNode: {maxConcurrentEvictions: 0}}",
                        List.of("limits.perNode.maxConcurrentEvictions must be a whole number from 1 to 1000, got 0")),
                argumentSet(
                        "a number one too big",
                        "http: {port: 65536}",
                        List.of("http.port must be a whole number from 0 to 65535, got 65536")),
                argumentSet(
                        "a number above the integer range",
                        "limits: {maxEvictionsPerHour: 99999999999999999999}",
                        List.of("limits.maxEvictionsPerHour must be a whole number from 1 to 100000, got"
                                + " 99999999999999999999")),
                argumentSet(
                        "one port for probes and metrics",
                        "{http: {port: 9090}, metrics: {port: 9090}}",
                        List.of("metrics.port must differ from http.port")),
                argumentSet(
                        "Disabled is not a ceiling",
                        "maxMode: Disabled",
                        List.of("maxMode must be Enforce or Audit, got \"Disabled\"")),
                argumentSet(
                        "a level in the wrong case",
                        "logLevel: INFO",
                        List.of("logLevel must be error or warn or info or debug or trace, got \"INFO\"")),
                argumentSet(
                        "a format that does not exist",
                        "logFormat: xml",
                        List.of("logFormat must be json or text, got \"xml\"")),
                argumentSet(
                        "one namespace instead of a list",
                        "protectedNamespaces: infra",
                        List.of("protectedNamespaces must be a list of at most 256 names of namespaces, got"
                                + " \"infra\"")),
                argumentSet(
                        "an invalid name of a namespace",
                        "exemptNamespaces: [Infra]",
                        List.of("exemptNamespaces must be a list of at most 256 names of namespaces, got"
                                + " [\"Infra\"]")),
                argumentSet(
                        "null in a list of namespaces",
                        "protectedNamespaces: [null]",
                        List.of("protectedNamespaces must be a list of at most 256 names of namespaces, got [null]")),
                argumentSet(
                        "a value instead of a mapping",
                        "lease: holdfast",
                        List.of("lease must be a mapping, got \"holdfast\"")),
                argumentSet(
                        "a lease duration that does not exceed the renew deadline",
                        "lease: {durationSeconds: 10, renewDeadlineSeconds: 10}",
                        List.of("lease.renewDeadlineSeconds must be less than durationSeconds")),
                argumentSet(
                        "a retry period that does not fit into the renew deadline",
                        "lease: {retryPeriodSeconds: 10}",
                        List.of("lease.retryPeriodSeconds must be less than renewDeadlineSeconds")),
                argumentSet(
                        "a renew deadline that is too short for a request of three seconds",
                        "lease: {renewDeadlineSeconds: 3}",
                        List.of("lease.renewDeadlineSeconds must be a whole number from 4 to 3600, got 3")),
                argumentSet(
                        "a certificate for metrics that are served by HTTP",
                        "metrics: {certificateFolder: /etc/tls}",
                        List.of("metrics.certificateFolder needs metrics.secure: true")),
                argumentSet(
                        "a folder that depends on where the operator is started",
                        "metrics: {secure: true, certificateFolder: tls}",
                        List.of("metrics.certificateFolder must be the absolute path of a folder, got \"tls\"")),
                argumentSet(
                        "an empty path of a folder",
                        "metrics: {secure: true, certificateFolder: ''}",
                        List.of("metrics.certificateFolder must be the absolute path of a folder, got \"\"")),
                argumentSet(
                        "a number for a folder",
                        "metrics: {secure: true, certificateFolder: 7}",
                        List.of("metrics.certificateFolder must be the absolute path of a folder, got 7")),
                argumentSet(
                        "several errors are reported at once, in the order of the keys",
                        "maxMode: Auto\nhttp: {port: none, host: here}\nextra: 1",
                        List.of(
                                "maxMode must be Enforce or Audit, got \"Auto\"",
                                "http.port must be a whole number from 0 to 65535, got \"none\"",
                                "unknown key http.host; allowed here: port",
                                "unknown key extra; allowed here: breakers, defaultForgivenessSeconds,"
                                        + " exemptNamespaces, http, lease, limits, logFormat, logLevel, maxMode,"
                                        + " metrics, ownNamespace, protectedNamespaces, replacementMinReadySeconds,"
                                        + " replacementTimeoutSeconds, schedulerNames, scheduling, teamLabel")),
                argumentSet("a list", "[]", List.of("must be a mapping of keys to values")),
                argumentSet(
                        "the same key twice",
                        "maxMode: Audit\nmaxMode: Enforce",
                        List.of("is not valid YAML: Duplicate field 'maxMode' (line 2)")));
    }

    @ParameterizedTest
    @MethodSource("wrong")
    void whatIsWrongIsSaidInOneLineEach(String content, List<String> errors) throws Exception {
        Path file = file(content);

        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> OperatorConfig.read(file));

        assertThat(refused.errors())
                .containsExactlyElementsOf(
                        errors.stream().map(error -> file + ": " + error).toList());
    }

    @ParameterizedTest
    @ValueSource(strings = {"a: [", "a: b: c", "\t- x", "---\n{}\n---\n{}\n"})
    void whatIsNoYamlIsSaidInOneLine(String content) throws Exception {
        Path file = file(content);

        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> OperatorConfig.read(file));

        assertThat(refused.errors())
                .singleElement()
                .asString()
                .doesNotContain("\n")
                .startsWith(file + ": is not valid YAML");
    }

    @Test
    void aFileThatIsNotThereIsNamed() {
        Path file = folder.resolve("none.yaml");

        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> OperatorConfig.read(file));

        assertThat(refused).hasMessage(file + ": file does not exist");
    }

    @Test
    void aFolderIsNoFile() {
        ConfigException refused = catchThrowableOfType(ConfigException.class, () -> OperatorConfig.read(folder));

        assertThat(refused.getMessage())
                .startsWith(folder + ": cannot be read: ")
                .doesNotContain("\n");
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("config.yaml"), content);
    }
}
