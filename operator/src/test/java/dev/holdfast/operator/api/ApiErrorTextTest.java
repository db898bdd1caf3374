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

class ApiErrorTextTest {
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
                        "a missing right, with a message that names no account",
                        refused(403, "no"),
                        "the right to list pods is missing: grant it to Holdfast's account"),
                argumentSet(
                        "rejected credentials",
                        refused(401, "Unauthorized"),
                        "the API server does not accept our credentials (401) to list pods"),
                argumentSet(
                        "a kind that is not served", refused(404, "not found"), "the API server does not serve pods"),
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
                        "403 from a proxy: no missing right",
                        ApiRefusal.of(403, "<html>Go away</html>".getBytes(StandardCharsets.UTF_8), Duration.ZERO),
                        "the API server, or a proxy in front of it, answered 403 to list pods: <html>Go away</html>"),
                argumentSet(
                        "404 from a proxy: no missing kind",
                        ApiRefusal.of(404, new byte[0], Duration.ZERO),
                        "the API server, or a proxy in front of it, answered 404 to list pods: no message"),
                argumentSet(
                        "the API server's message in JSON",
                        ApiRefusal.of(
                                401,
                                "{\"kind\": \"Status\", \"message\": \"no\"}".getBytes(StandardCharsets.UTF_8),
                                Duration.ZERO),
                        "the API server does not accept our credentials (401) to list pods"),
                argumentSet(
                        "an HTML page instead of JSON",
                        new KubernetesClientException("list failed", new JsonParseException("Unexpected '<'")),
                        "cannot list pods: the answer cannot be read: it is not JSON of an API server"),
                argumentSet(
                        "a refused connection",
                        new KubernetesClientException(
                                "list failed", new RuntimeException(new ConnectException("Connection refused"))),
                        "cannot reach the API server to list pods: Connection refused"),
                argumentSet(
                        "an untrusted certificate, with an error message of several lines",
                        new KubernetesClientException(
                                "list failed",
                                new SSLPeerUnverifiedException("Hostname k8s not verified:\n    sha256/x")),
                        "cannot reach the API server to list pods: Hostname k8s not verified: sha256/x"),
                argumentSet(
                        "a bug of the operator",
                        new IllegalStateException("pods shop/a cannot be read"),
                        "cannot list pods: java.lang.IllegalStateException: pods shop/a cannot be read"));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void whatWentWrongIsSaidInOneLine(Throwable failure, String line) {
        assertThat(ApiErrorText.of("list", "pods", failure)).isEqualTo(line);
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
