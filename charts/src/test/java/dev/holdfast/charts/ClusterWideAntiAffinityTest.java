package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicy;
import io.fabric8.kubernetes.api.model.admissionregistration.v1.ValidatingAdmissionPolicyBinding;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The admission policies against anti-affinity over all namespaces. The API server is shown to hold them in an IT. */
class ClusterWideAntiAffinityTest {
    private static final String VALUE = "scheduling.clusterWideAntiAffinity=";
    private static final String PREFIX = "holdfast-cluster-wide-anti-affinity-";

    private static Map<String, List<String>> actions(String... settings) {
        return Chart.objects(ValidatingAdmissionPolicyBinding.class, settings).stream()
                .collect(Collectors.toMap(
                        binding -> binding.getSpec().getPolicyName(),
                        binding -> binding.getSpec().getValidationActions()));
    }

    @Test
    void byDefaultTheyWarn() {
        assertThat(actions())
                .isEqualTo(Map.of(
                        PREFIX + "pods", List.of("Warn", "Audit"),
                        PREFIX + "workloads", List.of("Warn"),
                        PREFIX + "cronjobs", List.of("Warn")));
    }

    @Test
    void onlyPodsAreDenied() {
        assertThat(actions(VALUE + "Deny"))
                .isEqualTo(Map.of(
                        PREFIX + "pods", List.of("Deny", "Audit"),
                        PREFIX + "workloads", List.of("Warn"),
                        PREFIX + "cronjobs", List.of("Warn")));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Off", "false"})
    void offAsTextAndAsYamlReadsItRendersNone(String off) {
        assertThat(Chart.render(VALUE + off)).doesNotContain("ValidatingAdmissionPolicy");
    }

    @Test
    void aWordThatIsNoChoiceIsRefused() {
        assertThatThrownBy(() -> Chart.render(VALUE + "warn"))
                .hasMessageContaining(
                        "at '/scheduling/clusterWideAntiAffinity': value must be one of 'Deny', 'Warn'," + " 'Off'");
    }

    @Test
    void exemptAndProtectedNamespacesAndItsOwnAreLeftAlone() {
        assertThat(Chart.objects(ValidatingAdmissionPolicy.class, "config.exemptNamespaces[0]=infra"))
                .hasSize(3)
                .allSatisfy(policy -> assertThat(policy.getSpec()
                                .getMatchConstraints()
                                .getNamespaceSelector()
                                .getMatchExpressions()
                                .getFirst()
                                .getValues())
                        .containsExactly("infra", "kube-system", "kube-public", "kube-node-lease", "hf"));
    }
}
