package dev.holdfast.operator.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.cli.options.Kubeconfig;
import dev.holdfast.operator.offline.print.Terminal;
import io.fabric8.kubernetes.client.Config;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which API server a kubeconfig selects, and the message for each unusable kubeconfig. */
class KubeconfigTest {
    private static final String GOOD = """
        apiVersion: v1
        kind: Config
        current-context: one
        clusters:
        - {name: k1, cluster: {server: "https://one.example:6443"}}
        - {name: k2, cluster: {server: "https://two.example:6443"}}
        - {name: k3, cluster: {}}
        users: [{name: u, user: {token: t}}]
        contexts:
        - {name: one, context: {cluster: k1, user: u}}
        - {name: two, context: {cluster: k2, user: u}}
        - {name: three, context: {cluster: k3, user: u}}
        - {name: four, context: {cluster: gone, user: u}}
        """;

    @TempDir
    private Path folder;

    private ProcessEnvironment surroundings(Map<String, String> environment) {
        return new ProcessEnvironment(
                new SteadyClock(() -> Instant.EPOCH, () -> 0),
                environment,
                folder,
                InputStream.nullInputStream(),
                new Terminal(folder, Map.of()),
                _ -> {});
    }

    private Path file(String content) throws IOException {
        return Files.writeString(folder.resolve("kubeconfig"), content);
    }

    private String server(Optional<Path> file, Optional<String> context, Map<String, String> environment)
            throws Kubeconfig.UnusableException {
        return new Kubeconfig(file, context)
                .connection(surroundings(environment))
                .getMasterUrl();
    }

    @Test
    void theFileDecidesTheContext() throws Exception {
        assertThat(server(Optional.of(file(GOOD)), Optional.empty(), Map.of())).isEqualTo("https://one.example:6443/");
    }

    @Test
    void theUserDecidesTheContext() throws Exception {
        assertThat(server(Optional.of(file(GOOD)), Optional.of("two"), Map.of()))
                .isEqualTo("https://two.example:6443/");
    }

    @Test
    void theVariableNamesAFile() throws Exception {
        Map<String, String> environment = Map.of("KUBECONFIG", file(GOOD).toString());

        assertThat(server(Optional.empty(), Optional.empty(), environment)).isEqualTo("https://one.example:6443/");
    }

    @Test
    void theUsualFileIsFound() throws Exception {
        Files.createDirectory(folder.resolve(".kube"));
        Files.writeString(folder.resolve(".kube").resolve("config"), GOOD);

        assertThat(server(Optional.empty(), Optional.empty(), Map.of())).isEqualTo("https://one.example:6443/");
    }

    @Test
    void aCommandGivesTheCredentials() throws Exception {
        Path command = Files.writeString(folder.resolve("credentials"), """
            #!/bin/sh
            echo '{"apiVersion": "client.authentication.k8s.io/v1", "kind": "ExecCredential", "status": {"token": "s"}}'
            """);
        assertThat(command.toFile().setExecutable(true)).isTrue();
        Path file = file(GOOD.replace(
                "user: {token: t}",
                "user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: " + command + "}}"));

        Config connection = new Kubeconfig(Optional.of(file), Optional.empty()).connection(surroundings(Map.of()));

        assertThat(connection.getAutoOAuthToken()).isEqualTo("s");
    }

    static Stream<Arguments> proxies() {
        return Stream.of(
                argumentSet("whole", "http://proxy.example:3128", "http://proxy.example:3128"),
                argumentSet(
                        "with a password",
                        "http://me:p%40ss@proxy.example:3128",
                        "http://me:p%40ss@proxy.example:3128"),
                argumentSet("without a port", "http://proxy.example", "http://proxy.example:80"),
                argumentSet("https without a port", "https://proxy.example", "https://proxy.example:443"),
                argumentSet("without a scheme", "proxy.example:3128", "http://proxy.example:3128"));
    }

    @ParameterizedTest
    @MethodSource("proxies")
    void theProxyOfTheEnvironmentIsUsedAsKubectlDoes(String variable, String proxy) throws Exception {
        Map<String, String> environment =
                Map.of("HTTPS_PROXY", variable, "no_proxy", ",10.0.0.0/8, .svc,, *.local ,localhost");

        Config connection =
                new Kubeconfig(Optional.of(file(GOOD)), Optional.empty()).connection(surroundings(environment));

        assertThat(connection.getHttpsProxy()).isEqualTo(proxy);
        assertThat(connection.getNoProxy()).containsExactly("10.0.0.0/8", ".svc", ".local", "localhost");
        assertThat(connection.getMasterUrl()).isEqualTo("https://one.example:6443/");
        assertThat(connection.getAutoOAuthToken()).isEqualTo("t");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://me:secret@", "http://me:secret@:3128", "::secret"})
    void aProxyThatHasNoAddressIsRefusedAndNotRepeated(String variable) {
        assertThatThrownBy(() -> server(Optional.of(file(GOOD)), Optional.empty(), Map.of("HTTPS_PROXY", variable)))
                .isInstanceOf(Kubeconfig.UnusableException.class)
                .hasMessage("HTTPS_PROXY is not a proxy address; example: http://proxy.example:3128");
    }

    static Stream<Arguments> unusable() {
        return Stream.of(
                argumentSet("empty", "", Optional.empty(), "is empty"),
                argumentSet("no YAML", ": {", Optional.empty(), "is not a kubeconfig (line 1, column "),
                argumentSet("something else", "hello", Optional.empty(), "is not a kubeconfig (line 1, column 1)"),
                argumentSet(
                        "no current context",
                        GOOD.replace("current-context: one\n", ""),
                        Optional.empty(),
                        "has no current-context: give --context, one of [one, two, three, four]"),
                argumentSet(
                        "a context that does not exist",
                        GOOD,
                        Optional.of("five"),
                        "has no context 'five': it has [one, two, three, four]"),
                argumentSet(
                        "a cluster without a server",
                        GOOD,
                        Optional.of("three"),
                        ": context 'three' has no cluster with a server ('k3')"),
                argumentSet(
                        "a user that does not exist",
                        GOOD.replace("users: [{name: u,", "users: [{name: v,"),
                        Optional.empty(),
                        ": context 'one' names the user 'u', but the users are [v]"),
                argumentSet(
                        "a tokenFile, which the client would ignore",
                        GOOD.replace("user: {token: t}", "user: {tokenFile: t}"),
                        Optional.empty(),
                        "has tokenFile, which Holdfast does not support: use token or exec"),
                argumentSet(
                        "a user name and a password",
                        GOOD.replace("user: {token: t}", "user: {username: a, password: b}"),
                        Optional.empty(),
                        "has username, which Holdfast does not support: use token, exec or a client certificate"),
                argumentSet(
                        "a proxy-url",
                        GOOD.replace("one.example:6443\"", "one.example:6443\", proxy-url: \"http://p:3128\""),
                        Optional.empty(),
                        "has proxy-url, which Holdfast does not support: use the environment variable HTTPS_PROXY"),
                argumentSet(
                        "a tls-server-name",
                        GOOD.replace("one.example:6443\"", "one.example:6443\", tls-server-name: k8s"),
                        Optional.empty(),
                        "has tls-server-name, which Holdfast does not support: use a server name that the certificate"),
                argumentSet(
                        "a CA certificate file that does not exist",
                        GOOD.replace(
                                "one.example:6443\"", "one.example:6443\", certificate-authority: /not/there/ca.crt"),
                        Optional.empty(),
                        " names the file /not/there/ca.crt, which cannot be read"),
                argumentSet(
                        "a client certificate file that does not exist",
                        GOOD.replace("user: {token: t}", "user: {client-certificate: /no/c, client-key: /no/k}"),
                        Optional.empty(),
                        " names the file /no/c, which cannot be read"),
                argumentSet(
                        "an invalid client certificate",
                        GOOD.replace(
                                "user: {token: t}",
                                "user: {client-certificate-data: Z2FyYmFnZQ==, client-key-data: Z2FyYmFnZQ==}"),
                        Optional.empty(),
                        ": cannot read a certificate or key in it or in a file that it names"),
                argumentSet(
                        "a token with a line break",
                        GOOD.replace("user: {token: t}", "user: {token: \"secret\\n\"}"),
                        Optional.empty(),
                        ": the token contains a line break, a space or another invalid character"),
                argumentSet(
                        "a server without a scheme",
                        GOOD.replace("https://one.example:6443", "one.example:6443"),
                        Optional.empty(),
                        ": the server \"one.example:6443\" is not an address; example: https://k8s.example:6443"),
                argumentSet(
                        "a server of another scheme",
                        GOOD.replace("https://one.example:6443", "ftp://one.example"),
                        Optional.empty(),
                        ": the server \"ftp://one.example\" is not an address"),
                argumentSet(
                        "a server that is empty",
                        GOOD.replace("https://one.example:6443", ""),
                        Optional.empty(),
                        ": the server \"\" is not an address"),
                argumentSet(
                        "a server with a space",
                        GOOD.replace("https://one.example:6443", "https://one.example 6443"),
                        Optional.empty(),
                        ": the server \"https://one.example 6443\" is not an address"),
                argumentSet(
                        "a server with a port above 65535",
                        GOOD.replace("https://one.example:6443", "https://one.example:999999"),
                        Optional.empty(),
                        ": the server \"https://one.example:999999\" is not an address"),
                argumentSet(
                        "an exec command that returns no credentials",
                        GOOD.replace(
                                "user: {token: t}",
                                "user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: \"false\"}}"),
                        Optional.empty(),
                        ": the command false returned no credentials: run it to see why"),
                argumentSet(
                        "an exec command that does not exist",
                        GOOD.replace(
                                "user: {token: t}",
                                "user: {exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-thing}}"),
                        Optional.empty(),
                        ": the command no-such-thing returned no credentials: run it to see why"),
                argumentSet(
                        "a cluster that does not exist",
                        GOOD,
                        Optional.of("four"),
                        ": context 'four' has no cluster with a server ('gone')"));
    }

    @ParameterizedTest
    @MethodSource("unusable")
    void saysInOneLineWhatIsWrong(String content, Optional<String> context, String expected) throws IOException {
        Path file = file(content);

        assertThatThrownBy(() -> server(Optional.of(file), context, Map.of()))
                .isInstanceOf(Kubeconfig.UnusableException.class)
                .message()
                .startsWith("kubeconfig " + file)
                .contains(expected)
                .doesNotContain("\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"eyJhbGciOi.secret", "token: eyJhbGciOi.secret", "users: eyJhbGciOi.secret", "[eyJhbGciOi.secret"
            })
    void aTokenThatWasGivenByMistakeIsNotRepeated(String content) throws IOException {
        Path file = file(content);

        assertThatThrownBy(() -> server(Optional.of(file), Optional.empty(), Map.of()))
                .isInstanceOf(Kubeconfig.UnusableException.class)
                .message()
                .doesNotContain("secret");
    }

    @Test
    void aListOfFilesIsRefused() {
        String two = "a" + File.pathSeparator + "b";

        assertThatThrownBy(() -> server(Optional.empty(), Optional.empty(), Map.of("KUBECONFIG", two)))
                .hasMessage("kubeconfig " + two + " is a list of files: give only one of them");
    }

    static Stream<Arguments> sources() {
        Path given = Path.of("prod.yaml");
        Map<String, String> pod = Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1");
        return Stream.of(
                argumentSet("a file, on a laptop", Optional.of(given), Map.of(), new Kubeconfig.Source.File(given)),
                argumentSet("a file, in a pod", Optional.of(given), pod, new Kubeconfig.Source.File(given)),
                argumentSet(
                        "a file that KUBECONFIG names, in a pod",
                        Optional.empty(),
                        Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1", "KUBECONFIG", "prod.yaml"),
                        new Kubeconfig.Source.File(given)),
                argumentSet("nothing, in a pod", Optional.empty(), pod, new Kubeconfig.Source.ServiceAccount()));
    }

    @ParameterizedTest
    @MethodSource("sources")
    void aKubeconfigComesBeforeTheServiceAccountOfThePod(
            Optional<Path> file, Map<String, String> environment, Kubeconfig.Source source) throws Exception {
        assertThat(new Kubeconfig(file, Optional.empty()).source(surroundings(environment)))
                .isEqualTo(source);
    }

    @Test
    void theUsualFileComesBeforeTheServiceAccountOfThePod() throws Exception {
        Files.createDirectory(folder.resolve(".kube"));
        Path usual = Files.writeString(folder.resolve(".kube").resolve("config"), GOOD);

        assertThat(new Kubeconfig(Optional.empty(), Optional.empty())
                        .source(surroundings(Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1"))))
                .isEqualTo(new Kubeconfig.Source.File(usual));
    }

    @Test
    void aContextNeedsAKubeconfigAlsoInAPod() {
        assertThatThrownBy(() ->
                        server(Optional.empty(), Optional.of("prod"), Map.of("KUBERNETES_SERVICE_HOST", "10.0.0.1")))
                .hasMessage("no kubeconfig: give --kubeconfig FILE, or set KUBECONFIG");
    }
}
