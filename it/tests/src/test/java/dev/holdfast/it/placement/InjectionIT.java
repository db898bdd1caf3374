package dev.holdfast.it.placement;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.it.chart.InstalledChart;
import dev.holdfast.it.controlplane.ControlPlane;
import dev.holdfast.it.controlplane.TimeLimits;
import dev.holdfast.operator.decode.JsonFacts;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.evaluate.Placement;
import dev.holdfast.policies.inject.Injection;
import dev.holdfast.policies.inject.PreferredTerms;
import dev.holdfast.policies.model.AnnotationRules;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.ReferenceCluster;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.injected.InjectedRules;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.Rule;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/**
 * The chart's admission policies on the real API server: random pods, some with rules in an annotation, and policies
 * with {@code scheduling: Inject}, of which some allow annotations. For each pod, the stored constraints and preferred
 * terms equal those of {@link Injection}, the record leads back to what the pod requires of its own, and the real
 * scheduler places the pod where Holdfast says that the pod and the injected rules allow it.
 *
 * <p>{@code -Dholdfast.injection.cases=N -Dholdfast.injection.seed=S} runs other or more cases.
 */
@Execution(ExecutionMode.CONCURRENT)
class InjectionIT {
    private static final int CASES = Integer.getInteger("holdfast.injection.cases", 300);
    private static final long SEED = Long.getLong("holdfast.injection.seed", 20_261_126L);
    private static final int NODES = 12;
    private static final int PARTNERS = 14;

    /** The host port of the first case. Each case has its own. */
    private static final int FIRST_PORT = 7000;

    private static final List<String> OF_SHOP = List.of("p0", "p1", "p2", "p3", "p4");
    private static final List<String> OF_CLUSTER = List.of("c0", "c1", "c2");

    /** The policies that allow annotations. */
    private static final Set<String> ALLOWING = Set.of("p0", "p1", "c0");

    /** Stands for the annotation in an order of policies. */
    private static final String ANNOTATION = "annotation";

    private static final String REQUIRED = "requiredDuringSchedulingIgnoredDuringExecution";
    private static final PolicyTranslator TRANSLATOR = new PolicyTranslator(Duration.ofMinutes(5));

    private final ControlPlane controlPlane = ControlPlane.start();
    private final KubernetesClient client =
            new KubernetesClientBuilder().withConfig(controlPlane.config()).build();
    private final ObjectMapper json = new ObjectMapper();
    private final JsonFacts facts = new JsonFacts();
    private final RandomRules rules = new RandomRules(new Random(SEED));
    private final ReferenceCluster cluster = new ReferenceCluster();
    private final Map<String, Policy> policies = new TreeMap<>();

    /** How many pods got a rule of their annotation. */
    private int annotated;

    @AfterEach
    void close() {
        client.close();
        controlPlane.close();
    }

    @Test
    void theSchedulerReadsInjectedRulesAsHoldfastReadsTheRulesOfPolicies() {
        System.out.println("-Dholdfast.injection.seed=" + SEED + " -Dholdfast.injection.cases=" + CASES);
        makeCluster();
        InstalledChart chart =
                InstalledChart.install(controlPlane, "holdfast", "scheduling.enabled=true", "replicaCount=0");
        OF_SHOP.forEach(name -> makePolicy(name, "PlacementPolicy", "namespace: shop"));
        OF_CLUSTER.forEach(name -> makePolicy(name, "ClusterPlacementPolicy", ""));
        policies.keySet().forEach(this::awaitEffect);
        List<String> differences = new ArrayList<>();
        int placed = 0;
        for (int i = 0; i < CASES; i++) {
            placed += isPlaced(i, differences) ? 1 : 0;
        }
        System.out.println(CASES + " cases, " + placed + " placed, " + annotated + " with rules of annotations");

        assertThat(differences).isEmpty();
        // At least a tenth of the pods must find a node, and at least a tenth must find none.
        assertThat(placed).isBetween(CASES / 10, CASES - CASES / 10);
        assertThat(annotated).isGreaterThan(CASES / 10);

        chart.uninstall();
        assertThat(client.genericKubernetesResources("admissionregistration.k8s.io/v1", "MutatingAdmissionPolicy")
                        .list()
                        .getItems())
                .as("admission policies after an uninstall")
                .isEmpty();
    }

    private void makeCluster() {
        for (String namespace : List.of("shop", "bank")) {
            create("{apiVersion: v1, kind: Namespace, metadata: {name: " + namespace + ", labels: {team: "
                    + (namespace.equals("bank") ? "blue" : "red") + "}}}");
            await().atMost(TimeLimits.STATE)
                    .until(() -> client.serviceAccounts()
                                    .inNamespace(namespace)
                                    .withName("default")
                                    .get()
                            != null);
        }
        for (int i = 0; i < NODES; i++) {
            create("{apiVersion: v1, kind: Node, metadata: {name: n" + i + ", labels: {kubernetes.io/hostname: n" + i
                    + ", topology.kubernetes.io/zone: " + rules.one(RandomRules.ZONES) + ", disk: "
                    + rules.one(List.of("ssd", "hdd", "nvme")) + ", cores: '" + rules.one(List.of("4", "16")) + "'"
                    + (rules.chance(30) ? ", gpu: a" : "") + "}}, spec: {"
                    + (rules.chance(20) ? "taints: [{key: gpu, effect: NoSchedule}]" : "")
                    + "}, status: {capacity: {cpu: 64, memory: 64Gi, pods: 110}, allocatable: {cpu: 64, memory: 64Gi,"
                    + " pods: 110}}}");
        }
        await("nodes are ready").atMost(TimeLimits.STATE).until(this::nodesAreReady);
        for (int i = 0; i < PARTNERS; i++) {
            String namespace = rules.one(List.of("shop", "bank"));
            create("{apiVersion: v1, kind: Pod, metadata: {name: partner-" + i + ", namespace: " + namespace
                    + ", labels: " + labels(List.of()) + "}, spec: {nodeName: n" + i % NODES
                    + ", " + (rules.chance(20) ? rules.ofPod() + ", " : "") + "containers: [{name: c, image: i}]}}");
        }
        client.namespaces()
                .list()
                .getItems()
                .forEach(it -> cluster.apply(new ClusterEvent.NamespaceChanged(facts.namespace(json.valueToTree(it)))));
        client.nodes()
                .list()
                .getItems()
                .forEach(it -> cluster.apply(new ClusterEvent.NodeChanged(facts.node(json.valueToTree(it)))));
        client.pods()
                .inAnyNamespace()
                .list()
                .getItems()
                .forEach(it -> cluster.apply(new ClusterEvent.PodChanged(facts.pod(json.valueToTree(it)))));
    }

    private boolean nodesAreReady() {
        return client.nodes().list().getItems().stream()
                .allMatch(node -> node.getStatus().getConditions().stream()
                                .anyMatch(condition -> condition.getType().equals("Ready")
                                        && condition.getStatus().equals("True"))
                        && node.getSpec().getTaints().stream()
                                .noneMatch(taint -> taint.getKey().equals("node.kubernetes.io/not-ready")));
    }

    private void makePolicy(String name, String kind, String metadata) {
        HasMetadata created = create("{apiVersion: holdfast.dev/v1alpha1, kind: " + kind + ", metadata: {name: " + name
                + (metadata.isEmpty() ? "" : ", " + metadata) + "}, spec: {"
                + (ALLOWING.contains(name)
                        ? "mode: Enforce, scheduling: Inject, annotationRules: Allow, "
                        : "scheduling: InjectAlsoInAudit, ")
                + (kind.equals("ClusterPlacementPolicy") ? "namespaceSelector: {matchLabels: {team: red}}, " : "")
                + "podSelector: {matchLabels: {" + name + ": 'yes'}}, rules: " + rules.ofPolicy(name) + "}}");
        Translation translation = kind.equals("ClusterPlacementPolicy")
                ? TRANSLATOR.translate(as(ClusterPlacementPolicy.class, created))
                : TRANSLATOR.translate(as(PlacementPolicy.class, created));
        assertThat(translation).isInstanceOf(Translation.Understood.class);
        policies.put(name, ((Translation.Understood) translation).policy());
    }

    private <T> T as(Class<T> kind, HasMetadata object) {
        return client.getKubernetesSerialization().convertValue(object, kind);
    }

    /** An admission policy and its parameters are in effect some seconds after they were created. */
    private void awaitEffect(String policy) {
        await("policy " + policy + " injects its rules")
                .atMost(TimeLimits.STATE)
                .pollInterval(Duration.ofMillis(200))
                .until(() -> record(client.resource(manifest("probe", List.of(policy), "", FIRST_PORT))
                                .dryRun()
                                .create())
                        .contains("/" + policy + "/marker "));
    }

    private static String record(io.fabric8.kubernetes.api.model.Pod pod) {
        return Optional.ofNullable(pod.getMetadata().getAnnotations())
                .map(it -> it.get(InjectedRules.ANNOTATION))
                .orElse("");
    }

    /** Compares one case, and returns whether the pod was placed. */
    private boolean isPlaced(int number, List<String> differences) {
        String name = "case-" + number;
        List<String> selecting =
                policies.keySet().stream().filter(_ -> rules.chance(25)).toList();
        io.fabric8.kubernetes.api.model.Pod manifest = manifest(name, selecting, rules.ofPod(), FIRST_PORT + number);
        Pod template = facts.pod(running(manifest));
        PreferredTerms prefers = preferredTerms(running(manifest));
        io.fabric8.kubernetes.api.model.Pod created = client.resource(manifest).create();
        Optional<String> node = placedOn(created);
        client.resource(created).withGracePeriod(0).delete();
        node.ifPresent(it -> awaitAbsence(number, it));

        String record = record(created);
        List<String> injecting = Stream.concat(
                        selecting.stream(),
                        selecting.stream().filter(ALLOWING::contains).limit(1).map(_ -> ANNOTATION))
                .toList();
        Optional<Injection> injection = permutations(injecting)
                .map(order -> injection(template.scheduling(), prefers, order))
                .filter(it -> it.record().text().equals(record))
                .findFirst();
        if (injection.isEmpty()) {
            differences.add(name + ": the record is " + record + " and not "
                    + injection(template.scheduling(), prefers, injecting)
                            .record()
                            .text());
        } else {
            annotated += record.contains("annotation/") ? 1 : 0;
            Pod stored = facts.pod(json.valueToTree(created));
            compareConstraints(name, template, stored, injection.get(), differences);
            comparePreferred(
                    name, stored.labels(), preferredTerms(json.valueToTree(created)), injection.get(), differences);
            comparePlacement(name, stored, node, injection.get(), differences);
        }
        return node.isPresent();
    }

    /**
     * Waits until the scheduler knows that a pod is gone. It gives its host port to another pod then.
     *
     * @param number of the case, whose port no other case has
     */
    private void awaitAbsence(int number, String node) {
        HasMetadata next = create("{apiVersion: v1, kind: Pod, metadata: {name: next-" + number
                + ", namespace: default}, spec: {nodeSelector: {kubernetes.io/hostname: " + node
                + "}, tolerations: [{operator: Exists}], terminationGracePeriodSeconds: 0, containers: [{name: c,"
                + " image: i, ports: [{containerPort: 80, hostPort: " + (FIRST_PORT + number) + "}]}]}}");
        await("the scheduler knows that case " + number + " is over")
                .atMost(TimeLimits.STATE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> client.pods()
                                .inNamespace("default")
                                .withName("next-" + number)
                                .get()
                                .getSpec()
                                .getNodeName()
                        != null);
        client.resource(next).withGracePeriod(0).delete();
    }

    private static void compareConstraints(
            String name, Pod template, Pod stored, Injection expected, List<String> differences) {
        Scheduling merged = merged(expected.scheduling(), stored.labels());
        if (!constraints(stored.scheduling()).equals(constraints(merged))) {
            differences.add(name + ": stored " + stored.scheduling() + " and not " + merged);
        }
        Scheduling own = merged(template.scheduling(), stored.labels());
        if (!constraints(stored.scheduling().own()).equals(constraints(own))) {
            differences.add(name + ": own " + stored.scheduling().own() + " and not " + own);
        }
    }

    private static void comparePreferred(
            String name, Labels labels, PreferredTerms stored, Injection expected, List<String> differences) {
        PreferredTerms merged = new PreferredTerms(
                expected.preferred().nodeAffinity(),
                merged(expected.preferred().podAffinity(), labels),
                merged(expected.preferred().podAntiAffinity(), labels),
                expected.preferred().topologySpread());
        if (!stored.equals(merged)) {
            differences.add(name + ": prefers " + stored + " and not " + merged);
        }
    }

    /** {@return what the pod prefers with weight 100, read as if the pod required it} */
    private PreferredTerms preferredTerms(ObjectNode pod) {
        ObjectNode asRequired = pod.deepCopy();
        ObjectNode spec = asRequired.withObject("/spec");
        ArrayNode nodeTerms = json.createArrayNode();
        preferred(pod, "nodeAffinity").forEach(it -> nodeTerms.add(it.get("preference")));
        ObjectNode affinity = spec.putObject("affinity");
        if (!nodeTerms.isEmpty()) {
            affinity.putObject("nodeAffinity").putObject(REQUIRED).set("nodeSelectorTerms", nodeTerms);
        }
        for (String kind : List.of("podAffinity", "podAntiAffinity")) {
            ArrayNode terms = affinity.putObject(kind).putArray(REQUIRED);
            preferred(pod, kind).forEach(it -> terms.add(it.get("podAffinityTerm")));
        }
        ArrayNode constraints = spec.putArray("topologySpreadConstraints");
        pod.at("/spec/topologySpreadConstraints").forEach(it -> {
            if (it.get("whenUnsatisfiable").asText().equals("ScheduleAnyway")) {
                constraints.add(it.<ObjectNode>deepCopy().put("whenUnsatisfiable", "DoNotSchedule"));
            }
        });
        asRequired.withObject("/metadata").remove("annotations");
        Scheduling read = facts.pod(asRequired).scheduling();
        return new PreferredTerms(
                read.nodeAffinity().map(NodeSelector::terms).orElse(List.of()),
                read.podAffinity(),
                read.podAntiAffinity(),
                read.topologySpread());
    }

    private static List<JsonNode> preferred(ObjectNode pod, String kind) {
        List<JsonNode> terms = new ArrayList<>();
        pod.at("/spec/affinity/" + kind + "/preferredDuringSchedulingIgnoredDuringExecution")
                .forEach(it -> {
                    if (it.get("weight").asInt() == 100) {
                        terms.add(it);
                    }
                });
        return terms;
    }

    /** {@return all constraints but the tolerations, which the API server adds to} */
    private static List<Object> constraints(Scheduling scheduling) {
        return List.of(
                scheduling.nodeSelector(),
                scheduling.nodeAffinity(),
                scheduling.podAffinity(),
                scheduling.podAntiAffinity(),
                scheduling.topologySpread());
    }

    /** {@return the constraints as the API server stores them, with matchLabelKeys merged into selectors (PA-7)} */
    private static Scheduling merged(Scheduling scheduling, Labels labels) {
        return new Scheduling(
                scheduling.nodeSelector(),
                scheduling.nodeAffinity(),
                merged(scheduling.podAffinity(), labels),
                merged(scheduling.podAntiAffinity(), labels),
                scheduling.topologySpread(),
                scheduling.tolerations());
    }

    private static List<PodAffinityTerm> merged(List<PodAffinityTerm> terms, Labels labels) {
        return terms.stream()
                .map(term -> new PodAffinityTerm(
                        term.mergedFor(labels).labelSelector(),
                        term.namespaces(),
                        term.namespaceSelector(),
                        term.topologyKey(),
                        term.matchLabelKeys(),
                        term.mismatchLabelKeys()))
                .toList();
    }

    private void comparePlacement(
            String name, Pod stored, Optional<String> node, Injection injection, List<String> differences) {
        Set<String> expected = Placement.fits(stored, injectedRules(stored, injection), cluster).stream()
                .map(dev.holdfast.policies.model.Node::name)
                .collect(Collectors.toSet());
        if (node.isPresent() ? !expected.contains(node.get()) : !expected.isEmpty()) {
            differences.add(name + ": placed on " + node + ", and Holdfast names " + expected + " for "
                    + injection.scheduling());
        }
    }

    /** {@return the rules of policies that the record names, as execution holds the pod to them} */
    private List<Rule> injectedRules(Pod stored, Injection injection) {
        Set<String> injected = injection.record().entries().stream()
                .filter(it -> !(it.place() instanceof InjectedRules.Place.Preferred)
                        && !(it.place() instanceof InjectedRules.Place.PreferredSpread))
                .map(InjectedRules.Entry::rule)
                .collect(Collectors.toCollection(HashSet::new));
        Stream<Rule> ofPolicies = policies.values().stream()
                .flatMap(policy -> policy.rules().stream()
                        .filter(rule -> injected.contains(
                                (policy.id().isOfCluster() ? "ClusterPlacementPolicy/" : "PlacementPolicy/")
                                        + policy.id().name() + "/" + rule.name())))
                .map(Policy.NamedRule::rule);
        Stream<Rule> ofAnnotation = PodRules.inAnnotation(stored.scheduling()).entrySet().stream()
                .filter(rule -> injected.contains("annotation/" + rule.getKey()))
                .map(Map.Entry::getValue);
        return Stream.concat(ofPolicies, ofAnnotation)
                .map(rule -> rule.mergedFor(stored.labels()))
                .toList();
    }

    private Injection injection(Scheduling own, PreferredTerms prefers, List<String> order) {
        Injection injection = Injection.into(own, prefers);
        for (String policy : order) {
            injection = policy.equals(ANNOTATION)
                    ? injection.withAnnotationRules()
                    : injection.with(requireNonNull(policies.get(policy)));
        }
        return injection;
    }

    private static Stream<List<String>> permutations(List<String> names) {
        return names.isEmpty()
                ? Stream.of(List.of())
                : IntStream.range(0, names.size()).boxed().flatMap(i -> {
                    List<String> others = new ArrayList<>(names);
                    String first = others.remove(i.intValue());
                    return permutations(others)
                            .map(rest -> Stream.concat(Stream.of(first), rest.stream())
                                    .toList());
                });
    }

    private Optional<String> placedOn(io.fabric8.kubernetes.api.model.Pod pod) {
        return await().atMost(TimeLimits.STATE)
                .pollInterval(Duration.ofMillis(10))
                .until(() -> answer(pod), Optional::isPresent)
                .orElseThrow();
    }

    private Optional<Optional<String>> answer(io.fabric8.kubernetes.api.model.Pod pod) {
        io.fabric8.kubernetes.api.model.Pod now = client.resource(pod).get();
        if (now.getSpec().getNodeName() != null) {
            return Optional.of(Optional.of(now.getSpec().getNodeName()));
        }
        return now.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("PodScheduled")
                                && condition.getStatus().equals("False"))
                ? Optional.of(Optional.empty())
                : Optional.empty();
    }

    private io.fabric8.kubernetes.api.model.Pod manifest(
            String name, List<String> selecting, String constraints, int port) {
        String pinned = rules.chance(40)
                ? "nodeSelector: {kubernetes.io/hostname: n" + rules.one(List.of(0, 1, 2, 3, 4, 5)) + "}, "
                : "";
        return client.getKubernetesSerialization()
                .unmarshal(
                        "---\n{apiVersion: v1, kind: Pod, metadata: {name: " + name
                                + ", namespace: shop, labels: " + labels(selecting) + annotation() + "}, spec: {"
                                + pinned
                                + (constraints.isEmpty() ? "" : constraints + ", ")
                                + (rules.chance(30) ? "tolerations: [{key: gpu, operator: Exists}], " : "")
                                + "terminationGracePeriodSeconds: 0, containers: [{name: c, image: i, ports:"
                                + " [{containerPort: 80, hostPort: " + port + "}]}]}}",
                        io.fabric8.kubernetes.api.model.Pod.class);
    }

    /** {@return rules in an annotation for half of the pods; one in ten has an escape, which CEL does not read} */
    private String annotation() {
        if (rules.chance(50)) {
            return "";
        }
        JsonNode read = client.getKubernetesSerialization().unmarshal("---\n" + rules.ofAnnotation(), JsonNode.class);
        String text = rules.chance(50) ? read.toPrettyString() : read.toString();
        String written = rules.chance(10)
                ? text.replace("DoNotSchedule", "\\u0044oNotSchedule").replace("disk", "\\u0064isk")
                : text;
        return ", annotations: {" + AnnotationRules.ANNOTATION + ": '" + written + "'}";
    }

    private String labels(List<String> policies) {
        return Stream.concat(
                        Stream.of(
                                "app: " + rules.one(RandomRules.APPS), "tier: " + rules.one(List.of("front", "back"))),
                        policies.stream().map(policy -> policy + ": 'yes'"))
                .collect(Collectors.joining(", ", "{", "}"));
    }

    /** {@return the manifest as a pod that waits for its node} */
    private ObjectNode running(io.fabric8.kubernetes.api.model.Pod manifest) {
        ObjectNode pod = json.valueToTree(manifest);
        pod.withObject("/metadata")
                .put("uid", manifest.getMetadata().getName())
                .put("resourceVersion", "1")
                .put("creationTimestamp", "2026-01-01T00:00:00Z");
        pod.withObject("/status").put("phase", "Pending");
        return pod;
    }

    private HasMetadata create(String manifest) {
        HasMetadata object = (HasMetadata) client.getKubernetesSerialization().unmarshal("---\n" + manifest);
        return client.resource(object).create();
    }
}
