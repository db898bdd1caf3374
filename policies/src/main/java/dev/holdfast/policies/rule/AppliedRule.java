package dev.holdfast.policies.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * A rule that applies to a pod, with the requests of all policies that enforce or audit it. Several policies with the
 * same rule share one instance.
 *
 * <p>The effective requests are those in the strongest mode under a ceiling: if a policy enforces the rule, audits of
 * it have no effect.
 *
 * @param rule as written, with label keys not yet merged
 * @param requests the requests of policies, at least one
 */
public record AppliedRule(Rule rule, RuleIdentity identity, List<Request> requests) {
    public AppliedRule {
        requests = List.copyOf(requests);
    }

    /**
     * The request of one policy for the rule.
     *
     * @param name the rule's name in the policy, or its kind for a rule of the pod's own spec
     * @param own whether the rule is in the pod's own spec, so that the scheduler also knows it
     */
    public record Request(PolicyId policy, String name, Enforcement enforcement, boolean own) {}

    /** {@return the same rule with the requests of both} */
    public AppliedRule and(AppliedRule other) {
        List<Request> both = new ArrayList<>(requests);
        both.addAll(other.requests);
        return new AppliedRule(rule, identity, both);
    }

    /** {@return one request for each policy: the one in the strongest mode if the policy has the rule several times} */
    public Collection<Request> strongestAsks() {
        Map<PolicyId, Request> strongest = new LinkedHashMap<>();
        for (Request request : requests) {
            strongest.merge(
                    request.policy(),
                    request,
                    (one, other) -> other.enforcement()
                                            .mode()
                                            .compareTo(one.enforcement().mode())
                                    > 0
                            ? other
                            : one);
        }
        return strongest.values();
    }

    /** {@return whether its requests together allow an eviction that those of the other do not, with no ceiling} */
    public boolean isWiderThan(AppliedRule other) {
        return together(Mode.ENFORCE).isWiderThan(other.together(Mode.ENFORCE));
    }

    /** {@return the combined enforcement of the effective requests under a mode ceiling} */
    private Enforcement together(Mode ceiling) {
        return new Enforcement(
                mode(ceiling),
                forgiveness(ceiling),
                whenInfeasible(ceiling),
                whenDomainAdded(ceiling),
                victim(ceiling));
    }

    /** {@return the strongest mode of all requests under the ceiling: ENFORCE if any policy may evict for the rule} */
    public Mode mode(Mode ceiling) {
        Mode most = requests.getFirst().enforcement().mode().atMost(ceiling);
        for (Request request : requests) {
            Mode mode = request.enforcement().mode().atMost(ceiling);
            most = mode.compareTo(most) > 0 ? mode : most;
        }
        return most;
    }

    /** {@return the effective requests: those in the strongest mode under the ceiling} */
    private List<Request> counting(Mode ceiling) {
        if (requests.size() == 1) {
            return requests;
        }
        Mode mode = mode(ceiling);
        return requests.stream()
                .filter(request -> request.enforcement().mode().atMost(ceiling) == mode)
                .toList();
    }

    /** {@return whether the policy requests the rule, in any mode} */
    public boolean isAskedBy(PolicyId policy) {
        return requests.stream().anyMatch(request -> request.policy().equals(policy));
    }

    /** {@return the policies of the effective requests, without duplicates} */
    public List<PolicyId> requestingPolicies(Mode ceiling) {
        return counting(ceiling).stream().map(Request::policy).distinct().toList();
    }

    /** {@return the first effective request} */
    public Request leading(Mode ceiling) {
        return counting(ceiling).getFirst();
    }

    /** {@return the longest forgiveness of the effective requests} */
    public Duration forgiveness(Mode ceiling) {
        List<Request> counting = counting(ceiling);
        Duration longest = counting.getFirst().enforcement().forgiveness();
        // Called for each new violation; a loop is faster than a stream.
        for (Request request : counting) {
            Duration forgiveness = request.enforcement().forgiveness();
            longest = forgiveness.compareTo(longest) > 0 ? forgiveness : longest;
        }
        return longest;
    }

    /** {@return what the effective requests of one policy do if no node would take the pod} */
    public WhenInfeasible whenInfeasible(PolicyId policy, Mode ceiling) {
        return furthest(
                counting(ceiling).stream().filter(request -> request.policy().equals(policy)));
    }

    /** {@return what the effective requests of one policy do about a new domain} */
    public WhenDomainAdded whenDomainAdded(PolicyId policy, Mode ceiling) {
        return newest(
                counting(ceiling).stream().filter(request -> request.policy().equals(policy)));
    }

    /** {@return the setting of the effective requests that allows an eviction soonest} */
    public WhenInfeasible whenInfeasible(Mode ceiling) {
        return furthest(counting(ceiling).stream());
    }

    private static WhenInfeasible furthest(Stream<Request> requests) {
        return requests.map(request -> request.enforcement().whenInfeasible())
                .reduce((one, other) -> other.isWiderThan(one) ? other : one)
                .orElseThrow();
    }

    /** {@return REBALANCE if any effective request says so, else HOLD} */
    public WhenDomainAdded whenDomainAdded(Mode ceiling) {
        return newest(counting(ceiling).stream());
    }

    private static WhenDomainAdded newest(Stream<Request> requests) {
        return requests.map(request -> request.enforcement().whenDomainAdded())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return LOWEST_PRIORITY if all effective requests say so, else RULE_OWNER} */
    public VictimChoice victim(Mode ceiling) {
        return counting(ceiling).stream()
                .map(request -> request.enforcement().victim())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return whether the rule is in the pod's own spec, so that the scheduler also knows it} */
    public boolean own() {
        return requests.stream().anyMatch(Request::own);
    }
}
