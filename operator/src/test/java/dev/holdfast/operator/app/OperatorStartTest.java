package dev.holdfast.operator.app;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.MetricsSettings;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.feed.WebSocketApiServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** An operator that fails to start closes all its parts, even those that were never started. */
class OperatorStartTest {
    private static final String CRD =
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/placementpolicies.holdfast.dev";

    /** The bodies of the answers, by path; other paths are not found. */
    private final Map<String, String> answers =
            new ConcurrentHashMap<>(Map.of("/version", "{\"major\": \"1\", \"minor\": \"37\"}"));

    private final WebSocketApiServer server = new WebSocketApiServer(
            asked -> Optional.ofNullable(answers.get(asked.target().replaceFirst("\\?.*", "")))
                    .map(body -> new WebSocketApiServer.Reply.Says(200, body))
                    .orElseGet(() -> new WebSocketApiServer.Reply.Says(404, "{}")));
    private final Logger logger = (Logger) LoggerFactory.getLogger("holdfast");
    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private final List<String> fatal = new ArrayList<>();

    @TempDir
    private Path folder = Path.of("");

    @BeforeEach
    void listen() {
        lines.start();
        logger.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        logger.detachAppender(lines);
        server.close();
    }

    private void start(int port) throws StartException, InterruptedException {
        start(port, new MetricsSettings(0, false, Optional.empty(), false));
    }

    private void start(int port, MetricsSettings metrics) throws StartException, InterruptedException {
        SteadyClock clock = new SteadyClock(() -> Instant.EPOCH, () -> 0);
        OperatorOptions options = OperatorOptions.embedded(clock, "me", fatal::add);
        Operator.start(server.connection(), config(port, metrics), options).close();
    }

    private static OperatorConfig config(int port, MetricsSettings metrics) {
        OperatorConfig defaults = OperatorConfig.defaults();
        return new OperatorConfig(
                defaults.defaultForgiveness(),
                defaults.maxMode(),
                defaults.protectedNamespaces(),
                defaults.schedulerNames(),
                defaults.exemptNamespaces(),
                defaults.operatorLimits(),
                defaults.replacementTimes(),
                defaults.brakes(),
                defaults.lease(),
                port,
                metrics,
                defaults.logLevel(),
                defaults.logFormat());
    }

    private void assertThatNothingIsSaid() {
        assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).isEmpty();
        assertThat(fatal).isEmpty();
    }

    @Test
    void onAPortThatIsTaken() throws IOException {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            assertThatExceptionOfType(StartException.class)
                    .isThrownBy(() -> start(taken.getLocalPort()))
                    .withMessageStartingWith("cannot listen on 127.0.0.1:" + taken.getLocalPort());
        }

        assertThatNothingIsSaid();
        assertThat(server.received()).isEmpty();
    }

    @Test
    void withoutTheCertificateThatItsConfigurationNames() {
        MetricsSettings metrics = new MetricsSettings(0, true, Optional.of(folder), false);

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(0, metrics))
                .withMessage(
                        "cannot serve metrics by HTTPS: " + folder + "/tls.crt does not exist; the folder must have"
                                + " the files of a Secret of type kubernetes.io/tls");

        assertThatNothingIsSaid();
        assertThat(server.received()).isEmpty();
    }

    @Test
    void whereThePolicyKindsAreNotInstalled() {
        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(0))
                .withMessageStartingWith("PlacementPolicy CRD is not installed");

        assertThatNothingIsSaid();
        assertThat(server.received()).hasSize(2);
    }

    @Test
    void besideAnOperatorWithAnotherLease() {
        for (String kind : List.of("placementpolicies", "clusterplacementpolicies", "enforcementpauses")) {
            answers.put("/apis/holdfast.dev/v1alpha1/" + kind, "{\"metadata\": {}, \"items\": []}");
        }
        answers.put(CRD, "{\"metadata\": {\"annotations\": {\"holdfast.dev/lease\": \"locks/holdfast\"}}}");

        assertThatExceptionOfType(StartException.class)
                .isThrownBy(() -> start(0))
                .withMessageStartingWith("the operator of this cluster uses the lease locks/holdfast");

        assertThatNothingIsSaid();
        assertThat(server.received())
                .extracting(WebSocketApiServer.Request::method)
                .as("it only reads")
                .containsOnly("GET");
    }
}
