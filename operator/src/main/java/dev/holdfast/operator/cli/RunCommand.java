package dev.holdfast.operator.cli;

import dev.holdfast.operator.app.Operator;
import dev.holdfast.operator.app.OperatorOptions;
import dev.holdfast.operator.app.StartException;
import dev.holdfast.operator.cli.options.Kubeconfig;
import dev.holdfast.operator.cli.options.KubeconfigOptions;
import dev.holdfast.operator.cli.options.ProgramVersion;
import dev.holdfast.operator.config.ConfigException;
import dev.holdfast.operator.config.LogFormat;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.ledger.WhenMissing;
import dev.holdfast.operator.log.Logging;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import java.io.Console;
import java.nio.file.Path;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command {@code holdfast run}: runs the operator until SIGTERM or Ctrl-C. */
@Command(
        name = "run",
        description = "Runs the operator until SIGTERM or Ctrl-C.",
        mixinStandardHelpOptions = true,
        versionProvider = ProgramVersion.class)
final class RunCommand implements Callable<Integer> {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private final ProcessEnvironment processEnvironment;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    @Mixin
    private final KubeconfigOptions kubeconfigOptions = new KubeconfigOptions();

    @Option(
            names = "--config",
            paramLabel = "FILE",
            description = "Configuration file: YAML with the keys of config in the chart's values, and also"
                    + " ownNamespace and metrics.certificateFolder. Absent keys have their defaults. Default: no file.")
    private @Nullable Path config;

    @Option(
            names = "--enforce",
            description = "Lets policies of mode Enforce evict pods. Without it, the command only observes if it uses a"
                    + " kubeconfig. With the pod's service account, the configuration and the rights of the account"
                    + " decide.")
    private boolean enforce;

    @Option(
            names = "--http-address",
            paramLabel = "ADDRESS",
            description = "Address that serves probes and metrics, without a port: the configuration sets the ports."
                    + " Default: 127.0.0.1 with a kubeconfig, all addresses with the pod's service account.")
    private @Nullable String httpAddress;

    RunCommand(ProcessEnvironment processEnvironment) {
        this.processEnvironment = processEnvironment;
    }

    @Override
    public Integer call() {
        try {
            OperatorConfig written = config == null ? OperatorConfig.defaults() : OperatorConfig.read(config);
            Logging.configure(written.logLevel(), format(written));
            Kubeconfig credentials = kubeconfigOptions.credentials();
            Kubeconfig.Source source = credentials.source(processEnvironment);
            OperatorConfig settings = onlyObserves(source) ? written.observing() : written;
            Config connection = credentials.connection(processEnvironment);
            announce(connection, source, settings);
            return run(connection, settings, address(source), whenLedgerMissing(source));
        } catch (ConfigException e) {
            return fail(ExitCode.USAGE, e);
        } catch (Kubeconfig.UnusableException | StartException e) {
            return fail(ExitCode.COULD_NOT_RUN, e);
        } catch (InterruptedException _) {
            // A signal came before the operator was started.
            return ExitCode.OK;
        }
    }

    /** Writes the last lines of the log, after the operator is closed and before the process ends. */
    private interface LastLines extends AutoCloseable {
        @Override
        void close();
    }

    private int run(Config connection, OperatorConfig settings, String address, WhenMissing whenLedgerMissing)
            throws StartException, InterruptedException {
        try (CommandLifetime commandLifetime = CommandLifetime.begin(processEnvironment.halt());
                LastLines _ = Logging::close;
                Operator _ = Operator.start(
                        connection,
                        settings,
                        OperatorOptions.of(
                                processEnvironment.clock(),
                                identity(),
                                address,
                                whenLedgerMissing,
                                commandLifetime::fail))) {
            commandLifetime.await();
            Optional<String> failure = commandLifetime.failure();
            failure.ifPresent(this::complain);
            return failure.isPresent() ? ExitCode.COULD_NOT_RUN : ExitCode.OK;
        }
    }

    /** {@return whether no policy may evict: a kubeconfig may be for any cluster, so that evictions need --enforce} */
    private boolean onlyObserves(Kubeconfig.Source source) {
        return switch (source) {
            case Kubeconfig.Source.File _ -> !enforce;
            case Kubeconfig.Source.ServiceAccount _ -> false;
        };
    }

    /** {@return what to do without ledger: in a cluster, the chart has made its ConfigMaps} */
    private static WhenMissing whenLedgerMissing(Kubeconfig.Source source) {
        return switch (source) {
            case Kubeconfig.Source.File _ -> WhenMissing.MAKE;
            case Kubeconfig.Source.ServiceAccount _ -> WhenMissing.HOLD;
        };
    }

    /** Logs, before any request, which cluster the operator connects to, and whether it may evict there. */
    private void announce(Config connection, Kubeconfig.Source source, OperatorConfig settings) {
        LOG.atInfo()
                .addKeyValue(
                        "context",
                        Optional.ofNullable(connection.getCurrentContext())
                                .map(NamedContext::getName)
                                .orElse("the pod's service account"))
                .addKeyValue("server", connection.getMasterUrl())
                .addKeyValue("maxMode", settings.maxMode().label())
                .log(
                        onlyObserves(source)
                                ? "Holdfast connecting in observe-only mode (Audit at most): pass --enforce to allow"
                                        + " evictions"
                                : "Holdfast connecting");
        if (connection.isTrustCerts()) {
            LOG.atWarn()
                    .addKeyValue("server", connection.getMasterUrl())
                    .log("The server's certificate is not verified, because insecure-skip-tls-verify is set: another"
                            + " server could take its place");
        }
    }

    /**
     * {@return the log format: text if the command runs in a terminal without a configuration file, else the configured
     * format}
     */
    private LogFormat format(OperatorConfig settings) {
        boolean terminal = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .isPresent();
        return config == null && terminal ? LogFormat.TEXT : settings.logFormat();
    }

    private String address(Kubeconfig.Source source) {
        if (httpAddress != null) {
            return httpAddress;
        }
        return switch (source) {
            case Kubeconfig.Source.File _ -> "127.0.0.1";
            case Kubeconfig.Source.ServiceAccount _ -> "0.0.0.0";
        };
    }

    private String identity() {
        String host = processEnvironment.environment().getOrDefault("HOSTNAME", "holdfast");
        return host + "_" + UUID.randomUUID().toString().substring(0, 8);
    }

    private int fail(int exitCode, Exception failure) {
        String message = failure.getMessage();
        complain(message == null ? failure.toString() : message);
        return exitCode;
    }

    private void complain(String message) {
        message.lines().forEach(line -> spec.commandLine().getErr().println("holdfast: " + line));
        spec.commandLine().getErr().flush();
    }
}
