package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import org.slf4j.event.KeyValuePair;

/** Tests the log lines for failed status writes. */
class StatusErrorsTest {
    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger(StatusErrors.class);
    private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");

    private final ListAppender<ILoggingEvent> lines = new ListAppender<>();
    private Instant now = START;
    private final StatusErrors trouble = new StatusErrors(() -> now);

    @BeforeEach
    void listen() {
        lines.start();
        LOGGER.addAppender(lines);
    }

    @AfterEach
    void stopListening() {
        LOGGER.detachAppender(lines);
    }

    private static PlacementPolicy policy(String name) {
        PlacementPolicy policy = new PlacementPolicy();
        policy.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName(name).build());
        return policy;
    }

    private static KubernetesClientException unreachable() {
        return new KubernetesClientException("no", new ConnectException("Connection refused"));
    }

    private List<String> told() {
        return lines.list.stream()
                .map(line -> line.getLevel() + " " + line.getFormattedMessage() + " " + values(line))
                .toList();
    }

    private static List<String> values(ILoggingEvent line) {
        return line.getKeyValuePairs().stream().map(KeyValuePair::toString).toList();
    }

    @Test
    void anApiServerThatIsAwayIsSaidOnceAMinuteForAllAndWithoutAStack() {
        trouble.report(policy("web"), unreachable());
        trouble.report(policy("db"), unreachable());
        now = START.plusSeconds(59);
        trouble.report(policy("web"), unreachable());

        assertThat(told())
                .containsExactly("WARN Failed to write a status, will retry; further failures are not logged for a"
                        + " minute"
                        + " [object=\"PlacementPolicy shop/web\", reason=\"cannot reach the API server to patch"
                        + " placementpolicies.holdfast.dev/status: Connection refused\"]");
        assertThat(lines.list.getFirst().getThrowableProxy()).isNull();

        now = START.plusSeconds(60);
        trouble.report(policy("db"), unreachable());

        assertThat(told()).hasSize(2);
    }

    @Test
    void aBugIsSaidEachTimeWithItsStack() {
        trouble.report(policy("web"), new IllegalStateException("no"));
        trouble.report(policy("web"), new IllegalStateException("no"));

        assertThat(told())
                .hasSize(2)
                .containsOnly("ERROR Failed to reconcile a status, will retry [object=\"PlacementPolicy shop/web\"]");
        assertThat(lines.list)
                .allSatisfy(line -> assertThat(line.getThrowableProxy()).isNotNull());
    }

    @Test
    void whatFailsWhileTheControllersStopIsNotLogged() {
        trouble.end();

        trouble.report(policy("web"), unreachable());
        trouble.report(policy("web"), new IllegalStateException("the informer has stopped"));

        assertThat(told()).isEmpty();
    }
}
