package dev.holdfast.charts;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.rbac.ClusterRole;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The admission policies that inject rules. {@code InjectionIT} shows on an API server what they do. */
class SchedulingTest {
    private static final String ON = "scheduling.enabled=true";

    @Test
    void byDefaultNothingChangesPods() {
        assertThat(admission()).isEmpty();
    }

    @Test
    void twoPoliciesAndTwoBindingsForEachKindOfPolicyOfWhichOneIsForAnnotations() {
        assertThat(admission(ON))
                .extracting(
                        object -> object.getKind() + " " + object.getMetadata().getName())
                .containsExactlyInAnyOrder(
                        "MutatingAdmissionPolicy holdfast-placementpolicies",
                        "MutatingAdmissionPolicyBinding holdfast-placementpolicies",
                        "MutatingAdmissionPolicy holdfast-clusterplacementpolicies",
                        "MutatingAdmissionPolicyBinding holdfast-clusterplacementpolicies",
                        "MutatingAdmissionPolicy holdfast-annotations-placementpolicies",
                        "MutatingAdmissionPolicyBinding holdfast-annotations-placementpolicies",
                        "MutatingAdmissionPolicy holdfast-annotations-clusterplacementpolicies",
                        "MutatingAdmissionPolicyBinding holdfast-annotations-clusterplacementpolicies");
    }

    @Test
    void anAuditedPolicyInjectsOnlyIfItSaysSo() {
        assertThat(Chart.render(ON))
                .contains("(params.spec.?scheduling.orValue(\"None\") == \"InjectAlsoInAudit\""
                        + " && params.spec.mode != \"Disabled\""
                        + " || params.spec.?scheduling.orValue(\"None\") == \"Inject\""
                        + " && params.spec.mode == \"Enforce\""
                        + " && params.spec.?rules.orValue([]).all(r, r.?mode.orValue(\"\") != \"Audit\"))");
    }

    @Test
    void aFailureCreatesThePodWithoutRules() {
        assertThat(Chart.render(ON)).contains("failurePolicy: Ignore").doesNotContain("failurePolicy: Fail");
    }

    @Test
    void exemptAndProtectedNamespacesAndItsOwnAreLeftAlone() {
        assertThat(Chart.render(ON, "config.exemptNamespaces[0]=infra")).contains("""
                namespaceSelector:
                  matchExpressions:
                    - key: kubernetes.io/metadata.name
                      operator: NotIn
                      values:
                        - infra
                        - kube-system
                        - kube-public
                        - kube-node-lease
                        - hf
            """);
    }

    @Test
    void theOperatorGetsNoRightForIt() {
        assertThat(Chart.object(ClusterRole.class, "holdfast", ON).getRules())
                .isEqualTo(Chart.object(ClusterRole.class, "holdfast").getRules());
    }

    @Test
    void beforeKubernetes136ThereAreNoneAndTheNotesSaySo() {
        assertThat(Chart.renderFor("1.35.9", ON)).doesNotContain("kind: MutatingAdmissionPolicy");
        assertThat(Chart.renderFor("1.36.0-beta.1", ON)).contains("kind: MutatingAdmissionPolicy");
        assertThat(Chart.notesFor("1.35.9", ON))
                .contains("Beware: scheduling.enabled needs Kubernetes 1.36 or later, and this is v1.35.9.");
        assertThat(Chart.notes(ON)).doesNotContain("needs Kubernetes 1.36");
    }

    private static List<HasMetadata> admission(String... settings) {
        return Chart.objects(settings).stream()
                .filter(object -> object.getKind().startsWith("Mutating"))
                .toList();
    }
}
