package dev.holdfast.crds;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class PolicyReferenceTest {
    private static final Path PAGE = Path.of("../docs/policy-reference.md");
    private static final Pattern ANCHOR = Pattern.compile("<a id=\"([^\"]+)\">");
    private static final Pattern ROW = Pattern.compile("(?m)^\\| <a id=.*$");

    @Test
    void thePageSaysWhatTheCrdsSay() throws IOException {
        String wanted = PolicyReference.page(CrdGeneration.files());
        if (Boolean.getBoolean("holdfast.crds.write")) {
            Files.writeString(PAGE, wanted);
        }

        assertThat(Files.readString(PAGE))
                .as("The reference differs from the CRDs. To write it, run: crds/generate")
                .isEqualTo(wanted);
    }

    @Test
    void everyFieldHasARowOfItsOwn() {
        List<String> anchors = ANCHOR.matcher(PolicyReference.page(CrdGeneration.files()))
                .results()
                .map(found -> found.group(1))
                .toList();

        assertThat(anchors)
                .doesNotHaveDuplicates()
                .contains(
                        "policy-spec-mode",
                        "policy-spec-namespaceselector",
                        "policy-spec-rules-podaffinityterm-topologykey",
                        "policy-spec-limits-perworkload-maxevictionsperhour",
                        "policy-status-violations-rule",
                        "pause-spec-reason",
                        "label-selector-matchexpressions-operator");
    }

    @Test
    void everyRowHasFiveCells() {
        assertThat(ROW.matcher(PolicyReference.page(CrdGeneration.files())).results())
                .isNotEmpty()
                .extracting(MatchResult::group)
                .allSatisfy(row -> assertThat(row.split("(?<!\\\\)\\|", -1)).hasSize(7));
    }
}
