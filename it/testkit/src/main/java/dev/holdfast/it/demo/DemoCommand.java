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

/** {@code holdfast demo}. */
@Command(
        name = "holdfast demo",
        description = "Starts a local control plane with the operator in it, breaks a rule of each kind, and tells what"
                + " becomes of it. About a minute, once everything is built.",
        footerHeading = "%nExit codes:%n",
        footer = {
            "  0  every scene was seen to end as it should",
            "  1  some scene did not",
            "  2  the command line cannot be used",
            "  3  the demo could not run: see the last line",
            "  130, 143  ended by Ctrl-C, by SIGTERM"
        })
final class DemoCommand implements Callable<Integer> {
    private static final int NOT_AS_IT_SHOULD = 1;
    private static final int USAGE = 2;
    private static final int COULD_NOT_RUN = 3;

    @Option(
            names = "--keep",
            description = "Leaves the cluster up after the last scene, until Ctrl-C, and prints how to look around"
                    + " with kubectl.")
    private boolean keep;

    @Option(
            names = {"-h", "--help"},
            usageHelp = true,
            description = "Show this help message and exit.")
    @SuppressWarnings("UnusedVariable") // picocli looks at it
    private boolean help;

    private final PrintStream out;
    private final PrintStream err;
    private final Narrator narrator;

    private DemoCommand(PrintStream out, PrintStream err, InstantSource clock) {
        this.out = out;
        this.err = err;
        this.narrator = new Narrator(out, clock);
    }

    /** {@return the command, to be executed} */
    static CommandLine commandLine(PrintStream out, PrintStream err, InstantSource clock) {
        CommandLine command = new CommandLine(new DemoCommand(out, err, clock));
        command.setParameterExceptionHandler((wrong, _) -> {
            err.println("holdfast demo: " + wrong.getMessage() + "\nTry: holdfast demo --help");
            return USAGE;
        });
        return command;
    }

    @Override
    public Integer call() throws InterruptedException {
        try (StopSignal stopSignal =
                StopSignal.watch(() -> narrator.lastWords(() -> farewell(ControlPlane.closeAll())))) {
            return play(stopSignal);
        }
    }

    /** @param left what did not go away */
    static String farewell(List<String> left) {
        return left.isEmpty()
                ? "ended: told to stop, nothing of the demo stays"
                : "ended: told to stop, but not all is gone: " + String.join("; ", left)
                        + ". The next demo tries again";
    }

    private int play(StopSignal stopSignal) throws InterruptedException {
        try {
            return play();
        } catch (RuntimeException e) {
            if (!stopSignal.isSoon()) {
                err.println(
                        "holdfast demo: " + Optional.ofNullable(e.getMessage()).orElseGet(e::toString));
            }
            return COULD_NOT_RUN;
        }
    }

    private int play() throws InterruptedException {
        narrator.say(
                "starting a local control plane: etcd, kube-apiserver, controllers, scheduler, kwok for the nodes");
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
                boolean asItShould =
                        new DemoRun(client, controlPlane.auditTrail(), chart.user(), narrator).play(operator::isReady);
                if (!asItShould) {
                    err.println("the operator's log:\n" + String.join("\n", operator.log()));
                }
                if (keep) {
                    showAround(controlPlane);
                    new CountDownLatch(1).await();
                }
                return asItShould ? 0 : NOT_AS_IT_SHOULD;
            }
        }
    }

    private void showAround(ControlPlane controlPlane) {
        String kubectl = controlPlane.binary(Program.KUBECTL) + " --kubeconfig " + controlPlane.kubeconfig();
        out.printf("""

            The cluster stays up until you press Ctrl-C. Look around:
              %1$s get plpol -A
              %1$s describe plpol -n held keep
              %1$s get events -n topology-spread --sort-by .lastTimestamp
              %1$s get pods -A -o wide
            Logs are in %2$s
            """, kubectl, controlPlane.folder().resolve("logs"));
    }
}
