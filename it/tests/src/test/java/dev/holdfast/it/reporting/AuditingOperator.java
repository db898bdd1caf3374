package dev.holdfast.it.reporting;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.app.Operator;
import dev.holdfast.operator.app.OperatorOptions;
import dev.holdfast.operator.app.StartException;
import dev.holdfast.operator.config.LeaseSettings;
import dev.holdfast.operator.config.MetricsSettings;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.policies.engine.protocol.BreakerSettings;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * An operator in this JVM whose mode is capped at Audit, so that it evicts nothing, and that writes statuses at once.
 */
final class AuditingOperator implements AutoCloseable {
    /** Thresholds that no test reaches: otherwise the label breaker would open, since tests take labels from nodes. */
    private static final BreakerSettings NO_BRAKES = new BreakerSettings("holdfast", 100, 1_000, 100, 1_000);

    private final Operator operator;
    private final HttpClient http = HttpClient.newHttpClient();

    private AuditingOperator(Operator operator) {
        this.operator = operator;
    }

    /** Starts an operator whose leader election Lease is in the namespace. */
    static AuditingOperator start(Config connection, String namespace) {
        OperatorConfig defaults = OperatorConfig.defaults();
        LeaseSettings lease = defaults.lease();
        OperatorConfig config = new OperatorConfig(
                Duration.ofSeconds(1),
                Mode.AUDIT,
                defaults.protectedNamespaces(),
                defaults.schedulerNames(),
                defaults.exemptNamespaces(),
                defaults.operatorLimits(),
                defaults.replacementTimes(),
                NO_BRAKES,
                new LeaseSettings(namespace, "holdfast", lease.duration(), lease.renewDeadline(), lease.retryPeriod()),
                defaults.scheduling(),
                0,
                new MetricsSettings(0, false, Optional.empty(), true),
                defaults.logLevel(),
                defaults.logFormat());
        OperatorOptions options = OperatorOptions.embedded(
                        new SteadyClock(InstantSource.system(), System::nanoTime),
                        "reporting-" + UUID.randomUUID(),
                        failure -> System.err.println("the operator failed: " + failure))
                .withStatusInterval(Duration.ofMillis(100));
        try {
            return new AuditingOperator(Operator.start(connection, config, options));
        } catch (StartException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    boolean isReady() {
        return operator.views().allSynced() && operator.leads();
    }

    /** {@return the lines of the metrics page that contain all these parts} */
    List<String> metrics(String... parts) {
        URI uri = URI.create("http://127.0.0.1:" + operator.metricsPort() + "/metrics");
        try {
            return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
                    .body()
                    .lines()
                    .filter(line -> List.of(parts).stream().allMatch(line::contains))
                    .toList();
        } catch (IOException e) {
            throw new IllegalStateException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        operator.close();
        http.close();
    }
}
