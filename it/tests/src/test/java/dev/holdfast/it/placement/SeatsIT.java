package dev.holdfast.it.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.Program;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaimBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Volume;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The search for a node, compared with the real scheduler and the real quotas: random pods with volumes, ports and
 * requests on a crowded cluster. The planner names the nodes that would take a replacement. Then the replacement is
 * created, and the scheduler places it or does not.
 *
 * <p>{@code -Dholdfast.seats.cases=N -Dholdfast.seats.seed=S} runs other or more cases.
 */
@Execution(ExecutionMode.CONCURRENT)
class SeatsIT {
    private static final int CASES = Integer.getInteger("holdfast.seats.cases", 300);
    private static final long SEED = Long.getLong("holdfast.seats.seed", 20_261_123L);
    private static final int NODES = 24;
    private static final int BASE_PODS = 70;
    private static final String SELECTED_NODE = "volume.kubernetes.io/selected-node";

    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final ObjectMapper json = new ObjectMapper();
    private final RandomSeats seats = new RandomSeats(new Random(SEED));
    private final List<String> differences = new ArrayList<>();

    /** What the API server and the scheduler did with a pod. */
    private sealed interface Answer {
        record Placed(String node) implements Answer {}

        record Refused(String why) implements Answer {}
    }

    @AfterEach
    void close() {
        client.close();
        controlPlane.close();
    }

    @Test
    void theSchedulerPlacesAReplacementWhereThePlannerSays() {
        System.out.println("-Dholdfast.seats.seed=" + SEED + " -Dholdfast.seats.cases=" + CASES);
        makeCluster();
        KnownSeats known = new KnownSeats(client, json);
        int placed = 0;
        for (int i = 0; i < CASES; i++) {
            placed += isPlaced(known, "case-" + i) ? 1 : 0;
        }
        System.out.println(CASES + " cases, " + placed + " placed, differences: " + differences);

        assertThat(differences).hasSizeLessThanOrEqualTo(CASES / 1000);
        // At least a fifth of the pods must find a node, and at least a fifth must find none.
        assertThat(placed).isBetween(CASES / 5, CASES - CASES / 5);
    }

    private void makeCluster() {
        List<String> surroundings = seats.surroundings();
        surroundings.stream().filter(it -> !it.contains("kind: ResourceQuota")).forEach(this::create);
        for (int i = 0; i < NODES; i++) {
            create(seats.node("n" + i));
            create(seats.csiNode("n" + i));
        }
        for (String namespace : RandomSeats.NAMESPACES) {
            await().atMost(TimeLimits.STATE)
                    .until(() -> client.serviceAccounts()
                                    .inNamespace(namespace)
                                    .withName("default")
                                    .get()
                            != null);
        }
        Random random = new Random(SEED);
        for (int i = 0; i < BASE_PODS; i++) {
            create(seats.pod(i < 3 ? "lowered" : "plain", "base-" + i, "n" + random.nextInt(NODES)));
        }
        surroundings.stream().filter(it -> it.contains("kind: ResourceQuota")).forEach(this::create);
        await("nodes, claims and quotas are ready").atMost(TimeLimits.STATE).until(this::isSettled);
        // They would attach volumes, and no driver would ever detach them.
        controlPlane.stop(Program.KUBE_CONTROLLER_MANAGER);
    }

    private boolean isSettled() {
        return client.nodes().list().getItems().stream()
                        .allMatch(node -> node.getStatus().getConditions().stream()
                                        .anyMatch(
                                                condition -> condition.getType().equals("Ready")
                                                        && condition.getStatus().equals("True"))
                                && node.getSpec().getTaints().stream()
                                        .noneMatch(taint -> taint.getKey().equals("node.kubernetes.io/not-ready")))
                && client.persistentVolumeClaims().inAnyNamespace().list().getItems().stream()
                        .allMatch(claim -> "Bound".equals(claim.getStatus().getPhase()))
                && client.resourceQuotas().inAnyNamespace().list().getItems().stream()
                        .allMatch(quota -> quota.getStatus() != null
                                && quota.getSpec()
                                        .getHard()
                                        .equals(quota.getStatus().getHard())
                                && quota.getStatus()
                                        .getUsed()
                                        .keySet()
                                        .equals(quota.getSpec().getHard().keySet()));
    }

    private void create(String manifest) {
        HasMetadata object = (HasMetadata) client.getKubernetesSerialization().unmarshal("---\n" + manifest);
        client.resource(object).create();
    }

    /** Compares one case, and returns whether the pod was placed. */
    private boolean isPlaced(KnownSeats known, String name) {
        String namespace = seats.namespace();
        Pod pod = client.getKubernetesSerialization().unmarshal("---\n" + seats.pod(namespace, name, ""), Pod.class);
        JsonNode manifest = json.valueToTree(pod);
        Set<String> expected = known.nodesFor(manifest);
        Answer answer = answer(pod, !expected.isEmpty());
        boolean agree = switch (answer) {
            case Answer.Placed(String node) -> expected.contains(node);
            case Answer.Refused _ -> expected.isEmpty();
        };
        if (!agree) {
            differences.add(answer + ", and the planner names " + expected + " for " + manifest);
        }
        return answer instanceof Answer.Placed;
    }

    /**
     * Creates a pod, and deletes it once it is placed or rejected.
     *
     * @param expected whether the planner found a node. Then a pod that the scheduler rejects may still count the pod
     *     of the last case, and is waited for
     */
    private Answer answer(Pod manifest, boolean expected) {
        Pod pod;
        try {
            pod = client.resource(manifest).create();
        } catch (KubernetesClientException e) {
            if (e.getCode() != 403) {
                throw e;
            }
            return new Answer.Refused(e.getStatus().getMessage());
        }
        List<PersistentVolumeClaim> claims = makeClaims(pod);
        try {
            return await().atMost(TimeLimits.STATE)
                    .pollInterval(Duration.ofMillis(10))
                    .until(() -> seen(pod, claims, expected), Optional::isPresent)
                    .orElseThrow();
        } catch (org.awaitility.core.ConditionTimeoutException _) {
            return new Answer.Refused("not placed for " + TimeLimits.STATE);
        } finally {
            client.resource(pod).withGracePeriod(0).delete();
            claims.forEach(claim -> client.resource(claim).delete());
        }
    }

    /** Creates the claims of a pod's ephemeral volumes, as their controller does. */
    private List<PersistentVolumeClaim> makeClaims(Pod pod) {
        return pod.getSpec().getVolumes().stream()
                .filter(volume -> volume.getEphemeral() != null)
                .map(volume -> client.resource(claim(pod, volume)).create())
                .toList();
    }

    private static PersistentVolumeClaim claim(Pod pod, Volume volume) {
        return new PersistentVolumeClaimBuilder()
                .withNewMetadata()
                .withNamespace(pod.getMetadata().getNamespace())
                .withName(pod.getMetadata().getName() + "-" + volume.getName())
                .withOwnerReferences(new OwnerReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("Pod")
                        .withName(pod.getMetadata().getName())
                        .withUid(pod.getMetadata().getUid())
                        .withController(true)
                        .build())
                .endMetadata()
                .withSpec(volume.getEphemeral().getVolumeClaimTemplate().getSpec())
                .build();
    }

    /** {@return the node on which the pod is, or for which its volume shall be made; or that no node takes it} */
    private Optional<Answer> seen(Pod pod, List<PersistentVolumeClaim> claims, boolean expected) {
        Pod now = client.resource(pod).get();
        if (now.getSpec().getNodeName() != null) {
            return Optional.of(new Answer.Placed(now.getSpec().getNodeName()));
        }
        Optional<Answer> selected = claims.stream()
                .flatMap(claim -> Optional.ofNullable(
                        client.resource(claim).get().getMetadata().getAnnotations())
                        .flatMap(annotations -> Optional.ofNullable(annotations.get(SELECTED_NODE)))
                        .stream())
                .<Answer>map(Answer.Placed::new)
                .findFirst();
        if (selected.isPresent() || expected) {
            return selected;
        }
        // Claims are created after their pod. Until the scheduler has seen them, its answer is about their absence.
        return now.getStatus().getConditions().stream()
                .filter(condition -> condition.getType().equals("PodScheduled")
                        && condition.getStatus().equals("False")
                        && !condition.getMessage().contains("waiting for ephemeral volume controller"))
                .<Answer>map(condition -> new Answer.Refused(condition.getMessage()))
                .findFirst();
    }
}
