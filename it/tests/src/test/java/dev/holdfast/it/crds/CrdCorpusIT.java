package dev.holdfast.it.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.SharedControlPlane;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A real API server admits every valid policy of the test corpus, and refuses every invalid policy with the expected
 * message.
 *
 * <p>Each file is sent unchanged, so that the API server parses the YAML: as a dry run, with strict field validation as
 * in kubectl.
 */
@ExtendWith(SharedControlPlane.class)
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class CrdCorpusIT {
    private static final Path CORPUS = Path.of("../../crds/src/test/resources/corpus");
    private static final String EXPECT = "# expect: ";

    /** A policy in a Markdown page: in a YAML code block, or in a shell command that pipes it into kubectl. */
    private static final Pattern EXAMPLE =
            Pattern.compile("(?:```yaml|<<EOF)\\n( *apiVersion: holdfast\\.dev/.*?\\n) *(?:```|EOF)", Pattern.DOTALL);

    private final KubernetesClient client;

    CrdCorpusIT(ControlPlane controlPlane) {
        Config once = new ConfigBuilder(controlPlane.config())
                .withRequestRetryBackoffLimit(0)
                .build();
        client = new KubernetesClientBuilder().withConfig(once).build();
        InstalledCrds.install(client);
    }

    @AfterAll
    void closeClient() {
        client.close();
    }

    static Stream<Arguments> valid() {
        return rows("valid-");
    }

    static Stream<Arguments> invalid() {
        return rows("invalid-");
    }

    @ParameterizedTest
    @MethodSource("valid")
    void admits(String policy) throws Exception {
        HttpResponse<String> answer = create(policy);

        assertThat(answer.code()).as(answer.body()).isEqualTo(201);
    }

    @ParameterizedTest
    @MethodSource("invalid")
    void refusesWithItsMessage(String policy) throws Exception {
        String expected = policy.lines().findFirst().orElseThrow().substring(EXPECT.length());

        HttpResponse<String> answer = create(policy);

        assertThat(answer.code()).as(answer.body()).isIn(400, 422);
        assertThat(message(answer)).contains(expected);
    }

    static Stream<Arguments> documented() {
        return pages().stream()
                .flatMap(page -> EXAMPLE.matcher(text(page))
                        .results()
                        .map(found -> argumentSet(
                                page.getFileName().toString(), found.group(1).stripIndent())));
    }

    /** {@return every page of the documentation, and the notes of the chart} */
    private static List<Path> pages() {
        List<Path> pages = new ArrayList<>(List.of(Path.of("../../charts/holdfast/templates/NOTES.txt")));
        for (String folder : List.of("../..", "../../docs", "../../charts/holdfast")) {
            try (Stream<Path> files = Files.walk(Path.of(folder), folder.equals("../..") ? 1 : Integer.MAX_VALUE)) {
                files.filter(file -> file.toString().endsWith(".md")).sorted().forEach(pages::add);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
        return pages;
    }

    /** The API server admits every policy in the documentation, since users copy and apply these policies. */
    @ParameterizedTest
    @MethodSource("documented")
    void admitsWhatIsDocumented(String policy) throws Exception {
        HttpResponse<String> answer = create(policy.replace("namespace: shop", "namespace: default"));

        assertThat(answer.code()).as(answer.body()).isEqualTo(201);
    }

    private HttpResponse<String> create(String policy) throws Exception {
        String path = "/apis/holdfast.dev/v1alpha1/" + resource(policy);
        return client.getHttpClient()
                .sendAsync(
                        client.getHttpClient()
                                .newHttpRequestBuilder()
                                .uri(client.getMasterUrl().toURI().resolve(path + "?dryRun=All&fieldValidation=Strict"))
                                .post("application/yaml", policy)
                                .build(),
                        String.class)
                .get(30, TimeUnit.SECONDS);
    }

    private static String resource(String written) {
        if (written.contains("kind: EnforcementPause")) {
            return "enforcementpauses";
        }
        return written.contains("kind: Cluster") ? "clusterplacementpolicies" : "namespaces/default/placementpolicies";
    }

    private String message(HttpResponse<String> answer) {
        return client.getKubernetesSerialization()
                .unmarshal(answer.body(), Status.class)
                .getMessage();
    }

    private static Stream<Arguments> rows(String prefix) {
        return files(prefix).stream().map(file -> argumentSet(file.getFileName().toString(), text(file)));
    }

    private static List<Path> files(String prefix) {
        try (Stream<Path> files = Files.list(CORPUS)) {
            return files.filter(file -> file.getFileName().toString().startsWith(prefix))
                    .sorted()
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
