package dev.holdfast.policies.engine.status;

import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.report.InjectionReport;
import dev.holdfast.policies.engine.state.ViolationMemory;
import dev.holdfast.policies.index.count.Injected;
import dev.holdfast.policies.inject.InjectionOutcome;
import dev.holdfast.policies.inject.PolicyInjection;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The pods that prove that the API server does not inject the rules of a policy. The operator has no right to read
 * admission policies, so what they did to pods is the only proof.
 *
 * <p>A pod is a proof only if it had no node when the operator first saw it: then the scheduler places it, and the pod
 * should have the rules. The API server reads a new revision of a policy some seconds after it is written, so pods that
 * are created soon after that prove nothing. Pods of DaemonSets, and pods in namespaces that injection leaves alone,
 * prove nothing either.
 */
public final class UninjectedPods implements ViolationMemory {
    /** The time within which the API server uses a new revision of a policy, or new labels of a namespace. */
    private static final Duration TAKES_EFFECT = Duration.ofSeconds(30);

    /** How long a new pod is no proof, since the edit that explains it may arrive later: views have no common order. */
    private static final Duration SETTLES = Duration.ofSeconds(10);

    /** The maximum number of pods that are remembered for each policy. More pods would prove the same. */
    private static final int MOST = 100;

    private final LiveCluster cluster;
    private final Set<String> untouched;
    private final Map<PolicyId, Revision> revisions = new HashMap<>();
    private final Map<PolicyId, Map<String, Found>> found = new HashMap<>();

    /** When the labels of a namespace last changed, if that is not long ago. */
    private final Map<String, Instant> relabelled = new HashMap<>();

    private record Revision(Policy policy, Instant since) {}

    private record Found(InjectionReport.Example example, Instant at) {
        boolean isSettled(Instant now) {
            return !now.isBefore(at.plus(SETTLES));
        }
    }

    /** @param untouched the namespaces into whose pods no rule is injected */
    public UninjectedPods(LiveCluster cluster, Set<String> untouched) {
        this.cluster = cluster;
        this.untouched = Set.copyOf(untouched);
    }

    /** Begins to collect proofs for a new revision of a policy, and drops those for the previous one. */
    public void changed(Policy policy, Instant now) {
        Revision known = revisions.get(policy.id());
        if (known == null || !known.policy().equals(policy)) {
            found.remove(policy.id());
            revisions.put(policy.id(), new Revision(policy, now));
        }
    }

    /** Forgets the pods of a deleted policy. */
    public void removed(PolicyId policy) {
        found.remove(policy);
        revisions.remove(policy);
    }

    /** Records a change of labels before the cluster state shows it. */
    public void beforeChange(ClusterEvent fact, Instant now) {
        if (fact instanceof ClusterEvent.NamespaceChanged(Namespace namespace)
                && cluster.namespace(namespace.name())
                        .filter(before -> !before.labels().equals(namespace.labels()))
                        .isPresent()) {
            relabelled.values().removeIf(at -> !isRecent(at, now));
            relabelled.put(namespace.name(), now);
        }
    }

    /**
     * Judges a pod that is new, once the cluster state shows it.
     *
     * @param before the state of the pod before; empty if the pod was not known
     */
    public void afterChange(ClusterEvent fact, Optional<Pod> before, Instant now) {
        if (found.isEmpty() && revisions.isEmpty()) {
            return;
        }
        if (fact instanceof ClusterEvent.PodGone(String uid)) {
            found.values().removeIf(pods -> pods.remove(uid) != null && pods.isEmpty());
        } else if (fact instanceof ClusterEvent.PodChanged(Pod pod) && before.isEmpty() && isPlacedByScheduler(pod)) {
            cluster.index().injections(pod.uid()).forEach((policy, injection) -> judge(pod, policy, injection, now));
        }
    }

    private boolean isPlacedByScheduler(Pod pod) {
        return pod.nodeName().isEmpty()
                && !pod.finished()
                && !pod.victimProtection().ofDaemonSet()
                && !untouched.contains(pod.namespace());
    }

    private void judge(Pod pod, PolicyId policy, PolicyInjection injection, Instant now) {
        Optional<PolicyInjection.OfRule> absent = injection.rules().stream()
                .filter(rule -> rule.outcome() == InjectionOutcome.ABSENT)
                // The owner of a pod may have changed the annotation since the API server read it.
                .filter(rule -> !rule.rule().equals(Policy.ANNOTATION_RULES))
                .findFirst();
        if (absent.isPresent() && isCreatedInForce(pod, policy, now)) {
            Map<String, Found> pods = found.computeIfAbsent(policy, _ -> new LinkedHashMap<>());
            if (pods.size() < MOST) {
                pods.put(
                        pod.uid(),
                        new Found(
                                new InjectionReport.Example(
                                        pod.name(), absent.get().rule()),
                                now));
            }
        }
    }

    /** {@return whether the API server surely used the present revision when it created the pod} */
    private boolean isCreatedInForce(Pod pod, PolicyId policy, Instant now) {
        Revision revision = revisions.get(policy);
        return revision != null
                && !isRecent(revision.since(), now)
                && !isRecent(revision.since(), pod.life().creationTime())
                && Optional.ofNullable(relabelled.get(pod.namespace()))
                        .filter(at -> isRecent(at, now))
                        .isEmpty();
    }

    private static boolean isRecent(Instant at, Instant now) {
        return now.isBefore(at.plus(TAKES_EFFECT));
    }

    /** {@return whether some pods will soon count as proofs by the passing of time alone} */
    boolean isUnsettled(PolicyId policy, Instant now) {
        return found.getOrDefault(policy, Map.of()).values().stream().anyMatch(pod -> !pod.isSettled(now));
    }

    /** {@return the report on the injection of a policy's rules} */
    InjectionReport report(PolicyId policy, Injected injected, Instant now) {
        List<InjectionReport.Example> settled = found.getOrDefault(policy, Map.of()).values().stream()
                .filter(pod -> pod.isSettled(now))
                .map(Found::example)
                .collect(Collectors.toList());
        return new InjectionReport(
                injected, settled.size(), settled.stream().min(Comparator.comparing(example -> text(example.pod()))));
    }

    private static String text(NamespacedName pod) {
        return pod.toString();
    }

    @Override
    public int size() {
        return found.values().stream().mapToInt(Map::size).sum();
    }
}
