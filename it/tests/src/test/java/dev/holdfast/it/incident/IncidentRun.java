package dev.holdfast.it.incident;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.crds.v1alpha1.status.HoldCount;
import dev.holdfast.crds.v1alpha1.status.PolicyCondition;
import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.it.incident.Incident.Look;
import dev.holdfast.it.incident.Incident.Step;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.testing.ChecksWithout;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** One run of an incident in virtual time. The cluster has existed unchanged for an hour when the operator starts. */
final class IncidentRun {
    private static final Instant START = Instant.parse("2026-11-20T12:00:00Z");
    private static final Duration BEFORE = Duration.ofHours(1);
    private static final int ENDLESS = 5_000_000;

    private final Incident incident;
    private final VirtualTime time = new VirtualTime(START.minus(BEFORE));
    private final SimulatedOperator operator;
    private final SimulatedCluster cluster;
    private final EvictionApi api;
    private final Map<String, Integer> fewestReady = new TreeMap<>();

    /** The workload of each pod that ever existed, by UID. */
    private final Map<String, String> workloads = new HashMap<>();

    private int rounds;

    /**
     * Creates the cluster, lets an hour pass, starts the operator and schedules the steps of the incident.
     *
     * @param disregarded the hold reasons that are switched off
     * @param budgetsCount whether the API server checks PodDisruptionBudgets
     */
    IncidentRun(Incident incident, Set<Reason> disregarded, boolean budgetsCount) {
        this.incident = incident;
        this.operator = new SimulatedOperator(time, settings(budgetsCount ? disregarded : andBudgets(disregarded)));
        this.cluster = new SimulatedCluster(time, operator::receive);
        this.api = cluster.evictions(budgetsCount);
        cluster.apply(Manifests.read(incident.folder().resolve("cluster.yaml")));
        begin();
    }

    private static Set<Reason> andBudgets(Set<Reason> reasons) {
        Set<Reason> more = EnumSet.of(Reason.DISRUPTION_BUDGET, Reason.DISRUPTION_BUDGET_NEVER_ALLOWS);
        more.addAll(reasons);
        return more;
    }

    /** {@return the default settings with these hold reasons switched off} */
    private static EngineSettings settings(Set<Reason> disregarded) {
        EngineSettings plain = OperatorConfig.defaults().engineSettings();
        return new EngineSettings(
                plain.operatorLimits(),
                plain.protectedPods(),
                plain.exemptNamespaces(),
                plain.replacementTimes(),
                plain.breakers(),
                ChecksWithout.reasons(disregarded),
                false);
    }

    private void begin() {
        cluster.settle();
        for (Optional<Instant> next = time.next(); next.filter(START::isAfter).isPresent(); next = time.next()) {
            time.passUntil(next.get());
            cluster.settle();
        }
        time.passUntil(START);
        operator.apply(Manifests.read(incident.folder().resolve("policies.yaml")));
        operator.begin();
        incident.steps().forEach(step -> time.after(step.at(), () -> perform(step)));
    }

    private void perform(Step step) {
        JsonNode arguments = step.arguments();
        switch (step.verb()) {
            case "apply" -> cluster.apply(Manifests.read(incident.folder().resolve(arguments.asText())));
            case "policies" -> operator.apply(Manifests.read(incident.folder().resolve(arguments.asText())));
            case "label" -> onNodes(arguments, node -> () -> cluster.label(node, labels(arguments)));
            case "fail" -> onNodes(arguments, node -> () -> cluster.fail(node));
            case "recover" -> onNodes(arguments, node -> () -> cluster.recover(node));
            case "end" -> onNodes(arguments, node -> () -> cluster.end(node));
            case "cordon" -> onNodes(arguments, node -> () -> cluster.cordon(node, true));
            case "uncordon" -> onNodes(arguments, node -> () -> cluster.cordon(node, false));
            case "roll" ->
                cluster.edit(
                        "Deployment",
                        arguments.path("namespace").asText(),
                        arguments.path("name").asText(),
                        it -> it.withObject("/spec/template/metadata/labels")
                                .put("version", arguments.path("version").asText()));
            case "scale" ->
                cluster.edit(
                        arguments.path("kind").asText("Deployment"),
                        arguments.path("namespace").asText(),
                        arguments.path("name").asText(),
                        it -> it.withObjectProperty("spec")
                                .put("replicas", arguments.path("replicas").asInt()));
            case "refuse-pods" -> cluster.refusePods(arguments.asBoolean());
            case "without-images" -> cluster.withoutImages(arguments.asBoolean());
            case "crash" -> cluster.ready(arguments.asText(), false);
            case "run" -> cluster.ready(arguments.asText(), true);
            default -> throw new IllegalArgumentException("no step is called " + step.verb());
        }
    }

    /**
     * Applies an action to each node that the step names: at once, or one after the other if the step has {@code each}.
     */
    private void onNodes(JsonNode arguments, Function<String, Runnable> action) {
        Duration each = arguments.has("each") ? Incident.duration(arguments.path("each")) : Duration.ZERO;
        List<String> nodes = cluster.nodes(arguments.path("nodes").asText());
        for (int i = 0; i < nodes.size(); i++) {
            time.after(each.multipliedBy(i), action.apply(nodes.get(i)));
        }
    }

    private static Map<String, Optional<String>> labels(JsonNode arguments) {
        Map<String, Optional<String>> labels = new TreeMap<>();
        arguments
                .path("set")
                .properties()
                .forEach(it -> labels.put(it.getKey(), Optional.of(it.getValue().asText())));
        Incident.each(arguments.path("remove")).forEach(key -> labels.put(key.asText(), Optional.empty()));
        return labels;
    }

    /** Lets time pass until this time after the start of the incident. */
    void passUntil(Duration moment) {
        Instant end = START.plus(moment);
        work();
        for (Optional<Instant> next = next();
                next.filter(it -> !it.isAfter(end)).isPresent();
                next = next()) {
            time.passUntil(next.get());
            work();
        }
        time.passUntil(end);
    }

    private Optional<Instant> next() {
        return Stream.of(time.next(), operator.wake()).flatMap(Optional::stream).min(Instant::compareTo);
    }

    private void work() {
        do {
            if (++rounds > ENDLESS) {
                throw new IllegalStateException("an incident without end");
            }
            cluster.settle();
            count();
        } while (operator.step(cluster, api));
    }

    private void count() {
        Map<String, Integer> ready = new TreeMap<>();
        for (var pod : cluster.pods()) {
            String workload = PodObjects.namespace(pod) + "/"
                    + PodObjects.label(pod, "app").orElse("");
            workloads.put(PodObjects.uid(pod), workload);
            ready.merge(workload, PodObjects.isActive(pod) && PodObjects.isReady(pod) ? 1 : 0, Integer::sum);
        }
        ready.forEach((workload, pods) -> fewestReady.merge(workload, pods, Math::min));
    }

    /** {@return the current state, with only those workloads, policies and conditions that the expected state names} */
    Look look(Look other) {
        Map<String, Integer> evicted = new TreeMap<>();
        operator.evicted().forEach(it -> evicted.merge(workloads.get(it.uid()), 1, Integer::sum));
        return new Look(
                Duration.between(START, time.instant()),
                evicted,
                named(other.fewestReady(), workload -> fewestReady.getOrDefault(workload, 0)),
                named(other.holds(), policy -> holds(status(policy))),
                conditions(other.conditions()));
    }

    private static <T> Map<String, T> named(Map<String, T> by, Function<String, T> value) {
        return by.keySet().stream()
                .collect(Collectors.toMap(Function.identity(), value, (one, _) -> one, TreeMap::new));
    }

    private PolicyStatus status(String policy) {
        return operator.status(policy)
                .orElseThrow(() -> new IllegalArgumentException("nothing was published of policy " + policy));
    }

    private static Map<String, Integer> holds(PolicyStatus status) {
        return status.holds().stream()
                .collect(Collectors.toMap(HoldCount::reason, HoldCount::count, Integer::sum, TreeMap::new));
    }

    private Map<String, Map<String, String>> conditions(Map<String, Map<String, String>> like) {
        Map<String, Map<String, String>> conditions = new TreeMap<>();
        like.forEach((policy, named) -> conditions.put(policy, conditions(status(policy), named.keySet())));
        return conditions;
    }

    private static Map<String, String> conditions(PolicyStatus status, Set<String> types) {
        return status.conditions().stream()
                .filter(it -> types.contains(it.type()))
                .collect(Collectors.toMap(
                        PolicyCondition::type, it -> it.status() + " " + it.reason(), (one, _) -> one, TreeMap::new));
    }

    /** {@return the holds and all evictions so far as text, for failure messages} */
    String told() {
        return operator.holds() + "\n"
                + operator.evicted().stream()
                        .map(it -> it.planId() + " " + it.pod() + " for " + it.policy() + " rule " + it.rule() + ": "
                                + it.cause())
                        .collect(Collectors.joining("\n"));
    }
}
