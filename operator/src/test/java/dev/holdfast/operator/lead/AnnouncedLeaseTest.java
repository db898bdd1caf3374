package dev.holdfast.operator.lead;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.sun.net.httpserver.HttpServer;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.config.LeaseSettings;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests when an operator refuses to start beside another. It is configured with the lease kube-system/holdfast. */
class AnnouncedLeaseTest {
    private static final LeaseSettings OWN = new LeaseSettings(
            "kube-system", "holdfast", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private static final Optional<String> ANOTHER =
            Optional.of("the operator of this cluster uses the lease locks/holdfast (annotation holdfast.dev/lease of"
                    + " CRD placementpolicies.holdfast.dev), and this one is configured with kube-system/holdfast, so"
                    + " that both would act: set lease.namespace in the configuration to locks");
    private static final Optional<String> NO_RIGHT =
            Optional.of("the right to get customresourcedefinitions/placementpolicies.holdfast.dev is missing, so that"
                    + " another operator may evict in this cluster: grant the right, as the chart's ClusterRole does");

    static Stream<Arguments> answers() {
        return Stream.of(
                argumentSet(
                        "a CRD without an annotation", 200, "{\"metadata\": {}}", Optional.empty(), Optional.empty()),
                argumentSet(
                        "a CRD that announces this lease",
                        200,
                        announcing("kube-system/holdfast"),
                        Optional.empty(),
                        Optional.empty()),
                argumentSet("a CRD that announces another lease", 200, announcing("locks/holdfast"), ANOTHER, ANOTHER),
                argumentSet("no right to read CRDs", 403, "{}", Optional.empty(), NO_RIGHT),
                argumentSet("no such CRD", 404, "{}", Optional.empty(), Optional.empty()));
    }

    private static String announcing(String lease) {
        return "{\"metadata\": {\"annotations\": {\"holdfast.dev/lease\": \"" + lease + "\"}}}";
    }

    @ParameterizedTest
    @MethodSource("answers")
    void anOperatorStartsAndEvictsUnlessAnotherLeaseMayBeInUse(
            int status, String body, Optional<String> noStart, Optional<String> noEvictions) throws IOException {
        assertThat(asked(status, body, AnnouncedLease::refusesStart)).isEqualTo(noStart);
        assertThat(asked(status, body, AnnouncedLease::refusesEvictions)).isEqualTo(noEvictions);
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                argumentSet("a bad request", 400, "{}"), argumentSet("no JSON", 200, "<html>Please sign in</html>"));
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void anOperatorDoesNotStartIfItCannotTell(int status, String body) throws IOException {
        assertThat(asked(status, body, AnnouncedLease::refusesStart))
                .get()
                .asString()
                .startsWith("cannot read CRD placementpolicies.holdfast.dev, which may announce the lease of another");
    }

    @Test
    void anAnswerThatIsNoCrdRefusesEvictionsAndAnErrorIsPassedOn() throws IOException {
        assertThat(asked(200, "<html>Please sign in</html>", AnnouncedLease::refusesEvictions))
                .get()
                .asString()
                .startsWith("cannot read CRD placementpolicies.holdfast.dev, which may announce the lease of another");
        assertThatExceptionOfType(KubernetesClientException.class)
                .isThrownBy(() -> asked(400, "{}", AnnouncedLease::refusesEvictions));
    }

    private static Optional<String> asked(int status, String body, Function<AnnouncedLease, Optional<String>> question)
            throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext(
                "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/placementpolicies.holdfast.dev", exchange -> {
                    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
                    exchange.sendResponseHeaders(status, bytes.length);
                    exchange.getResponseBody().write(bytes);
                    exchange.close();
                });
        server.start();
        try (KubernetesClient client = ApiClients.retrying(new ConfigBuilder()
                .withMasterUrl("http://127.0.0.1:" + server.getAddress().getPort())
                .build())) {
            return question.apply(new AnnouncedLease(client, OWN));
        } finally {
            server.stop(0);
        }
    }
}
