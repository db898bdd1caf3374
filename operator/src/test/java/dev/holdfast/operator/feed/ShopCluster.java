package dev.holdfast.operator.feed;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.testing.PolicyDraft;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * A small simulated cluster and its policy. Pods {@code app=web} must run on nodes with SSDs, in a zone with a cache,
 * and apart from batch pods and from pods in namespaces of team data. Replacements land on node {@code safe}, where all
 * rules hold.
 */
final class ShopCluster {
    static final Duration SOON = Duration.ofMinutes(1);
    static final Duration LATE = Duration.ofMinutes(5);
    static final String SSD = "ssd";
    static final String APART = "apart-from-batch";
    static final String DATA = "apart-from-data";
    static final String CACHE = "near-cache";

    static final Policy POLICY = policy();

    private static final String HOSTNAME = "kubernetes.io/hostname";
    private static final String ZONE = "topology.kubernetes.io/zone";
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final SimulatedTime time;
    private final FakeServerState state;
    private int born;

    ShopCluster(SimulatedTime time, FakeServerState state) {
        this.time = time;
        this.state = state;
        namespace("shop");
        namespace("lake");
        node("safe", "ssd", "a");
        pod("shop", "cache-safe", "safe", "cache");
    }

    private static Policy policy() {
        return PolicyDraft.of(PolicyId.cluster("rules"), Mode.ENFORCE)
                .pods(matcher(app("web")))
                .rules(List.of(
                        named(
                                SSD,
                                new Rule.NodeAffinity(
                                        Labels.none(),
                                        Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                                                List.of(new Requirement("disk", "In", List.of("ssd"))), List.of()))))),
                                SOON),
                        named(APART, new Rule.PodAntiAffinity(PodAffinityTerm.of(app("batch"), HOSTNAME)), SOON),
                        named(
                                DATA,
                                new Rule.PodAntiAffinity(new PodAffinityTerm(
                                        Optional.of(LabelSelector.everything()),
                                        List.of(),
                                        Optional.of(new LabelSelector(Labels.of("team", "data"), List.of())),
                                        HOSTNAME,
                                        List.of(),
                                        List.of())),
                                SOON),
                        named(CACHE, new Rule.PodAffinity(List.of(PodAffinityTerm.of(app("cache"), ZONE))), LATE)))
                .policy();
    }

    private static Policy.NamedRule named(String name, Rule rule, Duration forgiveness) {
        return new Policy.NamedRule(name, rule, new Enforcement(Mode.ENFORCE, forgiveness, WhenInfeasible.EVICT));
    }

    private static LabelSelector app(String app) {
        return new LabelSelector(Labels.of("app", app), List.of());
    }

    private static LabelMatcher matcher(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case ParseResult.Usable<LabelMatcher>(LabelMatcher usable) -> usable;
            case ParseResult.Unusable<LabelMatcher>(String why) -> throw new AssertionError(why);
        };
    }

    void node(String name, String disk, String zone) {
        state.put(FakeObject.node(name, Labels.of("disk", disk, ZONE, zone, HOSTNAME, name)));
    }

    void namespace(String name, String... labels) {
        state.put(FakeObject.namespace(name, Labels.of(labels)));
    }

    /** Creates a pod, or changes the pod of this name; {@code app} is the value of its label. */
    void pod(String namespace, String name, String node, String app) {
        Optional<Pod> known = pod(namespace, name);
        String uid = known.map(Pod::uid).orElseGet(() -> name + "." + ++born);
        state.put(FakeObject.pod(
                namespace, name, uid, known.flatMap(Pod::nodeName).orElse(node), Labels.of("app", app)));
    }

    void podGoes(String namespace, String name) {
        state.remove(WatchedKind.PODS, namespace + "/" + name);
    }

    void nodeGoes(String name) {
        state.remove(WatchedKind.NODES, name);
    }

    Optional<Pod> pod(String namespace, String name) {
        return state.all(WatchedKind.PODS).stream()
                .filter(it -> it.key().equals(namespace + "/" + name))
                .map(it -> ((ClusterEvent.PodChanged) it.fact()).pod())
                .findFirst();
    }

    /**
     * Evicts a pod. The pod is gone after its grace period, and a replacement of the same name starts on the safe node.
     */
    void evicts(String uid) {
        Pod victim = state.truth().pod(uid).orElseThrow();
        String namespace = victim.namespace();
        String name = victim.name().name();
        String app = victim.labels().get("app").orElseThrow();
        state.put(FakeObject.pod(
                namespace,
                name,
                uid,
                victim.nodeName().orElseThrow(),
                victim.labels(),
                Optional.of(time.instant().plus(GRACE).truncatedTo(ChronoUnit.SECONDS))));
        time.after(GRACE, () -> {
            if (pod(namespace, name).filter(pod -> pod.uid().equals(uid)).isPresent()) {
                podGoes(namespace, name);
            }
        });
        time.after(GRACE.plusSeconds(1), () -> {
            if (pod(namespace, name).isEmpty()) {
                pod(namespace, name, "safe", app);
            }
        });
    }
}
