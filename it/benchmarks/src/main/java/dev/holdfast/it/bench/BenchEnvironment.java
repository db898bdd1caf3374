package dev.holdfast.it.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.bench.cluster.Etcd;
import dev.holdfast.it.bench.cluster.FilledCluster;
import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.PodAccount;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.scenario.OperatorLaunch;
import dev.holdfast.it.scenario.OperatorProcess;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;

/**
 * The environment of one bench: a control plane with the chart installed, and the command that starts the operator.
 *
 * @param client a client with all rights
 * @param progress prints a line
 */
record BenchEnvironment(
        ControlPlane controlPlane,
        InstalledChart chart,
        OperatorLaunch launch,
        KubernetesClient client,
        Etcd etcd,
        AuditTrail trail,
        InstantSource clock,
        Consumer<String> progress) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);
    private static final Duration READY_POLL_INTERVAL = Duration.ofMillis(5);

    /** The time between two reads of the policy. More reads would distort the measured CPU time of the API server. */
    private static final Duration POLICY_POLL_INTERVAL = Duration.ofMillis(100);

    private static final double NANOS = 1e9;

    /**
     * How long to wait before the audit log is read: the API server logs a watch only some time after the watch has
     * ended.
     */
    private static final Duration WRITING = Duration.ofSeconds(2);

    /**
     * How long the operator must have sent no request before it counts as settled. It is more than a minute, because
     * the operator may write a Kubernetes event up to a minute late.
     */
    private static final Duration SETTLED = Duration.ofSeconds(70);

    void say(String text) {
        progress.accept(text);
    }

    /** Waits until something is so. If it takes more than 5 minutes, the bench fails with a message that names it. */
    void await(String what, Duration interval, Callable<Boolean> isSo) {
        Awaitility.await(what + " (logs in " + controlPlane.folder().resolve("logs") + ")")
                .atMost(LONGEST_WAIT)
                .pollDelay(Duration.ZERO)
                .pollInterval(interval)
                .until(isSo);
    }

    /** Waits until the policy's status counts all pods that it selects, and exactly the violating ones. */
    void awaitComplete(BenchPolicy policy, int pods, int violating) {
        await(
                "the policy's status counts " + violating + " violating pods of " + pods,
                POLICY_POLL_INTERVAL,
                () -> policy.count("selected") == pods && policy.count("violating") == violating);
    }

    /** {@return the seconds since an instant} */
    double since(Instant start) {
        return seconds(start, clock.instant());
    }

    static double seconds(Instant from, Instant to) {
        return Duration.between(from, to).toNanos() / NANOS;
    }

    /** Stops the controllers, the scheduler and the simulated nodes, and fills the cluster. */
    FilledCluster fill(int nodes, int pods) throws InterruptedException, IOException {
        FilledCluster.prepare(client);
        for (Program server : new Program[] {Program.KWOK, Program.KUBE_SCHEDULER, Program.KUBE_CONTROLLER_MANAGER}) {
            controlPlane.stop(server);
        }
        say("writing " + nodes + " nodes and " + pods + " pods into etcd");
        FilledCluster filled = FilledCluster.fill(client, etcd, nodes, pods);
        // Until the API server has the pods in its watch cache, it reads a list from etcd, which takes longer than an
        // operator waits for it.
        await("the API server has all pods in its cache", Duration.ofSeconds(1), this::isCached);
        return filled;
    }

    private boolean isCached() {
        try {
            String newest = JSON.readTree(client.raw("/api/v1/pods?limit=1"))
                    .at("/metadata/resourceVersion")
                    .asText();
            client.raw("/api/v1/pods?limit=1&resourceVersionMatch=NotOlderThan&resourceVersion=" + newest);
            return true;
        } catch (KubernetesClientException | IOException _) {
            return false;
        }
    }

    /**
     * An operator process.
     *
     * @param at the instant of its start
     */
    record Launched(OperatorProcess process, Instant at) {}

    /** Starts an operator and returns it at once, before it is ready. */
    Launched launchOperator(String name) {
        return launchOperator(name, chart.config());
    }

    private Launched launchOperator(String name, String config) {
        Path log = controlPlane.folder().resolve("logs/" + name + ".log");
        PodAccount account = chart.podAccount();
        Instant at = clock.instant();
        return new Launched(OperatorProcess.startAsPod(launch, account, config, log), at);
    }

    /**
     * An operator process that is ready.
     *
     * @param seconds the time from the start of the process to the first 200 from /readyz
     */
    record Started(OperatorProcess process, double seconds) {}

    /** Starts an operator, waits until it is ready, and returns it. */
    Started startOperator(String name, String config) {
        say("starting " + name);
        Launched launched = launchOperator(name, config);
        OperatorProcess process = launched.process();
        try {
            await(name + " is ready", READY_POLL_INTERVAL, process::isReady);
            return new Started(process, since(launched.at()));
        } catch (ConditionTimeoutException e) {
            process.close();
            throw e;
        }
    }

    /** Stops an operator with SIGTERM, as Kubernetes does. */
    void stop(OperatorProcess operator) {
        int code = operator.stop();
        if (code != 0) {
            throw new IllegalStateException("the operator ended with exit code " + code
                    + " when it was stopped; see its log in "
                    + controlPlane.folder().resolve("logs"));
        }
    }

    /** {@return the operator's requests to the API server in the period; its process must have ended} */
    ApiCalls calls(Instant from, Instant to) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(WRITING.toNanos());
        return ApiCalls.of(trail.records(), chart.user(), from, to);
    }

    /** Waits for this many minutes. No object in the cluster may change meanwhile. */
    void stayQuiet(double minutes) throws InterruptedException {
        say("no changes for " + minutes + " minutes");
        TimeUnit.MILLISECONDS.sleep(Math.round(minutes * TimeUnit.MINUTES.toMillis(1)));
    }

    /**
     * Waits until the operator has sent no requests for the time {@link #SETTLED}. Renewals of its lease do not count.
     * Gives up after five minutes, and prints that.
     *
     * @param others the requests that do not count either: {@code update configmaps}
     */
    void settle(Set<String> others) {
        say("waiting until the operator has reported all changes");
        Instant begun = clock.instant();
        try {
            await("the operator has reported all changes", Duration.ofSeconds(1), () -> {
                Instant now = clock.instant();
                Instant from = now.minus(SETTLED);
                return !begun.isAfter(from)
                        && others.containsAll(ApiCalls.of(trail.records(), chart.user(), from, now)
                                .beyondRenewals()
                                .keySet());
            });
        } catch (ConditionTimeoutException _) {
            say("the operator still sends requests");
        }
    }
}
