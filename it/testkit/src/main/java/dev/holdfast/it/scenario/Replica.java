package dev.holdfast.it.scenario;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.controlplane.AuditTrail;
import dev.holdfast.it.controlplane.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/**
 * One of several operator processes of the same release. Each replica has its own token, so that the audit log shows
 * which replica sent a request.
 *
 * @param token the id of the replica's token in the audit log
 */
public record Replica(OperatorProcess operator, String token) implements AutoCloseable {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** The claim of a ServiceAccount token that has its id. */
    private static final String ID = "jti";

    /** Starts a replica that reaches the API server directly. */
    public static Replica start(ControlPlane controlPlane, InstalledChart chart, String name) {
        return start(controlPlane, chart, name, OperatorLaunch.likeThisJvm());
    }

    /** Starts a replica that reaches the API server directly, for example one of another build. */
    public static Replica start(ControlPlane controlPlane, InstalledChart chart, String name, OperatorLaunch launch) {
        return start(controlPlane, chart, name, launch, controlPlane.config().getMasterUrl());
    }

    /**
     * Starts a replica.
     *
     * @param name the name of the files with its kubeconfig and its log
     * @param url where it reaches the API server, for example through a proxy
     */
    public static Replica start(ControlPlane controlPlane, InstalledChart chart, String name, String url) {
        return start(controlPlane, chart, name, OperatorLaunch.likeThisJvm(), url);
    }

    private static Replica start(
            ControlPlane controlPlane, InstalledChart chart, String name, OperatorLaunch launch, String url) {
        String token = chart.token();
        Path kubeconfig = controlPlane.kubeconfig(name, token);
        try {
            String direct = controlPlane.config().getMasterUrl().replaceAll("/+$", "");
            Files.writeString(kubeconfig, Files.readString(kubeconfig).replace(direct, url.replaceAll("/+$", "")));
            String claims = new String(Base64.getUrlDecoder().decode(token.split("\\.", -1)[1]), UTF_8);
            return new Replica(
                    OperatorProcess.start(
                            launch,
                            kubeconfig,
                            chart.config(),
                            controlPlane.folder().resolve("logs/" + name + ".log")),
                    "JTI=" + JSON.readTree(claims).path(ID).asText());
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start replica " + name, e);
        }
    }

    /** {@return whether the metrics of this replica say that it leads} */
    public boolean leads() {
        return operator.metrics().contains("holdfast_leader 1.0");
    }

    /** {@return the requests of this replica that the API server received after an instant, the oldest first} */
    public List<AuditRecord> requestsAfter(Instant instant, AuditTrail trail) {
        return trail.records().stream()
                .filter(record -> record.token().equals(token))
                .filter(record -> record.received().isAfter(instant))
                .toList();
    }

    /**
     * {@return the requests of this replica after an instant that only a leader may send: all writes, except those for
     * the lease and the checks of its own rights}
     */
    public List<AuditRecord> actionsAfter(Instant instant, AuditTrail trail) {
        return requestsAfter(instant, trail).stream()
                .filter(AuditRecord::isWrite)
                .filter(record ->
                        !record.resource().equals("leases") && !record.group().equals("authorization.k8s.io"))
                .toList();
    }

    /** {@return when this replica first wrote the lease after an instant; empty if no such write is known} */
    public Optional<Instant> leaseAfter(Instant instant, AuditTrail trail) {
        return requestsAfter(instant, trail).stream()
                .filter(record -> record.resource().equals("leases") && record.isWrite() && record.tookEffect())
                .map(AuditRecord::received)
                .findFirst();
    }

    /** Ends the process by SIGKILL, as if its machine were gone. */
    public void kill() {
        operator.close();
    }

    /** Stops the process where it is, as a machine does that hangs, until {@link #resume}. */
    public void freeze() {
        signal("STOP");
    }

    /** Lets a frozen process go on. */
    public void resume() {
        signal("CONT");
    }

    private void signal(String name) {
        try {
            int code = new ProcessBuilder("kill", "-" + name, Long.toString(operator.pid()))
                    .start()
                    .waitFor();
            if (code != 0) {
                throw new IllegalStateException("kill -" + name + " ended with exit code " + code);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot send a signal", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", e);
        }
    }

    /** Kills the process if it still runs. */
    @Override
    public void close() {
        kill();
    }
}
