package dev.holdfast.operator.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.engine.protocol.ReplacementTimes;
import dev.holdfast.policies.plan.controls.OperatorLimits;
import dev.holdfast.policies.rule.Mode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Reader of the operator's YAML configuration file, which collects all errors in it. */
final class ConfigFile {
    private static final YAMLMapper YAML = YAMLMapper.builder()
            .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            .build();

    private static final int DAY = 86_400;

    private static final int MOST_CONCURRENT = 1_000;
    private static final String NAMESPACES = "namespaces";
    private static final String PERCENT = "percent";
    private static final String CONCURRENT = "maxConcurrentEvictions";

    /**
     * The timeout of an eviction request in seconds. The configured renew deadline of the Lease must be longer: a
     * request is sent only if this replica surely leads until the timeout.
     */
    private static final int REQUEST_SECONDS = 3;

    private final List<String> errors = new ArrayList<>();

    private ConfigFile() {}

    static OperatorConfig read(Path path) throws ConfigException {
        return read(path.toString(), () -> Files.readString(path));
    }

    /** @param name the name of the source of the text, for messages */
    static OperatorConfig read(String name, String text) throws ConfigException {
        return read(name, () -> text);
    }

    private static OperatorConfig read(String name, Source source) throws ConfigException {
        ConfigFile file = new ConfigFile();
        OperatorConfig config = file.config(file.tree(source));
        if (!file.errors.isEmpty()) {
            throw new ConfigException(
                    file.errors.stream().map(error -> name + ": " + error).toList());
        }
        return config;
    }

    /** A source of the text of a configuration. */
    @FunctionalInterface
    private interface Source {
        String text() throws IOException;
    }

    private JsonNode tree(Source source) {
        try {
            JsonNode tree = YAML.readTree(source.text());
            if (tree.isObject() || tree.isMissingNode() || tree.isNull()) {
                return tree;
            }
            errors.add("must be a mapping of keys to values");
        } catch (NoSuchFileException _) {
            errors.add("file does not exist");
        } catch (JacksonException e) {
            errors.add("is not valid YAML: " + oneLine(e));
        } catch (IOException e) {
            errors.add("cannot be read: " + e);
        }
        return MissingNode.getInstance();
    }

    private static String oneLine(JacksonException e) {
        String place =
                e.getLocation() == null ? "" : " (line " + e.getLocation().getLineNr() + ")";
        return e.getOriginalMessage().lines().findFirst().orElse("") + place;
    }

    private OperatorConfig config(JsonNode tree) {
        OperatorConfig defaults = OperatorConfig.defaults();
        YamlSection root = YamlSection.root(tree, errors);
        OperatorConfig config = new OperatorConfig(
                root.seconds("defaultForgivenessSeconds", defaults.defaultForgiveness(), 0, MaxDuration.SECONDS),
                root.choice("maxMode", defaults.maxMode(), List.of(Mode.ENFORCE, Mode.AUDIT), Mode::label),
                root.names("protectedNamespaces", NAMESPACES, defaults.protectedNamespaces()),
                root.names("schedulerNames", "schedulers", defaults.schedulerNames()),
                root.names("exemptNamespaces", NAMESPACES, defaults.exemptNamespaces()),
                limits(root.section("limits"), defaults.operatorLimits()),
                replacementTimes(root, defaults.replacementTimes()),
                brakes(root, defaults.brakes()),
                lease(root.section("lease"), defaults.lease()),
                scheduling(root.section("scheduling"), defaults.scheduling()),
                port(root.section("http"), defaults.httpPort()),
                metrics(root.section("metrics"), defaults.metrics()),
                root.choice("logLevel", defaults.logLevel(), List.of(LogLevel.values())),
                root.choice("logFormat", defaults.logFormat(), List.of(LogFormat.values())));
        if (config.httpPort() != 0 && config.httpPort() == config.metrics().port()) {
            root.refuse("metrics.port", "must differ from http.port");
        }
        root.refuseOthers();
        return config;
    }

    private static ReplacementTimes replacementTimes(YamlSection root, ReplacementTimes defaults) {
        ReplacementTimes read = new ReplacementTimes(
                root.seconds("replacementMinReadySeconds", defaults.minReady(), 0, DAY),
                root.seconds("replacementTimeoutSeconds", defaults.timeout(), 1, DAY));
        if (read.minReady().compareTo(read.timeout()) >= 0) {
            root.refuse("replacementMinReadySeconds", "must be less than replacementTimeoutSeconds");
        }
        return read;
    }

    private static OperatorLimits limits(YamlSection limits, OperatorLimits defaults) {
        OperatorLimits read = new OperatorLimits(
                limits.number(CONCURRENT, defaults.cluster(), 1, MOST_CONCURRENT),
                limits.number("maxEvictionsPerHour", defaults.perHour(), 1, 100_000),
                concurrent(limits.section("perNamespace"), defaults.perNamespace()),
                concurrent(limits.section("perNode"), defaults.perNode()),
                concurrent(limits.section("perWorkload"), defaults.perWorkload()));
        limits.refuseOthers();
        return read;
    }

    private static int concurrent(YamlSection limit, int whenAbsent) {
        int read = limit.number(CONCURRENT, whenAbsent, 1, MOST_CONCURRENT);
        limit.refuseOthers();
        return read;
    }

    private static BreakerSettings brakes(YamlSection root, BreakerSettings defaults) {
        YamlSection breakers = root.section("breakers");
        YamlSection label = breakers.section("label");
        YamlSection volume = breakers.section("volume");
        BreakerSettings read = new BreakerSettings(
                root.name("ownNamespace", defaults.namespace()),
                label.number(PERCENT, defaults.labelPercent(), 1, 100),
                label.number("minNodes", defaults.labelNodes(), 1, 100_000),
                volume.number(PERCENT, defaults.volumePercent(), 1, 100),
                volume.number("minPods", defaults.volumePods(), 1, 1_000_000),
                root.labelKey("teamLabel"));
        label.refuseOthers();
        volume.refuseOthers();
        breakers.refuseOthers();
        return read;
    }

    private static LeaseSettings lease(YamlSection lease, LeaseSettings defaults) {
        LeaseSettings read = new LeaseSettings(
                lease.name("namespace", defaults.namespace()),
                lease.name("name", defaults.name()),
                lease.seconds("durationSeconds", defaults.duration(), 5, 3_600),
                lease.seconds("renewDeadlineSeconds", defaults.renewDeadline(), REQUEST_SECONDS + 1, 3_600),
                lease.seconds("retryPeriodSeconds", defaults.retryPeriod(), 1, 3_600));
        if (read.renewDeadline().compareTo(read.duration()) >= 0) {
            lease.refuse("renewDeadlineSeconds", "must be less than durationSeconds");
        }
        if (read.retryPeriod().compareTo(read.renewDeadline()) >= 0) {
            lease.refuse("retryPeriodSeconds", "must be less than renewDeadlineSeconds");
        }
        lease.refuseOthers();
        return read;
    }

    private static SchedulingSettings scheduling(YamlSection section, SchedulingSettings whenAbsent) {
        SchedulingSettings read = new SchedulingSettings(section.flag("enabled", whenAbsent.enabled()));
        section.refuseOthers();
        return read;
    }

    private static MetricsSettings metrics(YamlSection section, MetricsSettings whenAbsent) {
        MetricsSettings read = new MetricsSettings(
                section.number("port", whenAbsent.port(), 0, 65_535),
                section.flag("secure", whenAbsent.secure()),
                section.folder("certificateFolder"),
                section.flag("byNamespace", whenAbsent.byNamespace()));
        if (read.certificateFolder().isPresent() && !read.secure()) {
            section.refuse("certificateFolder", "needs metrics.secure: true");
        }
        section.refuseOthers();
        return read;
    }

    private static int port(YamlSection section, int whenAbsent) {
        int read = section.number("port", whenAbsent, 0, 65_535);
        section.refuseOthers();
        return read;
    }
}
