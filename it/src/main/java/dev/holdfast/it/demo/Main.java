package dev.holdfast.it.demo;

import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/**
 * {@code holdfast demo}: a local control plane, the chart, the operator, six scenes. Exits with 0 only if every scene
 * was seen to end as it should, in the operator's events and status and in the API server's audit log; with {@code --keep} it leaves everything
 * running until it is interrupted.
 */
public final class Main {
    private final Narrator narrator = new Narrator(System.out, InstantSource.system());

    private Main() {}

    /** Plays the demo; the only argument is {@code --keep}. */
    public static void main(String[] args) throws InterruptedException {
        if (!List.of().equals(List.of(args)) && !List.of("--keep").equals(List.of(args))) {
            System.err.println(
                    "holdfast demo: unknown argument in '" + String.join(" ", args) + "'; only --keep is allowed");
            System.exit(2);
        }
        System.exit(new Main().play(args.length > 0));
    }

    private int play(boolean keep) throws InterruptedException {
        narrator.say(
                "starting a local control plane: etcd, kube-apiserver, controllers, scheduler, kwok for the nodes");
        try (ControlPlane controlPlane = ControlPlane.start()) {
            narrator.say("installing the chart with enforcement.enabled=true");
            InstalledChart chart = InstalledChart.install(controlPlane, "holdfast", "enforcement.enabled=true");
            narrator.say("starting the operator as " + chart.user());
            try (OperatorProcess operator = OperatorProcess.start(
                            chart.kubeconfig(),
                            chart.config(),
                            controlPlane.folder().resolve("logs/operator.log"));
                    KubernetesClient client = new KubernetesClientBuilder()
                            .withConfig(controlPlane.config())
                            .build()) {
                boolean asItShould = new Performance(client, controlPlane.auditTrail(), chart.user(), narrator)
                        .play(operator::isReady);
                if (!asItShould) {
                    System.err.println("the operator's log:\n" + String.join("\n", operator.log()));
                }
                if (keep) {
                    showAround(controlPlane);
                    new CountDownLatch(1).await();
                }
                return asItShould ? 0 : 1;
            }
        }
    }

    private static void showAround(ControlPlane controlPlane) {
        String kubectl = controlPlane.binary(Program.KUBECTL) + " --kubeconfig " + controlPlane.kubeconfig();
        System.out.printf("""

            The cluster stays up until you press Ctrl-C. Look around:
              %1$s get plpol -A
              %1$s describe plpol -n held keep
              %1$s get events -n topology-spread --sort-by .lastTimestamp
              %1$s get pods -A -o wide
            Logs are in %2$s
            """, kubectl, controlPlane.folder().resolve("logs"));
    }
}
