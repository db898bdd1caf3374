package dev.holdfast.operator.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.check.DumpCompleteness;
import dev.holdfast.operator.config.ConfigException;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.dump.ClusterLists;
import dev.holdfast.operator.dump.Dump;
import dev.holdfast.operator.dump.DumpException;
import dev.holdfast.operator.dump.DumpFile;
import dev.holdfast.operator.dump.DumpReader;
import dev.holdfast.operator.dump.DumpedPolicies;
import dev.holdfast.operator.dump.ReadCluster;
import dev.holdfast.operator.log.Logging;
import dev.holdfast.operator.print.LineWidth;
import dev.holdfast.operator.print.PartialSummary;
import dev.holdfast.operator.print.Printable;
import dev.holdfast.operator.print.ReadProgress;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.Config;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The options that say which cluster a command is about, and its policies. */
final class ClusterInput {
    private final ProcessEnvironment processEnvironment;
    private final ClusterLists.Depth depth;
    private final ReadProgress progress;
    private final PartialSummary partialSummary;
    private final List<String> warned = new ArrayList<>();

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description = "What kubectl printed with -o json or -o yaml: a file, a folder, or - for standard input; may"
                    + " be compressed with gzip, and given several times. Default: the cluster of the kubeconfig, of"
                    + " which the command only lists objects.")
    private List<String> files = new ArrayList<>();

    @Option(
            names = "--policy",
            paramLabel = "FILE",
            description =
                    "PlacementPolicies and ClusterPlacementPolicies, in addition to those in the input; may be given"
                            + " several times. Without any policy, each pod is held to the rules of its own spec.")
    private List<String> policies = new ArrayList<>();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "The configuration file of the operator, for its limits and its exempt and protected"
                    + " namespaces. Default: the operator's defaults.")
    private @Nullable Path config;

    @Option(
            names = "--chunk-size",
            paramLabel = "NUMBER",
            description =
                    "List a live cluster in chunks of this many objects, as kubectl does; 0 lists each kind in one"
                            + " answer. Default: 500.")
    private int chunkSize = 500;

    @Mixin
    private final KubeconfigOptions kubeconfigOptions = new KubeconfigOptions();

    /** The namespace of objects that the user names without one: for a live cluster, that of the kubeconfig's context. */
    private String usualNamespace = "default";

    /** @param depth what is read of a live cluster */
    ClusterInput(ProcessEnvironment processEnvironment, ClusterLists.Depth depth) {
        this.processEnvironment = processEnvironment;
        this.depth = depth;
        this.progress = new ReadProgress(processEnvironment.clock(), this::sayToPeople);
        this.partialSummary = new PartialSummary(() -> progress.text() + "; no report", this::say);
    }

    /** The action of a command. */
    @FunctionalInterface
    interface Action {
        /** {@return the exit code} */
        int on(ReadCluster cluster, OperatorConfig config) throws DumpException;
    }

    /** {@return the namespace that the user gives, or else that of the kubeconfig's context} The cluster has been read. */
    String namespace(@Nullable String given) {
        return given == null ? usualNamespace : given;
    }

    /** {@return whether the input or the policies are standard input} */
    boolean readsStandardInput() {
        return files.contains(DumpFile.STANDARD_INPUT) || policies.contains(DumpFile.STANDARD_INPUT);
    }

    /** Reads the cluster, and returns the exit code of what is done with it. An input that cannot be read is one message. */
    int read(Action action) {
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
        OperatorConfig config = config();
        Logging.configure(LogLevel.WARN, LogFormat.TEXT);
        partialSummary.begin();
        try {
            return action.on(cluster(config), config);
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

    private OperatorConfig config() {
        if (config == null) {
            return OperatorConfig.defaults();
        }
        try {
            return OperatorConfig.read(config);
        } catch (ConfigException e) {
            throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
        }
    }

    private ReadCluster cluster(OperatorConfig config)
            throws DumpException, Kubeconfig.UnusableException, InterruptedException {
        Dump dump = files.isEmpty() ? listed() : read(files);
        warn(dump.warnings());
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
            of("--policy", policies, () -> translated.translate(given.policies()))
                    .forEach(it -> inForce.put(it.policy().id(), it));
        }
        ReadCluster cluster =
                new ReadCluster(dump, List.copyOf(inForce.values()), translated.pauses(dump.policies()), objects);
        warn(translated.warnings());
        DumpCompleteness completeness = new DumpCompleteness(dump);
        warn(completeness.require(cluster.rules(), files.isEmpty()));
        warn(completeness.invalidAnnotations().stream().toList());
        return cluster;
    }

    /** What reads objects of files, of which any may be wrong. */
    @FunctionalInterface
    interface Reading<T> {
        T read() throws DumpException;
    }

    /** {@return what is read; a message about an object names the option and the files that may have it} */
    static <T> T of(String option, List<String> files, Reading<T> reading) throws DumpException {
        try {
            return reading.read();
        } catch (DumpException e) {
            throw new DumpException(option + " " + String.join(" ", files) + ": " + e.getMessage(), e);
        }
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

    /** {@return the policies that the user gives; that a file has none is a mistake} */
    private Dump given() throws DumpException {
        Dump dump = read(policies);
        warn(dump.warnings());
        if (dump.policies().stream()
                .noneMatch(object -> object.path("kind").asText().endsWith("PlacementPolicy"))) {
            throw new DumpException("--policy " + String.join(" ", policies)
                    + ": there is no PlacementPolicy and no ClusterPlacementPolicy of holdfast.dev");
        }
        return dump;
    }

    private Dump listed() throws DumpException, Kubeconfig.UnusableException, InterruptedException {
        Config connection = kubeconfigOptions.credentials().connection(processEnvironment);
        usualNamespace = Objects.requireNonNullElse(connection.getNamespace(), usualNamespace);
        try (StreamingRequests requests = new StreamingRequests(connection)) {
            return new ClusterLists(requests, chunkSize, progress).read(depth);
        }
    }

    /** {@return the file that the cluster is read from; empty for several files, standard input and a live cluster} */
    String source() {
        return files.size() == 1 && !files.getFirst().equals(DumpFile.STANDARD_INPUT) ? files.getFirst() : "";
    }

    /** {@return what files and folders have, as {@code -f} reads them} */
    Dump read(List<String> arguments) throws DumpException {
        List<DumpFile> found = new ArrayList<>();
        for (String argument : arguments) {
            found.addAll(files(argument));
        }
        return new DumpReader(progress, processEnvironment.clock().instant()).read(found);
    }

    /** {@return the files that an argument names, as {@code -f} reads them} */
    List<DumpFile> files(String argument) throws DumpException {
        return DumpFile.of(argument, processEnvironment.standardInput());
    }

    /**
     * Replaces what is printed if the process is interrupted.
     *
     * @param done what was done so far; asked by another thread
     */
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
