package dev.holdfast.crds;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Tests that the corpus, a folder of valid and invalid objects in YAML, is complete, and that the records can read it.
 * The integration tests send its objects to a real API server.
 */
class CorpusTest {
    private static final Path CORPUS = Path.of("src/test/resources/corpus");
    private static final String EXPECT = "# expect: ";
    private static final Pattern VALIDATION_MESSAGE = Pattern.compile("\"message\":\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final KubernetesSerialization YAML = new KubernetesSerialization();

    static Stream<Arguments> valid() {
        return files("valid-").stream()
                .map(file -> argumentSet(file.getFileName().toString(), file));
    }

    @Test
    void everyFileIsValidOrInvalidAndOnlyTheInvalidExpectAMessage() {
        assertThat(files("valid-"))
                .hasSizeGreaterThanOrEqualTo(25)
                .noneMatch(file -> text(file).contains(EXPECT));
        assertThat(files("invalid-"))
                .hasSizeGreaterThanOrEqualTo(60)
                .allMatch(
                        file -> text(file).startsWith(EXPECT) && !expected(file).isBlank());
        assertThat(files("")).hasSize(files("valid-").size() + files("invalid-").size());
    }

    @Test
    void everyMessageOfTheCrdsIsExpectedSomewhere() {
        List<String> expected =
                files("invalid-").stream().map(CorpusTest::expected).toList();

        assertThat(CrdFile.all().stream().flatMap(CorpusTest::messages).distinct())
                .isNotEmpty()
                .filteredOn(message -> !message.equals(PolicyStatus.TOO_LONG))
                .allMatch(message -> expected.stream().anyMatch(it -> it.endsWith(message)));
    }

    @ParameterizedTest
    @MethodSource("valid")
    void theRecordsKnowAllThatAValidPolicySays(Path file) {
        CustomResource<?, ?> policy = YAML.unmarshal(text(file), kind(text(file)));

        assertThat(policy.getSpec()).isNotNull();
        assertThat(YAML.asYaml(policy)).doesNotContain("Unrecognized");
        assertThat(policy.getSpec().toString())
                .containsPattern("unknownFields=\\{}")
                .doesNotContainPattern("unknownFields=\\{[^}]");
    }

    private static Class<? extends CustomResource<?, ?>> kind(String text) {
        if (text.contains("kind: EnforcementPause")) {
            return EnforcementPause.class;
        }
        return text.contains("kind: Cluster") ? ClusterPlacementPolicy.class : PlacementPolicy.class;
    }

    private static Stream<String> messages(CrdFile file) {
        return VALIDATION_MESSAGE
                .matcher(YAML.asJson(YAML.unmarshal(file.yaml())))
                .results()
                .map((MatchResult message) -> message.group(1));
    }

    private static String expected(Path file) {
        return text(file).lines().findFirst().orElseThrow().substring(EXPECT.length());
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
