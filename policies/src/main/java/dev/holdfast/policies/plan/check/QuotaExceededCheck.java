package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.situation.Candidate;
import dev.holdfast.policies.plan.situation.Situation;
import java.math.BigDecimal;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Holds a pod whose replacement the API server would refuse because of a ResourceQuota. The room of the pod itself is
 * free once it is gone, so a quota that is just full does not hold it.
 *
 * <p>Example: a quota allowed 10 pods, 10 run, and a user lowers it to 8. All pods of the namespace are held until at
 * most 8 run.
 *
 * <p>Scopes: {@code BestEffort} and {@code NotBestEffort} are read from the pod's requests. A quota with any other scope
 * counts for every pod of its namespace, because the operator does not know which pods are in it.
 *
 * <p>A quota of {@code limits.memory} also refuses pods with a container that has no such limit, and one of {@code
 * requests.cpu} those with a container that requests no CPU beside others that do. That is not seen here.
 */
final class QuotaExceededCheck implements Check {
    /** The resources that each pod of the namespace must request if the quota limits them, by name in the quota. */
    private static final Set<String> CPU = Set.of("cpu", "requests.cpu");

    private static final Set<String> MEMORY = Set.of("memory", "requests.memory");
    private static final Set<String> EPHEMERAL_STORAGE = Set.of("ephemeral-storage", "requests.ephemeral-storage");
    private static final Set<String> PODS = Set.of("pods", "count/pods");
    private static final String LIMITS = "limits.";
    private static final String REQUESTS = "requests.";

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        Pod pod = candidate.pod();
        return situation.view().quotasIn(pod.namespace()).stream()
                .filter(quota -> mayApply(quota, pod))
                .sorted(Comparator.comparing(quota -> quota.name().name()))
                .flatMap(quota -> new TreeMap<>(quota.hard())
                        .entrySet().stream().flatMap(limit -> refusal(quota, limit, pod).stream()))
                .findFirst()
                .map(message -> Hold.untilChange(Reason.QUOTA_EXCEEDED, message));
    }

    private static boolean mayApply(ResourceQuota quota, Pod pod) {
        Resources requests = pod.podRequirements().requests();
        boolean bestEffort = requests.milliCpu() == 0 && requests.memory() == 0;
        return !quota.scopes().contains(bestEffort ? "NotBestEffort" : "BestEffort");
    }

    private static Optional<String> refusal(ResourceQuota quota, Map.Entry<String, BigDecimal> limit, Pod pod) {
        String resource = limit.getKey();
        String name = "ResourceQuota " + quota.name().name();
        if (quota.isUnread()) {
            return Optional.of(name + " may refuse the replacement: it has more limits than Holdfast reads");
        }
        if (isForAll(quota) && isMissing(resource, pod.podRequirements().requests())) {
            return Optional.of(name + " requires each pod to request " + resource + ", and the pod requests none");
        }
        BigDecimal used = quota.used().getOrDefault(resource, BigDecimal.ZERO);
        return used.compareTo(limit.getValue()) > 0 && isUsedBy(resource, pod)
                ? Optional.of(name + " would refuse the replacement: it allows " + text(limit.getValue()) + " of "
                        + resource + ", and " + text(used) + " are used")
                : Optional.empty();
    }

    /** {@return whether the quota counts all pods of its namespace, so that each must request what it limits} */
    private static boolean isForAll(ResourceQuota quota) {
        return quota.scopes().isEmpty();
    }

    private static String text(BigDecimal amount) {
        return amount.stripTrailingZeros().toPlainString();
    }

    /** {@return whether a quota requires every pod to request the resource, and the pod does not} */
    private static boolean isMissing(String resource, Resources requests) {
        return (CPU.contains(resource) && requests.milliCpu() == 0)
                || (MEMORY.contains(resource) && requests.memory() == 0);
    }

    /** {@return whether the pod, or a claim that is made with it, uses some of the resource} */
    private static boolean isUsedBy(String resource, Pod pod) {
        Resources requests = pod.podRequirements().requests();
        if (PODS.contains(resource)
                || CPU.contains(resource)
                || MEMORY.contains(resource)
                || resource.startsWith(LIMITS)) {
            return true;
        }
        if (EPHEMERAL_STORAGE.contains(resource)) {
            return requests.ephemeralStorage() > 0;
        }
        if (isOfClaims(resource)) {
            return hasEphemeralClaim(pod);
        }
        String plain = resource.startsWith(REQUESTS) ? resource.substring(REQUESTS.length()) : resource;
        return requests.others().getOrDefault(plain, 0L) > 0;
    }

    private static boolean isOfClaims(String resource) {
        return resource.endsWith("persistentvolumeclaims") || resource.endsWith("requests.storage");
    }

    /** {@return whether the pod has the claim of an ephemeral volume, which Kubernetes names {@code POD-VOLUME}} */
    private static boolean hasEphemeralClaim(Pod pod) {
        return pod.podRequirements().claims().stream()
                .anyMatch(claim -> claim.startsWith(pod.name().name() + "-"));
    }
}
