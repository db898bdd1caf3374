package dev.holdfast.it.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How a {@link Layout} divides pods into workloads. */
class LayoutTest {
    @ParameterizedTest
    @CsvSource({
        // nodes, pods, zones, blocks
        "100, 3000, 10, 20",
        "100, 150, 10, 1",
        "100, 299, 10, 1",
        "100, 300, 10, 2",
        "10, 130, 10, 1",
        "4, 120, 4, 1"
    })
    void allPodsAreDealtOut(int nodes, int pods, int zones, int blocks) {
        Layout layout = Layout.of(nodes, pods);

        assertThat(layout).isEqualTo(new Layout(nodes, pods, zones, blocks));
        assertThat(layout.benchDeployments().stream()
                        .mapToInt(BenchDeployment::replicas)
                        .sum())
                .isEqualTo(pods);
        assertThat(layout.benchDeployments().stream().map(BenchDeployment::name).collect(Collectors.toSet()))
                .hasSameSizeAs(layout.benchDeployments());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "3   | 3000   | --nodes must be at least 4",
                "100 | 149    | --pods must be at least 150 on 100 nodes",
                "100 | 10001  | --pods must be at most 10000 on 100 nodes"
            })
    void whatCannotBeDealtOutIsRefusedInOneLine(int nodes, int pods, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Layout.of(nodes, pods))
                .withMessage(message);
    }

    @Test
    void nodesAreDealtOutToZonesInTurn() {
        Layout layout = Layout.of(100, 3000);

        assertThat(layout.zone(1)).isEqualTo("zone-1");
        assertThat(layout.zone(10)).isEqualTo("zone-0");
        assertThat(layout.zone(11)).isEqualTo("zone-1");
    }

    @ParameterizedTest
    @EnumSource
    void theYamlOfAWorkloadHasTheRuleOfItsRole(WorkloadRole workloadRole) {
        Deployment deployment =
                Serialization.unmarshal(new BenchDeployment(workloadRole, 3, 12).yaml("bench"), Deployment.class);
        var spec = deployment.getSpec().getTemplate().getSpec();
        var affinity = spec.getAffinity();

        assertThat(deployment.getMetadata().getName()).isEqualTo(workloadRole.label() + "-3");
        assertThat(deployment.getSpec().getReplicas()).isEqualTo(12);
        assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels())
                .containsAllEntriesOf(deployment.getSpec().getSelector().getMatchLabels())
                .containsEntry("role", workloadRole.label())
                .containsEntry("block", "3");
        assertThat(affinity != null && affinity.getNodeAffinity() != null).isEqualTo(workloadRole == WorkloadRole.SSD);
        assertThat(affinity != null && affinity.getPodAffinity() != null).isEqualTo(workloadRole == WorkloadRole.NEAR);
        assertThat(affinity != null && affinity.getPodAntiAffinity() != null)
                .isEqualTo(workloadRole == WorkloadRole.APART);
        assertThat(spec.getTopologySpreadConstraints())
                .hasSize(workloadRole == WorkloadRole.CACHE || workloadRole == WorkloadRole.EVEN ? 1 : 0);
    }
}
