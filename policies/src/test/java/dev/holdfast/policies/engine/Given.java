package dev.holdfast.policies.engine;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Owner;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.PodLife;
import dev.holdfast.policies.model.Protection;
import dev.holdfast.policies.model.RestartPolicy;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleKind;
import dev.holdfast.policies.rule.WhenInfeasible;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.Parsed;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** The facts and policies that stories begin with. Pods are of namespace shop, and their UID is their name. */
final class Given {
    static final String ZONE = "zone";
    static final Duration FORGIVENESS = Duration.ofSeconds(60);

    private Given() {}

    static Node node(String name, String... labels) {
        return new Node(name, "uid-" + name, 1, Labels.of(labels), List.of(), false, true);
    }

    static Node cordoned(Node node) {
        return new Node(node.name(), node.uid(), node.resourceVersion() + 1, node.labels(), node.taints(), true, true);
    }

    /** {@return a running and ready pod of the ReplicaSet that has the pod's name without its last part} */
    static Pod pod(String name, String node, String app, Scheduling scheduling) {
        String owner = name.substring(0, name.lastIndexOf('-'));
        return new Pod(
                name,
                new NamespacedName("shop", name),
                1,
                Labels.of("app", app),
                Optional.of(node),
                scheduling,
                new PodLife(Phase.RUNNING, true, Story.START, Optional.empty()),
                new Protection(
                        Optional.of(new Controller("ReplicaSet", owner, "uid-" + owner)),
                        0,
                        RestartPolicy.ALWAYS,
                        false,
                        false));
    }

    /** {@return another pod in the place of one that was evicted} */
    static Pod replacement(Pod victim, String suffix, String node) {
        return new Pod(
                victim.uid() + suffix,
                new NamespacedName(victim.namespace(), victim.name().name() + suffix),
                1,
                victim.labels(),
                Optional.of(node),
                victim.scheduling(),
                victim.life(),
                victim.protection());
    }

    static Pod labelled(Pod pod, String... labels) {
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion() + 1,
                Labels.of(labels),
                pod.nodeName(),
                pod.scheduling(),
                pod.life(),
                pod.protection());
    }

    static Pod withLife(Pod pod, PodLife life) {
        return new Pod(
                pod.uid(),
                pod.name(),
                pod.resourceVersion() + 1,
                pod.labels(),
                pod.nodeName(),
                pod.scheduling(),
                life,
                pod.protection());
    }

    static Pod terminating(Pod pod) {
        return withLife(pod, new PodLife(Phase.RUNNING, true, Story.START, Optional.of(Story.START)));
    }

    static Pod notReady(Pod pod) {
        return withLife(pod, new PodLife(Phase.RUNNING, false, Story.START, Optional.empty()));
    }

    static ClusterEvent owner(String name, int replicas) {
        return new ClusterEvent.OwnerChanged(new Owner(
                "uid-" + name,
                "ReplicaSet",
                new NamespacedName("shop", name),
                Optional.empty(),
                OptionalInt.of(replicas)));
    }

    static Scheduling onNodesWith(String key, String value) {
        return new Scheduling(Labels.of(key, value), Optional.empty(), List.of(), List.of(), List.of(), List.of());
    }

    static Scheduling near(String app) {
        return new Scheduling(Labels.none(), Optional.empty(), List.of(term(app)), List.of(), List.of(), List.of());
    }

    static Scheduling apartFrom(String app) {
        return new Scheduling(Labels.none(), Optional.empty(), List.of(), List.of(term(app)), List.of(), List.of());
    }

    static Scheduling spread(String app, int maxSkew) {
        return new Scheduling(
                Labels.none(),
                Optional.empty(),
                List.of(),
                List.of(),
                List.of(TopologySpreadConstraint.of(
                        maxSkew, ZONE, new LabelSelector(Labels.of("app", app), List.of()))),
                List.of());
    }

    private static PodAffinityTerm term(String app) {
        return PodAffinityTerm.of(new LabelSelector(Labels.of("app", app), List.of()), ZONE);
    }

    static Policy enforcing() {
        return enforcing("web", FORGIVENESS);
    }

    static Policy enforcing(String name, Duration forgiveness) {
        return policy(name, Mode.ENFORCE, forgiveness, WhenInfeasible.WAIT);
    }

    static Policy auditing() {
        return policy("web", Mode.AUDIT, FORGIVENESS, WhenInfeasible.WAIT);
    }

    /** {@return a policy of namespace shop over all pods and all kinds of their own rules} */
    static Policy policy(String name, Mode mode, Duration forgiveness, WhenInfeasible whenInfeasible) {
        Map<RuleKind, Enforcement> podRules = new EnumMap<>(RuleKind.class);
        for (RuleKind kind : RuleKind.values()) {
            podRules.put(kind, new Enforcement(mode, forgiveness, whenInfeasible));
        }
        return new Policy(
                PolicyId.namespaced("shop", name),
                1,
                mode,
                all(),
                Optional.empty(),
                Optional.empty(),
                podRules,
                List.of());
    }

    static LabelMatcher all() {
        return selector(LabelSelector.everything());
    }

    static LabelMatcher selector(LabelSelector selector) {
        return switch (LabelMatcher.of(Optional.of(selector))) {
            case Parsed.Usable<LabelMatcher>(LabelMatcher matcher) -> matcher;
            case Parsed.Unusable<LabelMatcher>(String why) -> throw new IllegalArgumentException(why);
        };
    }
}
