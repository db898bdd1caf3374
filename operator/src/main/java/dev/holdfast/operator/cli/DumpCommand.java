package dev.holdfast.operator.cli;

import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.cli.options.Kubeconfig;
import dev.holdfast.operator.cli.options.KubeconfigOptions;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.LogLevel;
import dev.holdfast.operator.log.Logging;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.live.ClusterDump;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.print.Printable;
import dev.holdfast.operator.offline.print.ReadProgress;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command {@code holdfast dump}: writes what the other commands read from a cluster into one file. */
@Command(
        name = "dump",
        description = {
            "Writes all objects of a cluster that any command reads, for -f of the other commands. It only lists"
                    + " objects. Kinds that you may not list, or that the cluster does not have, are left out, and"
                    + " standard error says which.",
            "Environment, commands, states and probe requests of containers are left out, parameters of volumes, and"
                + " annotations, except those of Kubernetes, autoscalers, schedulers and Holdfast. Names, labels and"
                + " images stay. A change of what was left out is no roll-out for what-if --apply."
        },
        mixinStandardHelpOptions = true,
        sortOptions = false,
        versionProvider = ProgramVersion.class,
        footerHeading = "%nExample:%n",
        footer = {
            "  holdfast dump > cluster.json && holdfast check -f cluster.json",
            "",
            "Exit codes:",
            "  0  the dump is whole, except the kinds that standard error names",
            "  2  invalid command line",
            "  3  namespaces, nodes or pods could not be listed, or the dump broke off"
        })
final class DumpCommand implements Callable<Integer> {
    private final ProcessEnvironment processEnvironment;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Option(
            names = "--operator-namespace",
            paramLabel = "NAME",
            description = "The namespace of the operator, whose ConfigMaps have its configuration and its ledger."
                    + " Default: ConfigMaps with the label holdfast.dev/component are looked for in all namespaces.")
    private @Nullable String operatorNamespace;

    @Option(
            names = "--chunk-size",
            paramLabel = "NUMBER",
            description = "List the cluster in chunks of this many objects, as kubectl does; 0 lists each kind in one"
                    + " answer. Default: 500.")
    private int chunkSize = 500;

    @Mixin
    private final KubeconfigOptions kubeconfigOptions = new KubeconfigOptions();

    DumpCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
    }

    @Override
    public Integer call() {
        if (chunkSize < 0) {
            throw new ParameterException(spec.commandLine(), "--chunk-size must be greater than or equal to 0");
        }
        Logging.configure(LogLevel.WARN, LogFormat.TEXT);
        try (StreamingRequests requests =
                new StreamingRequests(kubeconfigOptions.credentials().connection(processEnvironment))) {
            ReadProgress progress = new ReadProgress(processEnvironment.clock(), this::sayToPeople);
            return write(new ClusterDump(requests, chunkSize, progress, Optional.ofNullable(operatorNamespace)));
        } catch (DumpException | Kubeconfig.UnusableException e) {
            say(String.valueOf(e.getMessage()));
        } catch (InterruptedException _) {
            say("interrupted");
        } finally {
            Logging.close();
        }
        return ExitCode.COULD_NOT_RUN;
    }

    private int write(ClusterDump dump) throws DumpException, InterruptedException {
        PrintWriter out = spec.commandLine().getOut();
        dump.write(out);
        if (out.checkError()) {
            throw new DumpException("cannot write to standard output");
        }
        dump.warnings().forEach(warning -> say("warning: " + warning));
        dump.leftOut().ifPresent(this::say);
        say("wrote " + Count.of(dump.written(), "object")
                + (dump.missing().isEmpty()
                        ? ""
                        : "; without " + String.join(" and ", dump.missing()) + ", no command can judge them"));
        return dump.missing().isEmpty() ? ExitCode.OK : ExitCode.COULD_NOT_RUN;
    }

    private void say(String text) {
        PrintWriter errors = spec.commandLine().getErr();
        errors.println("holdfast: " + Printable.of(text));
        errors.flush();
    }

    private void sayToPeople(String text) {
        if (processEnvironment.terminal().showsErrors()) {
            say(text);
        }
    }
}
