package dev.holdfast.it.scenario;

import dev.holdfast.it.controlplane.ChildProcesses;
import dev.holdfast.it.controlplane.FreePorts;
import dev.holdfast.it.controlplane.PodAccount;
import dev.holdfast.it.controlplane.TimeLimits;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The operator in a separate process, started as by {@code holdfast run}. The process ends with this JVM at the latest.
 */
public final class OperatorProcess implements AutoCloseable {
    /** The time that the chart gives an operator to end; Kubernetes kills a slower one. */
    private static final Duration GRACE_PERIOD = Duration.ofSeconds(30);

    private static final Pattern DEADLINE = Pattern.compile("\"deadline\":\"([^\"]+)\"");

    private final HttpClient http =
            HttpClient.newBuilder().connectTimeout(TimeLimits.ANSWER).build();
    private final Process process;
    private final int port;
    private final int metricsPort;
    private final Path log;

    private OperatorProcess(Process process, int port, int metricsPort, Path log) {
        this.process = process;
        this.port = port;
        this.metricsPort = metricsPort;
        this.log = log;
    }

    /**
     * Starts the operator with this JVM's own class path.
     *
     * @param config the text of its configuration file; free ports replace the ports in it
     * @param log the operator's output is appended to this file
     */
    public static OperatorProcess start(Path kubeconfig, String config, Path log) {
        return start(OperatorLaunch.likeThisJvm(), kubeconfig, config, log);
    }

    /**
     * Starts the operator, for example that of another build.
     *
     * @param config the text of its configuration file; free ports replace the ports in it
     * @param log the operator's output is appended to this file
     */
    public static OperatorProcess start(OperatorLaunch launch, Path kubeconfig, String config, Path log) {
        ProcessBuilder builder = new ProcessBuilder(launch.command());
        builder.command().addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return start(builder, config, log);
    }

    /**
     * Starts the operator without {@code --enforce}, as a user does who only wants to see what policies would do.
     *
     * @param config the text of its configuration file; free ports replace the ports in it
     * @param log the operator's output is appended to this file
     */
    public static OperatorProcess startObserving(Path kubeconfig, String config, Path log) {
        ProcessBuilder builder = new ProcessBuilder(OperatorLaunch.likeThisJvm().command());
        builder.command().remove("--enforce");
        builder.command().addAll(List.of("--kubeconfig", kubeconfig.toString()));
        return start(builder, config, log);
    }

    /**
     * Starts the operator with the environment and credentials that it has in a pod.
     *
     * @param config the text of its configuration file; free ports replace the ports in it
     * @param log the operator's output is appended to this file
     */
    public static OperatorProcess startAsPod(OperatorLaunch launch, PodAccount account, String config, Path log) {
        ProcessBuilder builder = new ProcessBuilder(launch.with(account.flags()).command());
        account.putInto(builder.environment());
        return start(builder, config, log);
    }

    private static OperatorProcess start(ProcessBuilder builder, String config, Path log) {
        List<Integer> ports = FreePorts.find(2);
        int port = ports.get(0);
        int metricsPort = ports.get(1);
        try {
            Path file = Files.createTempFile(log.toAbsolutePath().getParent(), "operator", ".yaml");
            Files.writeString(file, withPort(withPort(config, "http", port), "metrics", metricsPort));
            builder.command().addAll(List.of("--config", file.toString()));
            builder.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
            return new OperatorProcess(ChildProcesses.startApart(builder), port, metricsPort, log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write the operator's configuration beside " + log, e);
        }
    }

    /** {@return the configuration with another port in one section, which is added if it is not there} */
    private static String withPort(String config, String section, int port) {
        return config.contains("\n" + section + ":\n") || config.startsWith(section + ":\n")
                ? config.replaceAll("(?m)^(" + section + ":\\n(?: +\\w+: \\S+\\n)*? +port: )\\d+$", "$1" + port)
                : config.stripTrailing() + "\n" + section + ":\n  port: " + port + "\n";
    }

    /** {@return whether the readiness endpoint of the operator answers 200} */
    public boolean isReady() {
        if (!process.isAlive()) {
            throw new IllegalStateException("the operator ended with exit code " + process.exitValue() + "; its log is "
                    + log + ":\n" + tail());
        }
        return status("/readyz") == 200;
    }

    /** {@return the HTTP status of a GET of this path from the operator; 0 if it does not answer} */
    public int status(String path) {
        try {
            return get(port, path).statusCode();
        } catch (IOException _) {
            return 0;
        }
    }

    /** {@return the operator's metrics, in the Prometheus text format} */
    public String metrics() {
        try {
            return get(metricsPort, "/metrics").body();
        } catch (IOException e) {
            throw new UncheckedIOException("the operator serves no metrics", e);
        }
    }

    /** {@return whether its metrics show a violation for the policy {@code keep} of a namespace} */
    public boolean seesViolation(String namespace) {
        return metrics()
                .lines()
                .filter(it -> it.startsWith("holdfast_violations{"))
                .filter(it -> it.contains("policy=\"" + namespace + "/keep\""))
                .anyMatch(it -> !it.endsWith(" 0.0"));
    }

    /**
     * {@return when the violation was due for which it first requested an eviction for the policy {@code keep} of a
     * namespace, according to its audit log; fails if it requested none}
     */
    public Instant deadlineOfEviction(String namespace) {
        return log().stream()
                .filter(line -> line.contains("\"event\":\"Requested\"")
                        && line.contains("\"policy\":\"" + namespace + "/keep\""))
                .map(DEADLINE::matcher)
                .filter(Matcher::find)
                .map(deadline -> Instant.parse(deadline.group(1)))
                .findFirst()
                .orElseThrow();
    }

    /**
     * {@return the reply of an operator with {@code metrics.secure} to a GET of its metrics: the status and, behind a
     * space, the body}
     *
     * @param authority the only certificate authority that the client trusts
     * @param token the client's bearer token; the empty string for none
     */
    public String secureMetrics(X509Certificate authority, String token) {
        return SecureGet.reply(URI.create("https://127.0.0.1:" + metricsPort + "/metrics"), authority, token);
    }

    /** {@return the same reply, from an operator whose certificate is its own, so that the client cannot verify it} */
    public String unverifiedMetrics(String token) {
        return SecureGet.unverifiedReply(URI.create("https://127.0.0.1:" + metricsPort + "/metrics"), token);
    }

    private HttpResponse<String> get(int port, String path) throws IOException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(TimeLimits.ANSWER)
                .build();
        try {
            return http.send(request, HttpResponse.BodyHandlers.ofString());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }

    /** {@return the port of the probes} */
    public int port() {
        return port;
    }

    /** {@return the port of the metrics} */
    public int metricsPort() {
        return metricsPort;
    }

    /** {@return the process id} */
    public long pid() {
        return process.pid();
    }

    /** {@return the lines that the operator has printed} */
    public List<String> log() {
        try {
            return Files.readAllLines(log);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + log, e);
        }
    }

    private String tail() {
        List<String> lines = log();
        return String.join("\n", lines.subList(Math.max(0, lines.size() - 30), lines.size()));
    }

    /**
     * Sends SIGTERM, as Kubernetes does, and waits until the operator has ended.
     *
     * @return the operator's exit code
     */
    public int stop() {
        process.destroy();
        return exitCode(GRACE_PERIOD);
    }

    /** Waits until the operator has ended by itself, and returns its exit code. */
    public int exitCode() {
        return exitCode(TimeLimits.STATE);
    }

    private int exitCode(Duration limit) {
        try {
            if (!process.waitFor(limit.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new IllegalStateException("the operator did not end within " + limit + ":\n" + tail());
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Kills the operator if it still runs. */
    @Override
    public void close() {
        process.destroyForcibly();
        http.close();
    }
}
