package dev.holdfast.it.bench.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodAffinityTerm;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests that the large objects are as large as the bench says. The limits are those of docs/safety.md. */
class HostileKindTest {
    private static int characters(Map<String, String> labels) {
        return labels.entrySet().stream()
                .mapToInt(it -> it.getKey().length() + it.getValue().length())
                .sum();
    }

    @Test
    void aReadablePodIsJustWithinTheLimits() {
        Pod pod = Serialization.unmarshal(HostileKind.READABLE_PODS.json(), Pod.class);
        List<PodAffinityTerm> terms =
                pod.getSpec().getAffinity().getPodAntiAffinity().getRequiredDuringSchedulingIgnoredDuringExecution();

        assertThat(pod.getMetadata().getLabels()).hasSizeLessThanOrEqualTo(64);
        assertThat(characters(pod.getMetadata().getLabels())).isBetween(3_000, 3_072);
        assertThat(terms).hasSizeLessThanOrEqualTo(12);
        assertThat(terms.stream()
                        .mapToInt(term -> term.getTopologyKey().length()
                                + term.getLabelSelector().getMatchExpressions().stream()
                                        .mapToInt(it -> it.getKey().length()
                                                + it.getOperator().length()
                                                + String.join("", it.getValues())
                                                        .length())
                                        .sum())
                        .sum())
                .isBetween(4_000, 4_096);
        assertThat(pod.getSpec().getVolumes()).hasSize(32);
        assertThat(pod.getSpec().getVolumes().stream()
                        .mapToInt(it ->
                                it.getPersistentVolumeClaim().getClaimName().length())
                        .sum())
                .isBetween(1_950, 2_048);
        assertThat(pod.getSpec().getContainers().getFirst().getResources().getRequests())
                .hasSizeLessThanOrEqualTo(32);
        assertThat(pod.getSpec().getContainers().getFirst().getResources().getRequests().keySet().stream()
                        .mapToInt(String::length)
                        .sum())
                .isBetween(1_950, 2_048);
    }

    @Test
    void aReadableNodeIsJustWithinTheLimits() {
        Node node = Serialization.unmarshal(HostileKind.READABLE_NODES.json(), Node.class);

        assertThat(node.getMetadata().getLabels()).hasSizeLessThanOrEqualTo(320);
        assertThat(characters(node.getMetadata().getLabels())).isBetween(15_200, 15_360);
    }

    @ParameterizedTest
    @CsvSource({"READABLE_POLICIES, 432, 6900, 8192", "READABLE_PAUSES, 216, 3400, 4096"})
    void aReadableSpecIsJustWithinTheLimits(HostileKind kind, int values, int atLeast, int atMost) {
        Map<String, Object> spec = Serialization.unmarshal(kind.json(), GenericKubernetesResource.class)
                .get("spec");
        List<String> words = Pattern.compile("[\\w-]+")
                .matcher(spec.toString())
                .results()
                .map(MatchResult::group)
                .toList();

        assertThat(words.stream().filter(it -> it.startsWith(HostileKind.NAME))).hasSize(values);
        assertThat(String.join("", words)).hasSizeBetween(atLeast, atMost);
    }

    @ParameterizedTest
    @EnumSource(
            value = HostileKind.class,
            names = {"POLICIES_FULL", "CLUSTER_POLICIES_FULL"})
    void theSpecOfAFullPolicyIsAsLargeAsTheCrdAdmits(HostileKind kind) {
        GenericKubernetesResource policy = Serialization.unmarshal(kind.json(), GenericKubernetesResource.class);

        assertThat(Serialization.asJson(policy.getAdditionalProperties()).length())
                .isGreaterThan(1_200_000);
        assertThat(policy.<List<Object>>get("spec", "rules")).hasSize(20);
        assertThat(policy.<List<Object>>get(
                        "spec",
                        "rules",
                        0,
                        "nodeAffinity",
                        "required",
                        "nodeSelectorTerms",
                        0,
                        "matchExpressions",
                        0,
                        "values"))
                .hasSize(50);
    }

    @Test
    void aLargeAnnotationIsOneThatHoldfastReads() {
        assertThat(HostileKind.DEPLOYMENTS.json()).contains("\"holdfast.dev/forgiveness-seconds\": \"999");
    }

    @ParameterizedTest
    @EnumSource(value = HostileKind.class, mode = EnumSource.Mode.MATCH_NONE, names = "READABLE_.*")
    void aLargeObjectIsNearTheLimitOfEtcd(HostileKind kind) {
        // kube-apiserver writes each key of labels and quotas again into the managed fields.
        assertThat(kind.json().getBytes(StandardCharsets.UTF_8)).hasSizeBetween(600_000, 1_572_864);
    }
}
