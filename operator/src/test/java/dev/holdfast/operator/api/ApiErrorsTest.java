package dev.holdfast.operator.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.core.JsonParseException;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class ApiErrorsTest {
    static Stream<Arguments> failures() {
        return Stream.of(
                argumentSet(
                        "a missing right names verb, kind and account",
                        refused(
                                403,
                                "pods is forbidden: User \"system:serviceaccount:hf:holdfast\" cannot list resource"
                                        + " \"pods\" in API group \"\" at the cluster scope"),
                        "the right to list pods is missing: grant it to User \"system:serviceaccount:hf:holdfast\""),
                argumentSet(
                        "a missing right of an account that is not named",
                        refused(403, "no"),
                        "the right to list pods is missing: grant it to Holdfast's account"),
                argumentSet(
                        "credentials that are not accepted",
                        refused(401, "Unauthorized"),
                        "the API server does not accept our credentials (401) to list pods"),
                argumentSet("a kind that is not served", refused(404, "not found"), "the API server knows no pods"),
                argumentSet(
                        "any other refusal",
                        refused(500, "etcdserver: no leader"),
                        "the API server answered 500 to list pods: etcdserver: no leader"),
                argumentSet(
                        "a page of a proxy",
                        refused(
                                502,
                                "<html>\r\n<head>\r\n\t<title>Bad gateway</title>\r\n" + " ".repeat(9)
                                        + "x".repeat(300)),
                        "the API server answered 502 to list pods: <html> <head> <title>Bad gateway</title> "
                                + "x".repeat(159) + "..."),
                argumentSet(
                        "a proxy that forbids, and knows nothing of rights",
                        ApiRefusal.of(403, "<html>Go away</html>".getBytes(StandardCharsets.UTF_8), Duration.ZERO),
                        "the API server, or what is on the way to it, answered 403 to list pods: <html>Go away</html>"),
                argumentSet(
                        "a proxy that knows no such page, and nothing of kinds",
                        ApiRefusal.of(404, new byte[0], Duration.ZERO),
                        "the API server, or what is on the way to it, answered 404 to list pods: no message"),
                argumentSet(
                        "the API server's words in JSON",
                        ApiRefusal.of(
                                401,
                                "{\"kind\": \"Status\", \"message\": \"no\"}".getBytes(StandardCharsets.UTF_8),
                                Duration.ZERO),
                        "the API server does not accept our credentials (401) to list pods"),
                argumentSet(
                        "a page where JSON was asked for",
                        new KubernetesClientException("list failed", new JsonParseException("Unexpected '<'")),
                        "cannot list pods: the answer cannot be read: it is not the API server's"),
                argumentSet(
                        "nobody listens",
                        new KubernetesClientException(
                                "list failed", new RuntimeException(new ConnectException("Connection refused"))),
                        "cannot reach the API server to list pods: Connection refused"),
                argumentSet(
                        "a certificate of somebody else, of which a library says more than a line",
                        new KubernetesClientException(
                                "list failed",
                                new SSLPeerUnverifiedException("Hostname k8s not verified:\n    sha256/x")),
                        "cannot reach the API server to list pods: Hostname k8s not verified: sha256/x"),
                argumentSet(
                        "a mistake of our own",
                        new IllegalStateException("pods shop/a cannot be read"),
                        "cannot list pods: java.lang.IllegalStateException: pods shop/a cannot be read"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatWentWrongIsSaidInOneLine(Throwable failure, String line) {
        assertThat(ApiErrors.of("list", "pods", failure)).isEqualTo(line);
    }

    private static KubernetesClientException refused(int code, String message) {
        Status status = new StatusBuilder()
                .withCode(code)
                .withStatus("Failure")
                .withMessage(message)
                .build();
        return new KubernetesClientException(message, code, status);
    }
}
