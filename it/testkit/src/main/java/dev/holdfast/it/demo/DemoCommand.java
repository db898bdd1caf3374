package dev.holdfast.it.demo;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import dev.holdfast.operator.offline.demo.Narrator;
import dev.holdfast.operator.offline.demo.SimulatedDemo;
import dev.holdfast.operator.offline.demo.TerminalCapabilities;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command line {@code holdfast demo}. */
@Command(
        name = "holdfast demo",
        description = "Starts a local control plane with the operator, breaks a rule of each kind, and shows how the"
                + " operator reacts. Takes about a minute once everything is built. While the control plane is built,"
                + " about ten minutes once, the scenes are played on the simulator.",
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  every scene ended as expected",
            "  1  a scene ended otherwise",
            "  2  the command line is invalid",
            "  3  the demo could not run: see the last line",
            "  130, 143  stopped by Ctrl-C, by SIGTERM"
        })
final class DemoCommand implements Callable<Integer> {
    private static final int NOT_AS_EXPECTED = 1;
    private static final int USAGE = 2;
    private static final int COULD_NOT_RUN = 3;

    private static final List<String> NEXT = """
        Next: ./holdfast demo --keep      leaves the cluster up, to look around with kubectl
              ./holdfast demo --verbose   prints every event in full
              docs/tutorial.md            the first policy in your own cluster
        """.lines().toList();

    @Option(
            names = "--simulated",
            description = "Plays the scenes on the simulator alone, which takes some seconds and no control plane.")
    private boolean simulated;

    @Option(names = "--real", description = "Plays the scenes on the local control plane alone, built or not.")
    private boolean real;

    @Option(
            names = "--keep",
            description = "Leaves the cluster up after the last scene, until Ctrl-C, and prints how to look around"
                    + " with kubectl.")
    private boolean keep;

    @Option(names = "--verbose", description = "Prints the full text of every event of the operator after its scene.")
    private boolean verbose;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli reads it
    private boolean help;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli fills it in before anything is run
    private CommandSpec spec;

    private final PrintWriter out;
    private final PrintStream err;
    private final InstantSource clock;
    private final TerminalCapabilities terminal;
    private final Launcher launcher;

    /**
     * How the local control plane is started.
     *
     * @param isBuilt whether its programs are built already
     * @param start builds the programs if needed, and starts the control plane
     */
    record Launcher(BooleanSupplier isBuilt, Supplier<ControlPlane> start) {}

    private DemoCommand(
            PrintStream out, PrintStream err, InstantSource clock, TerminalCapabilities terminal, Launcher launcher) {
        this.out = new PrintWriter(out, false, out.charset());
        this.err = err;
        this.clock = clock;
        this.terminal = terminal;
        this.launcher = launcher;
    }

    /**
     * {@return the parser of the command line, which also runs the demo}
     *
     * @param terminal the capabilities of the device that shows {@code out}
     */
    static CommandLine commandLine(
            PrintStream out, PrintStream err, InstantSource clock, TerminalCapabilities terminal, Launcher launcher) {
        CommandLine command = new CommandLine(new DemoCommand(out, err, clock, terminal, launcher));
        command.setParameterExceptionHandler((wrong, _) -> {
            err.println("holdfast demo: " + wrong.getMessage() + "\nTry: holdfast demo --help");
            return USAGE;
        });
        return command;
    }

    @Override
    public Integer call() throws InterruptedException {
        if (simulated && (real || keep)) {
            throw new ParameterException(
                    spec.commandLine(), "--simulated takes no cluster: leave out " + (real ? "--real" : "--keep"));
        }
        Narrator narrator = new Narrator(out, clock, terminal, detail());
        try (StopSignal stopSignal =
                StopSignal.watch(() -> narrator.lastWords(() -> farewell(ControlPlane.closeAll())))) {
            return play(narrator, stopSignal);
        }
    }

    /**
     * {@return the last line of the demo}
     *
     * @param left the processes and folders that could not be removed; may be empty
     */
    static String farewell(List<String> left) {
        return left.isEmpty()
                ? "stopped: nothing of the demo is left"
                : "stopped, but not everything could be removed: " + String.join("; ", left)
                        + ". The next demo tries again";
    }

    private int play(Narrator narrator, StopSignal stopSignal) throws InterruptedException {
        try {
            return play(narrator);
        } catch (RuntimeException e) {
            narrator.clear();
            if (!stopSignal.isSoon()) {
                err.println(
                        "holdfast demo: " + Optional.ofNullable(e.getMessage()).orElseGet(e::toString));
            }
            return COULD_NOT_RUN;
        }
    }

    private Narrator.Detail detail() {
        return verbose ? Narrator.Detail.ALL_EVENTS : Narrator.Detail.SUMMARY;
    }

    private int play(Narrator narrator) throws InterruptedException {
        boolean asExpected;
        if (simulated) {
            asExpected = playSimulated();
        } else if (real || launcher.isBuilt().getAsBoolean()) {
            narrator.say("starting a local control plane: etcd, kube-apiserver, controllers, scheduler, kwok");
            asExpected = playReal(narrator, launcher.start().get());
        } else {
            narrator.say("building a local control plane, about ten minutes once: etcd, kube-apiserver, controllers,"
                    + " scheduler, kwok;\nmeanwhile, here are the scenes on the simulator");
            CompletableFuture<ControlPlane> starting = CompletableFuture.supplyAsync(launcher.start());
            asExpected = playSimulated();
            narrator.write(List.of(""));
            narrator.say("the same scenes follow on the real control plane, once it is built");
            asExpected &= playReal(narrator, join(starting));
        }
        return asExpected ? 0 : NOT_AS_EXPECTED;
    }

    private boolean playSimulated() {
        return SimulatedDemo.play().print(out, terminal, detail());
    }

    private static ControlPlane join(CompletableFuture<ControlPlane> starting) {
        try {
            return starting.join();
        } catch (CompletionException e) {
            throw e.getCause() instanceof RuntimeException cause ? cause : e;
        }
    }

    private boolean playReal(Narrator narrator, ControlPlane started) throws InterruptedException {
        try (ControlPlane controlPlane = started) {
            narrator.say("installing the chart with enforcement.enabled=true");
            InstalledChart chart =
                    InstalledChart.install(controlPlane, "holdfast", "enforcement.enabled=true", Stage.MANY_STAGES);
            narrator.say("starting the operator as " + chart.user());
            Path log = controlPlane.folder().resolve("logs/operator.log");
            try (OperatorProcess operator = OperatorProcess.start(chart.kubeconfig(), chart.config(), log);
                    OperatorWatch _ = OperatorWatch.over(operator, log, narrator);
                    KubernetesClient client = new KubernetesClientBuilder()
                            .withConfig(controlPlane.config())
                            .build()) {
                boolean asExpected =
                        new DemoRun(client, controlPlane.auditTrail(), chart.user(), narrator).play(operator::isReady);
                if (!asExpected) {
                    err.println("\nThe operator's log:\n" + String.join("\n", operator.log()));
                }
                narrator.write(keep ? lookAround(controlPlane) : NEXT);
                if (keep) {
                    new CountDownLatch(1).await();
                }
                return asExpected;
            }
        }
    }

    private static List<String> lookAround(ControlPlane controlPlane) {
        return """
            The cluster stays up until you press Ctrl-C. Logs: %3$s
            To look around with kubectl, in another shell:
              export KUBECONFIG=%1$s
              export PATH="%2$s:$PATH"
              kubectl describe plpol -n held keep
              kubectl get events -n topology-spread --sort-by .lastTimestamp
              kubectl get pods -A -o wide
            """.formatted(
                controlPlane.kubeconfig(),
                controlPlane.binary(Program.KUBECTL).getParent(),
                controlPlane.folder().resolve("logs")).lines().toList();
    }
}
