package dev.holdfast.it.scenario;

import static org.awaitility.Awaitility.await;

import dev.holdfast.it.controlplane.NodeObjects;
import dev.holdfast.it.controlplane.TimeLimits;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A namespace for one test, with its own nodes, which have the label {@code pool=<namespace>}. A Deployment created
 * with {@link #deployment} runs only on these nodes, so tests in one cluster do not disturb each other.
 *
 * <p>Nodes have short names: {@code n1} is the node {@code <namespace>-n1}.
 */
public final class Stage {
    /**
     * A chart setting that keeps the label breaker closed, for an operator that serves many tests. Tests remove or
     * change labels of many nodes, which would otherwise open the breaker and hold evictions.
     */
    public static final String MANY_STAGES = "config.breakers.label.minNodes=1000";

    private static final PatchContext APPLY = new PatchContext.Builder()
            .withPatchType(PatchType.SERVER_SIDE_APPLY)
            .withFieldManager("stage")
            .withForce(true)
            .build();

    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);
    private static final PatchContext STRATEGIC_MERGE = PatchContext.of(PatchType.STRATEGIC_MERGE);
    private static final String KEEP = "keep";
    private static final String WATCHED = "watched";

    private static final ResourceDefinitionContext POLICIES = new ResourceDefinitionContext.Builder()
            .withGroup("holdfast.dev")
            .withVersion("v1alpha1")
            .withKind("PlacementPolicy")
            .withPlural("placementpolicies")
            .withNamespaced(true)
            .build();

    private final KubernetesClient client;
    private final String namespace;

    private Stage(KubernetesClient client, String namespace) {
        this.client = client;
        this.namespace = namespace;
    }

    /** Creates a namespace, and returns it as a stage without nodes. */
    public static Stage open(KubernetesClient client, String namespace) {
        Namespace made = new NamespaceBuilder()
                .withNewMetadata()
                .withName(namespace)
                .endMetadata()
                .build();
        client.resource(made).create();
        return new Stage(client, namespace);
    }

    /** {@return the namespace's name} */
    public String namespace() {
        return namespace;
    }

    /** Adds a node; each label is written as {@code key=value}, for example {@code disk=ssd}. */
    public Stage node(String name, String... labels) {
        Map<String, String> all = new HashMap<>(Map.of("pool", namespace));
        for (String label : labels) {
            int equals = label.indexOf('=');
            all.put(label.substring(0, equals), label.substring(equals + 1));
        }
        client.resource(NodeObjects.node(nodeName(name), all)).create();
        return this;
    }

    /** {@return the full name of a node of this stage: {@code <namespace>-n1} for {@code n1}} */
    public String nodeName(String name) {
        return namespace + "-" + name;
    }

    /** {@return whether all nodes of this stage are schedulable: Ready, without a taint, not cordoned} */
    public boolean nodesAreOpen() {
        return client.nodes().withLabel("pool", namespace).list().getItems().stream()
                .allMatch(NodeObjects::isSchedulable);
    }

    private void patchNode(String node, String json) {
        client.nodes().withName(nodeName(node)).patch(MERGE, json);
    }

    /** Sets the value of a node label. */
    public Stage label(String node, String key, String value) {
        patchNode(node, "{\"metadata\":{\"labels\":{\"" + key + "\":\"" + value + "\"}}}");
        return this;
    }

    /** Cordons a node. */
    public Stage cordon(String node) {
        patchNode(node, "{\"spec\":{\"unschedulable\":true}}");
        return this;
    }

    /** Uncordons a node. */
    public Stage uncordon(String node) {
        patchNode(node, "{\"spec\":{\"unschedulable\":false}}");
        return this;
    }

    /**
     * Applies the objects in the YAML to this stage's namespace; the text {@code $NS} stands for the namespace's name.
     */
    public Stage apply(String yaml) {
        client.load(new ByteArrayInputStream(yaml.replace("$NS", namespace).getBytes(StandardCharsets.UTF_8)))
                .items()
                .forEach(item -> {
                    item.getMetadata().setNamespace(namespace);
                    client.resource(item).patch(APPLY);
                });
        return this;
    }

    /**
     * Creates a Deployment whose pods have the label {@code app=<name>}.
     *
     * @param podSpec further fields of the pods' spec as YAML, for example {@code affinity: {...}}; may be empty. A
     * nodeSelector in it must contain {@code pool: $NS}
     */
    public Stage deployment(String name, int replicas, String podSpec) {
        String spec = podSpec.contains("nodeSelector:") ? podSpec : "nodeSelector: {pool: $NS}\n" + podSpec;
        if (podSpec.contains("topologySpreadConstraints:")) {
            awaitTheSecondAfterTheNodes();
        }
        return apply("""
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: %1$s}
            spec:
              replicas: %2$s
              selector: {matchLabels: {app: %1$s}}
              template:
                metadata: {labels: {app: %1$s}}
                spec:
                  containers: [{name: main, image: %1$s}]
            %3$s
            """.formatted(name, replicas, spec.indent(6).stripTrailing()));
    }

    /** Waits for the next second: for pods that are bound in the second of a node's creation, the node would be new. */
    private void awaitTheSecondAfterTheNodes() {
        Instant created = client.nodes().withLabel("pool", namespace).list().getItems().stream()
                .map(node -> Instant.parse(node.getMetadata().getCreationTimestamp()))
                .max(Comparator.naturalOrder())
                .orElse(Instant.MIN);
        await("the second after the nodes of " + namespace)
                .atMost(TimeLimits.STATE)
                .pollInterval(Duration.ofMillis(50))
                .until(() -> InstantSource.system().instant().isAfter(created.plusSeconds(1)));
    }

    /**
     * Creates a StatefulSet whose pods have the label {@code app=<name>}, or changes it.
     *
     * @param updateStrategy {@code OnDelete} or {@code RollingUpdate}
     * @param podSpec as for {@link #deployment}
     */
    public Stage statefulSet(String name, int replicas, String updateStrategy, String podSpec) {
        String spec = podSpec.contains("nodeSelector:") ? podSpec : "nodeSelector: {pool: $NS}\n" + podSpec;
        return apply(
                """
                apiVersion: apps/v1
                kind: StatefulSet
                metadata: {name: %1$s}
                spec:
                  replicas: %2$s
                  updateStrategy: {type: %3$s}
                  selector: {matchLabels: {app: %1$s}}
                  template:
                    metadata: {labels: {app: %1$s}}
                    spec:
                      containers: [{name: main, image: %1$s}]
                %4$s
                """.formatted(name, replicas, updateStrategy, spec.indent(6).stripTrailing()));
    }

    /** Sets an annotation of a Deployment itself, and not of its pods; an empty value takes the annotation off. */
    public Stage annotateDeployment(String name, String key, Optional<String> value) {
        String written = value.map(it -> "\"" + it + "\"").orElse("null");
        client.apps()
                .deployments()
                .inNamespace(namespace)
                .withName(name)
                .patch(MERGE, "{\"metadata\":{\"annotations\":{\"" + key + "\":" + written + "}}}");
        return this;
    }

    /** Creates the PlacementPolicy {@code keep}, or changes it; the spec is YAML. */
    public Stage policy(String spec) {
        return policy(KEEP, spec);
    }

    /** Creates a PlacementPolicy, or changes it; the spec is YAML. */
    public Stage policy(String name, String spec) {
        return apply("""
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {name: %s}
            spec:
            %s
            """.formatted(name, spec.indent(2).stripTrailing()));
    }

    /** Creates or changes a PodDisruptionBudget for the pods with the label {@code app=<app>}. */
    public Stage budget(String name, String app, int minAvailable) {
        return apply("""
            apiVersion: policy/v1
            kind: PodDisruptionBudget
            metadata: {name: %s}
            spec: {minAvailable: %s, selector: {matchLabels: {app: %s}}}
            """.formatted(name, minAvailable, app));
    }

    /**
     * Creates a pod without a controller directly on a node, and returns it. The label is written as {@code app: web}.
     */
    public Pod bare(String name, String node, String label) {
        apply("""
            apiVersion: v1
            kind: Pod
            metadata: {name: %s, labels: {%s}}
            spec:
              nodeName: %s
              containers: [{name: main, image: main}]
            """.formatted(name, label, nodeName(node)));
        return client.pods().inNamespace(namespace).withName(name).require();
    }

    /** Sets the value of a pod label. */
    public Stage labelPod(String pod, String key, String value) {
        client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .patch(MERGE, "{\"metadata\":{\"labels\":{\"" + key + "\":\"" + value + "\"}}}");
        return this;
    }

    /** Makes a running pod not Ready, as if its container crashed, or Ready again. */
    public Stage ready(String pod, boolean ready) {
        String status = ready ? "True" : "False";
        client.pods().inNamespace(namespace).withName(pod).subresource("status").patch(STRATEGIC_MERGE, """
            {"status": {"phase": "Running", "conditions": [
              {"type": "Ready", "status": "%1$s"}, {"type": "ContainersReady", "status": "%1$s"}]}}
            """.formatted(
                        status));
        return this;
    }

    /** Makes all pods of an app Ready that are bound to a node and still Pending, as if their image were there now. */
    public Stage pullImages(String app) {
        client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                .filter(pod -> pod.getSpec().getNodeName() != null)
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .filter(pod -> pod.getStatus().getPhase().equals("Pending"))
                .forEach(pod -> ready(pod.getMetadata().getName(), true));
        return this;
    }

    /** From now on, an admission policy refuses all new pods of the namespace. */
    public Stage refusePods() {
        return apply("""
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicy
            metadata: {name: no-pods}
            spec:
              matchConstraints:
                resourceRules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
              validations: [{expression: "false", message: no pod passes}]
            ---
            apiVersion: admissionregistration.k8s.io/v1
            kind: ValidatingAdmissionPolicyBinding
            metadata: {name: no-pods}
            spec:
              policyName: no-pods
              validationActions: [Deny]
              matchResources: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: $NS}}}
            """);
    }

    /** {@return the UID of a pod} */
    public String uid(String pod) {
        return client.pods()
                .inNamespace(namespace)
                .withName(pod)
                .require()
                .getMetadata()
                .getUid();
    }

    /** Deletes the PlacementPolicy {@code keep}. */
    public Stage deletePolicy() {
        return deletePolicy(KEEP);
    }

    /** Deletes a PlacementPolicy. */
    public Stage deletePolicy(String name) {
        client.genericKubernetesResources(POLICIES)
                .inNamespace(namespace)
                .withName(name)
                .delete();
        return this;
    }

    /** Reads the PlacementPolicy {@code keep} from the API server and returns it. */
    public GenericKubernetesResource policy() {
        return readPolicy(KEEP);
    }

    private GenericKubernetesResource readPolicy(String name) {
        return client.genericKubernetesResources(POLICIES)
                .inNamespace(namespace)
                .withName(name)
                .require();
    }

    /**
     * {@return a value in the status of the PlacementPolicy {@code keep}; empty if absent}
     *
     * @param path the field names down to the value, for example {@code status("pods", "violating")}
     */
    public Optional<Object> status(Object... path) {
        return statusOf(KEEP, path);
    }

    /** {@return a value in the status of a PlacementPolicy; empty if absent} */
    public Optional<Object> statusOf(String policy, Object... path) {
        Object[] full = new Object[path.length + 1];
        full[0] = "status";
        System.arraycopy(path, 0, full, 1, path.length);
        return Optional.ofNullable(readPolicy(policy).get(full));
    }

    /**
     * Waits until the operator knows where all running pods of this stage are. Pods and nodes come by different
     * watches: without this wait, the operator could see a change of a node before a pod is bound to it.
     */
    public void awaitKnown() {
        // The rule is true. The policy selects a pod once the operator knows that it is bound to a node of this stage.
        policy(WATCHED, """
            mode: Audit
            podSelector: {}
            nodeSelector: {matchLabels: {pool: %1$s}}
            rules:
            - name: pool
              nodeAffinity:
                required: {nodeSelectorTerms: [{matchExpressions: [{key: pool, operator: In, values: [%1$s]}]}]}
            """.formatted(namespace));
        await("the operator knows the nodes of all pods of " + namespace)
                .atMost(TimeLimits.STATE)
                .ignoreExceptions()
                .until(() -> ((Number) statusOf(WATCHED, "pods", "selected").orElse(0)).intValue() >= runningPods());
        deletePolicy(WATCHED);
    }

    /**
     * Waits until the operator knows that this many pods of this stage violate rules of their own. Nodes and policies
     * come by different watches: without this wait, the operator could see a policy before what breaks its rules.
     */
    public void awaitViolating(int pods) {
        policy(WATCHED, """
            mode: Audit
            podSelector: {}
            """);
        await("the operator knows that " + pods + " pods of " + namespace + " violate rules")
                .atMost(TimeLimits.STATE)
                .ignoreExceptions()
                .until(() -> statusOf(WATCHED, "pods", "violating").equals(Optional.of(pods)));
        deletePolicy(WATCHED);
    }

    /** {@return the reasons in {@code status.holds} of the policy; empty if there are no holds} */
    public List<String> holds() {
        return status("holds").stream()
                .flatMap(holds -> ((List<?>) holds).stream())
                .map(hold -> String.valueOf(((Map<?, ?>) hold).get("reason")))
                .toList();
    }

    /** {@return the numbers in {@code status.holds} of a PlacementPolicy by reason; empty if there are no holds} */
    public Map<String, Integer> holdsOf(String policy) {
        Map<String, Integer> counts = new TreeMap<>();
        Optional<List<Map<?, ?>>> holds = Optional.ofNullable(readPolicy(policy).get("status", "holds"));
        holds.orElse(List.of())
                .forEach(hold -> counts.put(
                        String.valueOf(hold.get("reason")), Integer.valueOf(String.valueOf(hold.get("count")))));
        return counts;
    }

    /** {@return status and reason of a condition of the policy {@code keep}, as in {@code True Valid}; may be empty} */
    public Optional<String> condition(String type) {
        return status("conditions").stream()
                .flatMap(conditions -> ((List<?>) conditions).stream())
                .map(condition -> (Map<?, ?>) condition)
                .filter(condition -> type.equals(condition.get("type")))
                .map(condition -> condition.get("status") + " " + condition.get("reason"))
                .findFirst();
    }

    /**
     * {@return the entries of {@code status.recentEvictions} of the policy, newest first, as maps from field name to
     * value}
     */
    public List<Map<?, ?>> recentEvictions() {
        return status("recentEvictions").stream()
                .flatMap(evictions -> ((List<?>) evictions).stream())
                .<Map<?, ?>>map(eviction -> (Map<?, ?>) eviction)
                .toList();
    }

    /** {@return the outcomes in {@code status.recentEvictions} of the policy, newest first, without moves in flight} */
    public List<String> outcomes() {
        return recentEvictions().stream()
                .map(eviction -> String.valueOf(eviction.get("outcome")))
                .filter(outcome -> !outcome.equals("null"))
                .toList();
    }

    /** {@return the pods with the label {@code app=<app>} that run and are not being deleted, sorted by name} */
    public List<Pod> running(String app) {
        return client.pods().inNamespace(namespace).withLabel("app", app).list().getItems().stream()
                .filter(Stage::isRunning)
                .sorted(Comparator.comparing(pod -> pod.getMetadata().getName()))
                .toList();
    }

    /** {@return the number of all running pods} */
    public long runningPods() {
        return client.pods().inNamespace(namespace).list().getItems().stream()
                .filter(Stage::isRunning)
                .count();
    }

    private static boolean isRunning(Pod pod) {
        return pod.getMetadata().getDeletionTimestamp() == null
                && pod.getStatus().getPhase().equals("Running");
    }

    /** {@return the short names of the nodes of the app's running pods, sorted, one entry for each pod} */
    public List<String> places(String app) {
        return running(app).stream()
                .map(pod -> pod.getSpec().getNodeName().substring(namespace.length() + 1))
                .sorted()
                .toList();
    }

    /** {@return the names of the app's running pods, sorted} */
    public List<String> names(String app) {
        return running(app).stream().map(pod -> pod.getMetadata().getName()).toList();
    }

    /** {@return the names of the app's running pods on a node, sorted} */
    public List<String> namesOn(String app, String node) {
        return running(app).stream()
                .filter(pod -> pod.getSpec().getNodeName().equals(nodeName(node)))
                .map(pod -> pod.getMetadata().getName())
                .toList();
    }

    /** {@return the client of the cluster} */
    public KubernetesClient client() {
        return client;
    }
}
