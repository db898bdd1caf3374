package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The admission policies against invalid rules in annotations. The API server is shown to hold them in an IT. */
class AnnotationRulesTest {
    private static final String ON = "scheduling.enabled=true";
    private static final String VALUE = "scheduling.invalidAnnotationRules=";
    private static final String PREFIX = "holdfast-annotation-rules-";

    private static Map<String, List<String>> actions(String... settings) {
        return Chart.objects(ValidatingAdmissionPolicyBinding.class, settings).stream()
                .filter(binding -> binding.getMetadata().getName().startsWith(PREFIX))
                .collect(Collectors.toMap(
                        binding -> binding.getSpec().getPolicyName(),
                        binding -> binding.getSpec().getValidationActions()));
    }

    @Test
    void byDefaultTheyWarn() {
        assertThat(actions(ON))
                .isEqualTo(Map.of(
                        PREFIX + "pods", List.of("Warn", "Audit"),
                        PREFIX + "workloads", List.of("Warn"),
                        PREFIX + "cronjobs", List.of("Warn")));
    }

    @Test
    void onlyPodsAreDenied() {
        assertThat(actions(ON, VALUE + "Deny"))
                .isEqualTo(Map.of(
                        PREFIX + "pods", List.of("Deny", "Audit"),
                        PREFIX + "workloads", List.of("Warn"),
                        PREFIX + "cronjobs", List.of("Warn")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Off", "false"})
    void offAsTextAndAsYamlReadsItRendersNone(String off) {
        assertThat(actions(ON, VALUE + off)).isEmpty();
    }

    @Test
    void withoutInjectionThereAreNone() {
        assertThat(actions(VALUE + "Deny")).isEmpty();
    }

    @Test
    void aWordThatIsNoChoiceIsRefused() {
        assertThatThrownBy(() -> Chart.render(ON, VALUE + "deny"))
                .hasMessageContaining(
                        "at '/scheduling/invalidAnnotationRules': value must be one of 'Deny', 'Warn', 'Off'");
    }
}
