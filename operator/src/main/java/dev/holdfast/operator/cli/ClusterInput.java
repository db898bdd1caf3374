package dev.holdfast.operator.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.cli.options.FileArguments;
import dev.holdfast.operator.cli.options.Kubeconfig;
import dev.holdfast.operator.cli.options.KubeconfigOptions;
import dev.holdfast.operator.cli.options.LedgerInput;
import dev.holdfast.operator.cli.options.OperatorConfigMaps;
import dev.holdfast.operator.cli.options.Reading;
import dev.holdfast.operator.config.ComponentLabel;
import dev.holdfast.operator.config.ConfigException;
import dev.holdfast.operator.config.InstalledConfig;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.log.Logging;
import dev.holdfast.operator.offline.check.DumpCompleteness;
import dev.holdfast.operator.offline.check.watch.ClusterWatch;
import dev.holdfast.operator.offline.dump.AsWritten;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import dev.holdfast.operator.offline.dump.DumpedPolicies;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.dump.live.ClusterLists;
import dev.holdfast.operator.offline.print.LineWidth;
import dev.holdfast.operator.offline.print.PartialSummary;
import dev.holdfast.operator.offline.print.PlayProgress;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.ReadProgress;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.Config;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which cluster a command is about, and its policies. */
final class ClusterInput {
    private static final String DEFAULTS_COUNT =
            ": so the operator's defaults count for limits, maxMode, schedulers, and"
                    + " exempt and protected namespaces; see --operator-namespace and --config";

    private final ProcessEnvironment processEnvironment;
    private LiveReader liveReader;
    private final ReadProgress progress;
    private final PartialSummary partialSummary;
    private final List<String> warned = new ArrayList<>();
    private Optional<Dump> givenPolicies = Optional.empty();
    private LogLevel logLevel = LogLevel.WARN;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            parameterConsumer = FileArguments.class,
            description = "What `holdfast dump` or kubectl with -o json or -o yaml printed, or a must-gather: files,"
                    + " folders, archives (tar, zip; also in gzip), or - for standard input. Default: the cluster of"
                    + " the kubeconfig, of which the command only lists objects.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            parameterConsumer = FileArguments.class,
            description =
                    "Files with PlacementPolicies and ClusterPlacementPolicies, beside those in the input. Without"
                            + " any policy, each pod is held to the rules of its own spec.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The operator's configuration file, for limits, strongest mode, schedulers, and exempt and"
                    + " protected namespaces. Default: that of its ConfigMap in the cluster or the files, else none.")
    private @Nullable Path config;

    @Option(
            names = "--operator-namespace",
            paramLabel = "NAME",
            description = "The namespace of the operator, whose ConfigMaps have its configuration and its ledger."
                    + " Default: ConfigMaps with the label holdfast.dev/component are looked for in all namespaces.")
    private @Nullable String operatorNamespace;

    @Option(
            names = "--chunk-size",
            paramLabel = "NUMBER",
            description =
                    "List a live cluster in chunks of this many objects, as kubectl does; 0 lists each kind in one"
                            + " answer. Default: 500.")
    private int chunkSize = 500;

    @Mixin
    private final KubeconfigOptions kubeconfigOptions = new KubeconfigOptions();

    /**
     * The namespace of the operator whose configuration was found; empty if none or several were found, or the user
     * gave others.
     */
    private Optional<String> installedNamespace = Optional.empty();

    /** The namespace of objects that the user names without one; of a live cluster, that of the context. */
    private String usualNamespace = "default";

    /** @param depth how much is read of a live cluster; asked when the options are known */
    ClusterInput(ProcessEnvironment processEnvironment, Supplier<ClusterLists.Depth> depth) {
        this.processEnvironment = processEnvironment;
        this.liveReader = (lists, _) -> lists.read(depth.get());
        this.progress = new ReadProgress(processEnvironment.clock(), this::sayToPeople);
        this.partialSummary = new PartialSummary(() -> progress.text() + "; no report", this::say);
    }

    /** The action of a command. */
    @FunctionalInterface
    interface Action {
        /** {@return the exit code} */
        int on(ReadCluster cluster, OperatorConfig config) throws DumpException, InterruptedException;
    }

    /** Reads a live cluster. */
    @FunctionalInterface
    private interface LiveReader {
        Dump read(ClusterLists lists, Config connection) throws DumpException, InterruptedException;
    }

    /**
     * {@return the namespace that the user gives, or else that of the kubeconfig's context} Valid after the reading.
     */
    String namespace(@Nullable String given) {
        return given == null ? usualNamespace : given;
    }

    /** {@return whether the input is files, and not a live cluster} */
    boolean readsFiles() {
        return !files.isEmpty();
    }

    /** {@return whether the input or the policies are standard input} */
    boolean readsStandardInput() {
        return files.contains(DumpFile.STANDARD_INPUT) || policies.contains(DumpFile.STANDARD_INPUT);
    }

    /** Reads the cluster, and returns the exit code of an action. An input that cannot be read is one message. */
    int read(Action action) {
        return read(() -> AsWritten.NONE, action);
    }

    /** Reads a live cluster as above, for an action that goes on with the watch. */
    int watch(ClusterWatch watch, Action action) {
        liveReader = (lists, connection) -> watch.begin(connection, lists.read(ClusterLists.Depth.POLICIES), progress);
        // The watch itself says when a view is lost.
        logLevel = LogLevel.ERROR;
        return read(action);
    }

    /**
     * Reads the cluster as above.
     *
     * @param before says which workloads are also needed as they are written
     */
    int read(Reading<AsWritten> before, Action action) {
        if (!files.isEmpty() && kubeconfigOptions.areGiven()) {
            throw new ParameterException(spec.commandLine(), "give either --filename or a cluster, not both");
        }
        if (Collections.frequency(files, DumpFile.STANDARD_INPUT)
                        + Collections.frequency(policies, DumpFile.STANDARD_INPUT)
                > 1) {
            throw new ParameterException(spec.commandLine(), "standard input can be read only once");
        }
        if (chunkSize < 0) {
            throw new ParameterException(spec.commandLine(), "--chunk-size must be greater than or equal to 0");
        }
        Optional<OperatorConfig> given = config();
        Logging.configure(logLevel, LogFormat.TEXT);
        partialSummary.begin();
        try {
            AsWritten asWritten = before.read();
            Dump dump = files.isEmpty() ? listed() : read(files, asWritten);
            OperatorConfig read = given.isPresent() ? given.get() : installed(dump);
            return action.on(cluster(dump, read), read);
        } catch (DumpException | Kubeconfig.UnusableException e) {
            say(String.valueOf(e.getMessage()));
            return ExitCode.COULD_NOT_RUN;
        } catch (InterruptedException _) {
            say("interrupted");
            return ExitCode.COULD_NOT_RUN;
        } finally {
            partialSummary.end();
            Logging.close();
        }
    }

    private Optional<OperatorConfig> config() {
        if (config == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(OperatorConfig.read(config));
        } catch (ConfigException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    /** {@return the configuration in the operator's ConfigMap, or else the defaults} Says which in one line. */
    private OperatorConfig installed(Dump dump) {
        List<ObjectNode> all = configMaps(dump).with(ComponentLabel.CONFIGURATION);
        OperatorConfigMaps.ignored(
                        ComponentLabel.CONFIGURATION,
                        all.stream()
                                .filter(it -> InstalledConfig.in(it).isEmpty())
                                .toList(),
                        "without config.yaml")
                .ifPresent(this::warn);
        List<InstalledConfig> found =
                all.stream().flatMap(it -> InstalledConfig.in(it).stream()).toList();
        if (found.size() == 1) {
            InstalledConfig only = found.getFirst();
            try {
                OperatorConfig read = only.config();
                say("the operator's configuration is that of ConfigMap " + only);
                installedNamespace = Optional.of(only.namespace());
                return read;
            } catch (ConfigException e) {
                warn(e.getMessage() + DEFAULTS_COUNT);
                return OperatorConfig.defaults();
            }
        }
        if (found.size() > 1) {
            warn("there are several operators, with ConfigMaps "
                    + found.stream().map(InstalledConfig::toString).collect(Collectors.joining(", "))
                    + DEFAULTS_COUNT);
        } else if (files.isEmpty()) {
            warn(configMaps(dump)
                            .forbidden()
                            .orElse("there is no ConfigMap of an operator, with the label "
                                    + ComponentLabel.CONFIGURATION)
                    + DEFAULTS_COUNT);
        }
        return OperatorConfig.defaults();
    }

    /** {@return what the operator remembers of moves, limits, brakes and clocks; empty if that is not known} */
    Optional<LedgerReading> ledger(ReadCluster cluster, Instant start) {
        return new LedgerInput(configMaps(cluster.dump()), installedNamespace, files.isEmpty(), this::say, this::warn)
                .read(cluster, start);
    }

    private OperatorConfigMaps configMaps(Dump dump) {
        return new OperatorConfigMaps(dump, Optional.ofNullable(operatorNamespace));
    }

    private ReadCluster cluster(Dump dump, OperatorConfig config) throws DumpException {
        warn(dump.warnings());
        ReadCluster cluster = inForce(dump, config);
        DumpCompleteness completeness = new DumpCompleteness(dump);
        warn(completeness.require(cluster.rules(), files.isEmpty()));
        warn(completeness.invalidAnnotations().stream().toList());
        return cluster;
    }

    /** {@return the cluster with the policies in force; says what is wrong with them, each thing once} */
    ReadCluster inForce(Dump dump, OperatorConfig config) throws DumpException {
        DumpedPolicies translated = new DumpedPolicies(new PolicyTranslator(config.defaultForgiveness()));
        // A policy that the user gives replaces the one of its name in the input.
        Map<PolicyId, Event.PolicyChanged> inForce = new LinkedHashMap<>();
        translated
                .translateValid(dump.policies())
                .forEach(it -> inForce.put(it.policy().id(), it));
        List<ObjectNode> objects = new ArrayList<>(dump.policies());
        if (!policies.isEmpty()) {
            Dump given = given();
            objects.addAll(given.policies());
            Reading.of("--policy", policies, () -> translated.translate(given.policies()))
                    .forEach(it -> inForce.put(it.policy().id(), it));
        }
        ReadCluster cluster =
                new ReadCluster(dump, List.copyOf(inForce.values()), translated.pauses(dump.policies()), objects);
        warn(translated.warnings().stream().filter(it -> !warned.contains(it)).toList());
        return cluster;
    }

    /** {@return all warnings so far, for documents} */
    List<String> warnings() {
        return List.copyOf(warned);
    }

    /** Writes a warning as a line to standard error. */
    void warn(String warning) {
        warned.add(warning);
        say("warning: " + warning);
    }

    /** Writes each warning as a line to standard error. */
    void warn(List<String> warnings) {
        warnings.forEach(this::warn);
    }

    /**
     * Says which objects a plan would read and a file does not have. Of a live cluster, all are listed.
     *
     * @param added objects that a change adds
     */
    void warnOfMissingForPlans(Dump dump, Collection<ClusterEvent> added) {
        if (!files.isEmpty()) {
            warn(new DumpCompleteness(dump).missingForPlans(added).stream().toList());
        }
    }

    /** {@return the policies that the user gives; a file without policies is a mistake} */
    private Dump given() throws DumpException {
        if (givenPolicies.isPresent()) {
            return givenPolicies.get();
        }
        Dump dump = read(policies, AsWritten.NONE);
        warn(dump.warnings());
        if (dump.policies().stream()
                .noneMatch(object -> object.path("kind").asText().endsWith("PlacementPolicy"))) {
            throw new DumpException("--policy " + String.join(" ", policies)
                    + ": there is no PlacementPolicy and no ClusterPlacementPolicy of holdfast.dev");
        }
        givenPolicies = Optional.of(dump);
        return dump;
    }

    private Dump listed() throws DumpException, Kubeconfig.UnusableException, InterruptedException {
        Config connection = kubeconfigOptions.credentials().connection(processEnvironment);
        usualNamespace = Objects.requireNonNullElse(connection.getNamespace(), usualNamespace);
        try (StreamingRequests requests = new StreamingRequests(connection)) {
            return liveReader.read(
                    new ClusterLists(requests, chunkSize, progress, Optional.ofNullable(operatorNamespace)),
                    connection);
        }
    }

    /** Records that the answer is printed, and that an interrupt is how the command ends. */
    void expectInterrupt() {
        partialSummary.end();
    }

    /** {@return the file that the cluster is read from; empty for several files, standard input and a live cluster} */
    String source() {
        return files.size() == 1 && !files.getFirst().equals(DumpFile.STANDARD_INPUT) ? files.getFirst() : "";
    }

    private Dump read(List<String> arguments, AsWritten asWritten) throws DumpException {
        List<DumpFile> found = new ArrayList<>();
        for (String argument : arguments) {
            found.addAll(files(argument));
        }
        return new DumpReader(progress, processEnvironment.clock().instant(), asWritten).read(found);
    }

    /** {@return the files that an argument names, as {@code -f} reads them} */
    List<DumpFile> files(String argument) throws DumpException {
        return DumpFile.of(argument, processEnvironment.standardInput());
    }

    /** {@return the result of a simulation, of which people see the progress} */
    <T, E extends Exception> T play(PlayProgress.Simulating<T, E> simulation) throws E {
        return PlayProgress.during(processEnvironment.terminal(), this::say, this::setDone, simulation);
    }

    /** Replaces what is printed if the process is interrupted. Another thread asks what was done so far. */
    void setDone(Supplier<String> done) {
        partialSummary.now(() -> done.get() + "; no report");
    }

    /** Writes a line to standard error. */
    void say(String text) {
        PrintWriter errors = spec.commandLine().getErr();
        errors.println("holdfast: " + Printable.of(text));
        errors.flush();
    }

    private void sayToPeople(String text) {
        if (processEnvironment.terminal().showsErrors()) {
            say(text);
        }
    }

    /** {@return the most characters of a line for people} */
    LineWidth width() {
        return processEnvironment.terminal().width();
    }

    /**
     * Writes lines to standard output.
     *
     * @throws DumpException if that fails, as a part of them would look like the whole
     */
    void print(List<String> lines) throws DumpException {
        partialSummary.beginPrinting();
        PrintWriter out = spec.commandLine().getOut();
        lines.forEach(out::println);
        if (out.checkError()) {
            throw new DumpException("cannot write to standard output");
        }
        partialSummary.endPrinting();
    }
}
