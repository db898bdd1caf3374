package dev.holdfast.it.demo;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import dev.holdfast.it.scenario.Stage;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.PrintStream;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** The command line {@code holdfast demo}. */
@Command(
        name = "holdfast demo",
        description = "Starts a local control plane with the operator, breaks a rule of each kind, and shows how the"
                + " operator reacts. Takes about a minute once everything is built.",
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  every scene ended as expected",
            "  1  a scene did not",
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

    private final PrintStream out;
    private final PrintStream err;
    private final InstantSource clock;
    private final Terminal terminal;

    private DemoCommand(PrintStream out, PrintStream err, InstantSource clock, Terminal terminal) {
        this.out = out;
        this.err = err;
        this.clock = clock;
        this.terminal = terminal;
    }

    /**
     * {@return the parser of the command line, which also runs the demo}
     *
     * @param terminal the capabilities of the device that shows {@code out}
     */
    static CommandLine commandLine(PrintStream out, PrintStream err, InstantSource clock, Terminal terminal) {
        CommandLine command = new CommandLine(new DemoCommand(out, err, clock, terminal));
        command.setParameterExceptionHandler((wrong, _) -> {
            err.println("holdfast demo: " + wrong.getMessage() + "\nTry: holdfast demo --help");
            return USAGE;
        });
        return command;
    }

    @Override
    public Integer call() throws InterruptedException {
        Narrator narrator =
                new Narrator(out, clock, terminal, verbose ? Narrator.Detail.ALL_EVENTS : Narrator.Detail.SUMMARY);
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

    private int play(Narrator narrator) throws InterruptedException {
        narrator.say("starting a local control plane: etcd, kube-apiserver, controllers, scheduler, kwok");
        try (ControlPlane controlPlane = ControlPlane.start()) {
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
                return asExpected ? 0 : NOT_AS_EXPECTED;
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
