package dev.holdfast.policies.plan.check;

import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.ResourceQuota;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.plan.capacity.PodAdmission;
import dev.holdfast.policies.plan.capacity.Replacement;
import dev.holdfast.policies.plan.input.Candidate;
import dev.holdfast.policies.plan.input.Situation;
import dev.holdfast.policies.plan.move.Hold;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.plan.move.Moves;
import java.math.BigDecimal;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Holds a pod whose replacement the API server would refuse because of a ResourceQuota. The room of the pod itself is
 * free once it is gone, so a quota that is just full does not hold it. If the replacement requests more than the pod,
 * the quota must have room for the difference, and for that of other moves in flight in the namespace.
 *
 * <p>Example: a quota allowed 10 pods, 10 run, and a user lowers it to 8. All pods of the namespace are held until at
 * most 8 run.
 *
 * <p>Scopes: {@code BestEffort} and {@code NotBestEffort} are read from the requests and limits. The room of a pod
 * counts only if it is in the scopes too: a LimitRange that sets requests now takes its replacement out of
 * {@code BestEffort}. A quota with any other scope counts for every pod of its namespace, because the operator does not
 * know which pods are in it.
 *
 * <p>A quota of CPU or memory also refuses pods with a container that names no such request or limit, unless the pod
 * names resources for all its containers. A default of a LimitRange counts as named. If the containers of a pod are not
 * known, its sum of requests counts.
 */
public final class QuotaExceededCheck implements Check {
    /** The resources that each pod of the namespace must request if the quota limits them, by name in the quota. */
    private static final Set<String> CPU = Set.of("cpu", "requests.cpu");

    private static final Set<String> MEMORY = Set.of("memory", "requests.memory");
    private static final Set<String> EPHEMERAL_STORAGE = Set.of("ephemeral-storage", "requests.ephemeral-storage");
    private static final Set<String> NAMED_BY_CONTAINERS =
            Set.of("cpu", "requests.cpu", "limits.cpu", "memory", "requests.memory", "limits.memory");
    private static final String OBJECTS = "count/pods";
    private static final Set<String> PODS = Set.of("pods", OBJECTS);
    private static final String BEST_EFFORT = "BestEffort";
    private static final String NOT_BEST_EFFORT = "NotBestEffort";
    private static final Set<String> KNOWN_SCOPES = Set.of(BEST_EFFORT, NOT_BEST_EFFORT);
    private static final String LIMITS = "limits.";
    private static final String REQUESTS = "requests.";

    @Override
    public Optional<Hold> against(Candidate candidate, Situation situation) {
        ClusterView view = situation.view();
        Pod pod = candidate.pod();
        List<ResourceQuota> quotas = view.quotasIn(pod.namespace()).stream()
                .map(quota -> expecting(situation.moves(), quota, pod, view))
                .toList();
        return refusal(Replacement.podFor(pod, view), pod, view, quotas)
                .map(message -> Hold.untilChange(Reason.QUOTA_EXCEEDED, message));
    }

    /** {@return a quota that also counts what the replacements of other moves will need more than their victims} */
    private static ResourceQuota expecting(Moves moves, ResourceQuota quota, Pod pod, ClusterView view) {
        Map<String, BigDecimal> used = new HashMap<>(quota.used());
        for (Move move : moves.inFlight()) {
            Pod victim = move.victim();
            if (victim.namespace().equals(pod.namespace())
                    && !victim.uid().equals(pod.uid())
                    && !(move.stage() instanceof Move.Stage.Landed)) {
                Pod next = PodAdmission.withDefaults(Replacement.podFor(victim, view), view);
                quota.hard()
                        .keySet()
                        .forEach(resource -> used.merge(
                                resource,
                                usedBy(resource, Optional.of(next), quota)
                                        .subtract(usedBy(resource, Optional.of(victim), quota))
                                        .max(BigDecimal.ZERO),
                                BigDecimal::add));
            }
        }
        return quota.withUsed(used);
    }

    /**
     * {@return why a ResourceQuota refuses the replacement of a pod whose room is free, as a sentence; empty if none
     * does}
     *
     * @param pod the replacement, before LimitRanges set defaults
     * @param gone the pod before it, which the quotas still count
     */
    public static Optional<String> refusal(Pod pod, Pod gone, ClusterView view) {
        return refusal(pod, gone, view, view.quotasIn(pod.namespace()));
    }

    private static Optional<String> refusal(Pod pod, Pod gone, ClusterView view, Collection<ResourceQuota> quotas) {
        return PodAdmission.admitted(pod, view).stream()
                .flatMap(it -> refusal(it, Optional.of(gone), quotas).stream())
                .findFirst();
    }

    /**
     * {@return why one of these ResourceQuotas refuses a new pod, as a sentence; empty if none does} Simulations use
     * this method too.
     *
     * @param pod the new pod, with the defaults of LimitRanges
     * @param gone the pod before it, which the quotas still count; absent if the pod takes no other's place
     */
    public static Optional<String> refusal(Pod pod, Optional<Pod> gone, Collection<ResourceQuota> quotas) {
        return quotas.stream()
                .filter(quota -> mayApply(quota, pod))
                .sorted(Comparator.comparing(quota -> quota.name().name()))
                .flatMap(quota -> new TreeMap<>(quota.hard())
                        .entrySet().stream().flatMap(limit -> refusal(quota, limit, pod, gone).stream()))
                .findFirst();
    }

    /**
     * {@return a quota as its controller counts it after a change of a pod} A quota whose pods are not known stays as
     * it is.
     *
     * @param before the pod before the change; absent if it was created
     * @param after the pod after the change; absent if it is gone
     */
    public static ResourceQuota counted(ResourceQuota quota, Optional<Pod> before, Optional<Pod> after) {
        Map<String, BigDecimal> used = new HashMap<>(quota.used());
        quota.hard().keySet().forEach(resource -> {
            BigDecimal more = usedBy(resource, after, quota).subtract(usedBy(resource, before, quota));
            if (more.signum() != 0) {
                used.merge(resource, more, BigDecimal::add);
            }
        });
        return quota.withUsed(used);
    }

    private static BigDecimal usedBy(String resource, Optional<Pod> pod, ResourceQuota quota) {
        return pod.filter(it -> isKnownToApply(quota) && mayApply(quota, it))
                .filter(it -> resource.equals(OBJECTS) || (!it.finished() && !it.terminating()))
                .map(it -> needed(
                        resource, it.podRequirements(), it.podRequirements().reserved()))
                .orElse(BigDecimal.ZERO);
    }

    private static boolean mayApply(ResourceQuota quota, Pod pod) {
        return !quota.scopes().contains(isBestEffort(pod.podRequirements()) ? NOT_BEST_EFFORT : BEST_EFFORT);
    }

    /** {@return whether the QoS class of the pod is BestEffort; the overhead of the pod does not change the class} */
    private static boolean isBestEffort(PodRequirements pod) {
        if (pod.containers().isEmpty() || pod.hasUnreadContainers()) {
            return pod.requests().milliCpu() == 0 && pod.requests().memory() == 0;
        }
        return pod.containers().stream()
                .filter(it -> !pod.hasPodLevel() || it.role() == PodRequirements.Role.POD)
                .flatMap(it -> Stream.of(it.requests(), it.limits()))
                .allMatch(amounts -> amounts.getOrDefault("cpu", 0L) == 0 && amounts.getOrDefault("memory", 0L) == 0);
    }

    private static Optional<String> refusal(
            ResourceQuota quota, Map.Entry<String, BigDecimal> limit, Pod pod, Optional<Pod> gone) {
        String resource = limit.getKey();
        String name = "ResourceQuota " + quota.name().name();
        String subject = gone.isPresent() ? "the replacement" : "the pod";
        if (quota.isUnread()) {
            return Optional.of(name + " may refuse " + subject + ": it has more limits than Holdfast reads");
        }
        Optional<String> missing = isKnownToApply(quota) ? missing(resource, pod) : Optional.empty();
        if (missing.isPresent()) {
            return missing.map(what -> name + " requires " + what);
        }
        BigDecimal used = quota.used().getOrDefault(resource, BigDecimal.ZERO);
        BigDecimal more = needed(
                        resource, pod.podRequirements(), pod.podRequirements().requests())
                .subtract(gone.filter(it -> mayApply(quota, it))
                        .map(it -> needed(
                                resource,
                                it.podRequirements(),
                                it.podRequirements().reserved()))
                        .orElse(BigDecimal.ZERO));
        if (used.add(more).compareTo(limit.getValue()) <= 0 || !isUsedBy(resource, pod)) {
            return Optional.empty();
        }
        String allows = name + " would refuse " + subject + ": it allows " + text(limit.getValue()) + " of " + resource;
        return Optional.of(
                more.signum() > 0
                        ? allows + ", " + text(used) + " are used, and " + subject + " needs " + text(more)
                                + (gone.isPresent() ? " more than the pod" : "")
                        : allows + ", and " + text(used) + " are used");
    }

    /**
     * {@return how much of a resource of a quota a pod needs; 0 for a resource that is no request or limit of a pod}
     *
     * @param requests the pod's requests as the quota counts them: during a resize, the larger amount
     */
    private static BigDecimal needed(String resource, PodRequirements pod, Resources requests) {
        if (PODS.contains(resource)) {
            return BigDecimal.ONE;
        }
        if (resource.startsWith(LIMITS)) {
            return BigDecimal.valueOf(pod.limits().getOrDefault(resource.substring(LIMITS.length()), 0L), 3);
        }
        if (CPU.contains(resource)) {
            return BigDecimal.valueOf(requests.milliCpu(), 3);
        }
        if (MEMORY.contains(resource)) {
            return BigDecimal.valueOf(requests.memory());
        }
        if (EPHEMERAL_STORAGE.contains(resource)) {
            return BigDecimal.valueOf(requests.ephemeralStorage());
        }
        String plain = resource.startsWith(REQUESTS) ? resource.substring(REQUESTS.length()) : resource;
        return BigDecimal.valueOf(requests.others().getOrDefault(plain, 0L));
    }

    /** {@return whether a quota that may apply to a pod does, so that the pod must request what the quota limits} */
    private static boolean isKnownToApply(ResourceQuota quota) {
        return KNOWN_SCOPES.containsAll(quota.scopes());
    }

    private static String text(BigDecimal amount) {
        return amount.stripTrailingZeros().toPlainString();
    }

    /** {@return what a quota of the resource requires of each container and the pod lacks, as a part of a sentence} */
    private static Optional<String> missing(String resource, Pod pod) {
        PodRequirements requirements = pod.podRequirements();
        if (requirements.containers().isEmpty() || requirements.hasUnreadContainers()) {
            return isMissing(resource, requirements.requests())
                    ? Optional.of("each pod to request " + resource + ", and the pod requests none")
                    : Optional.empty();
        }
        boolean isLimit = resource.startsWith(LIMITS);
        String plain = isLimit ? resource.substring(LIMITS.length()) : CPU.contains(resource) ? "cpu" : "memory";
        if (!NAMED_BY_CONTAINERS.contains(resource) || requirements.hasPodLevel()) {
            return Optional.empty();
        }
        return requirements.containers().stream()
                .filter(it -> !(isLimit ? it.limits() : it.requests()).containsKey(plain))
                .findFirst()
                .map(it -> "each container to name " + resource + ", and container " + it.name() + " names none");
    }

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
