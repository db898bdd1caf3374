package dev.holdfast.policies.rule;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A rule that applies to a pod, with the requests of all policies that enforce or audit the rule.
 *
 * <p>Many methods take a ceiling (the strongest mode that counts), for example AUDIT while the operator may not evict.
 * A request whose mode is stronger counts as if its mode were the ceiling. The effective requests are those whose mode
 * is then the strongest. Example: one policy enforces the rule and two audit it. With the ceiling ENFORCE only the
 * first request is effective, with AUDIT all three are.
 *
 * @param rule as written, with matchLabelKeys not yet merged into selectors
 * @param requests one for each policy and name under which the policy has the rule; at least one
 */
public record AppliedRule(Rule rule, RuleIdentity identity, List<Request> requests) {
    public AppliedRule {
        requests = List.copyOf(requests);
    }

    /**
     * The request of one policy for the rule.
     *
     * @param name the name of the rule in the policy; the rule's kind for a rule of the pod's own spec; {@link
     *     Policy#ANNOTATION_RULES} for a rule of its annotation
     * @param isInjected whether the policy injects the rule as a required one, so that the scheduler requires it of a
     *     replacement
     */
    public record Request(
            PolicyId policy, String name, Enforcement enforcement, RuleSource source, boolean isInjected) {
        /** {@return whether the request is for a rule of the pod's own spec, which the scheduler knows too} */
        public boolean isFromPodSpec() {
            return source == RuleSource.POD_SPEC;
        }

        /**
         * {@return whether a cluster policy itself has the rule} Rules of pods, and of namespaced policies, are what
         * tenants write.
         */
        public boolean isOfClusterPolicy() {
            return policy.isOfCluster() && source == RuleSource.POLICY;
        }
    }

    /** {@return this rule with its own requests and then those of {@code other}, which is the same rule} */
    public AppliedRule and(AppliedRule other) {
        List<Request> both = new ArrayList<>(requests);
        both.addAll(other.requests);
        return new AppliedRule(rule, identity, both);
    }

    /** {@return one request for each policy: if the policy has the rule several times, one with the strongest mode} */
    public Collection<Request> strongestRequests() {
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

    /**
     * {@return the policies whose requests allow an eviction that they did not allow before, each once; a policy that
     * did not request the rule before is one of them}
     *
     * @param before the same rule with the requests that policies had before a change
     */
    public List<PolicyId> widenedSince(AppliedRule before) {
        return policies()
                .filter(policy -> {
                    AppliedRule former = before.requestedOnlyBy(policy);
                    return former.requests.isEmpty()
                            || requestedOnlyBy(policy).together().isWiderThan(former.together());
                })
                .toList();
    }

    /** {@return all policies that request the rule, in any mode, each once} */
    public Stream<PolicyId> policies() {
        // Most rules have one request, and this is called for each violation of an edit.
        return requests.size() == 1
                ? Stream.of(requests.getFirst().policy())
                : requests.stream().map(Request::policy).distinct();
    }

    /** {@return the namespaces of the policies that enforce the rule; an empty one stands for cluster policies} */
    public Set<Optional<String>> enforcers() {
        return requests.stream()
                .filter(request -> request.enforcement().mode() == Mode.ENFORCE)
                .map(request -> request.policy().namespace())
                .collect(Collectors.toSet());
    }

    /** {@return this rule with only the requests of one policy, which may be none} */
    private AppliedRule requestedOnlyBy(PolicyId policy) {
        return requests.size() == 1 && isRequestedBy(policy)
                ? this
                : new AppliedRule(
                        rule,
                        identity,
                        requests.stream()
                                .filter(request -> request.policy().equals(policy))
                                .toList());
    }

    /**
     * {@return one enforcement that stands for all requests together; only those with the strongest mode, AUDIT or
     * ENFORCE, count}
     */
    private Enforcement together() {
        return new Enforcement(
                mode(Mode.ENFORCE),
                longestForgiveness(Mode.ENFORCE),
                whenInfeasible(Mode.ENFORCE),
                whenDomainAdded(Mode.ENFORCE),
                victim(Mode.ENFORCE));
    }

    /** {@return the strongest mode of all requests, but at most the ceiling} */
    public Mode mode(Mode ceiling) {
        Mode most = requests.getFirst().enforcement().mode().atMost(ceiling);
        for (Request request : requests) {
            Mode mode = request.enforcement().mode().atMost(ceiling);
            most = mode.compareTo(most) > 0 ? mode : most;
        }
        return most;
    }

    /** {@return the {@linkplain AppliedRule effective} requests under the ceiling; at least one} */
    private List<Request> effectiveRequests(Mode ceiling) {
        if (requests.size() == 1) {
            return requests;
        }
        Mode mode = mode(ceiling);
        return requests.stream()
                .filter(request -> request.enforcement().mode().atMost(ceiling) == mode)
                .toList();
    }

    /** {@return whether the policy requests the rule, in any mode} */
    public boolean isRequestedBy(PolicyId policy) {
        for (Request request : requests) {
            if (request.policy().equals(policy)) {
                return true;
            }
        }
        return false;
    }

    /** {@return whether the policy enforces the rule, even if the mode ceiling is weaker at present} */
    public boolean isEnforcedBy(PolicyId policy) {
        for (Request request : requests) {
            if (request.enforcement().mode() == Mode.ENFORCE && request.policy().equals(policy)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the policies with an {@linkplain AppliedRule effective} request, each once} */
    public List<PolicyId> requestingPolicies(Mode ceiling) {
        return effectiveRequests(ceiling).stream()
                .map(Request::policy)
                .distinct()
                .toList();
    }

    /** {@return the first {@linkplain AppliedRule effective} request of a policy that has one} */
    public Request effectiveRequest(PolicyId policy, Mode ceiling) {
        return effectiveRequests(ceiling).stream()
                .filter(request -> request.policy().equals(policy))
                .findFirst()
                .orElseThrow();
    }

    /**
     * {@return the forgiveness of one policy that requests the rule: if the policy has the rule several times, the
     * longest in its strongest mode}
     */
    public Duration forgiveness(PolicyId policy) {
        return requestedOnlyBy(policy).longestForgiveness(Mode.ENFORCE);
    }

    private Duration longestForgiveness(Mode ceiling) {
        List<Request> counting = effectiveRequests(ceiling);
        Duration longest = counting.getFirst().enforcement().forgiveness();
        // Called for each new violation; a loop is faster than a stream.
        for (Request request : counting) {
            Duration forgiveness = request.enforcement().forgiveness();
            longest = forgiveness.compareTo(longest) > 0 ? forgiveness : longest;
        }
        return longest;
    }

    /**
     * {@return the {@code whenInfeasible} that evicts soonest, of all {@linkplain AppliedRule effective} requests of
     * one policy}
     */
    public WhenInfeasible whenInfeasible(PolicyId policy, Mode ceiling) {
        return strongestWhenInfeasible(effectiveRequests(ceiling).stream()
                .filter(request -> request.policy().equals(policy)));
    }

    /** {@return REBALANCE if any {@linkplain AppliedRule effective} request of one policy has it, else HOLD} */
    public WhenDomainAdded whenDomainAdded(PolicyId policy, Mode ceiling) {
        return strongestWhenDomainAdded(effectiveRequests(ceiling).stream()
                .filter(request -> request.policy().equals(policy)));
    }

    /** {@return the {@code whenInfeasible} that evicts soonest, of all {@linkplain AppliedRule effective} requests} */
    public WhenInfeasible whenInfeasible(Mode ceiling) {
        return strongestWhenInfeasible(effectiveRequests(ceiling).stream());
    }

    private static WhenInfeasible strongestWhenInfeasible(Stream<Request> requests) {
        return requests.map(request -> request.enforcement().whenInfeasible())
                .reduce((one, other) -> other.isWiderThan(one) ? other : one)
                .orElseThrow();
    }

    /** {@return REBALANCE if any {@linkplain AppliedRule effective} request has it, else HOLD} */
    public WhenDomainAdded whenDomainAdded(Mode ceiling) {
        return strongestWhenDomainAdded(effectiveRequests(ceiling).stream());
    }

    private static WhenDomainAdded strongestWhenDomainAdded(Stream<Request> requests) {
        return requests.map(request -> request.enforcement().whenDomainAdded())
                .max(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return LOWEST_PRIORITY if all {@linkplain AppliedRule effective} requests have it, else RULE_OWNER} */
    public VictimChoice victim(Mode ceiling) {
        return victim(requestingPolicies(ceiling), ceiling);
    }

    /**
     * {@return LOWEST_PRIORITY if all {@linkplain AppliedRule effective} requests of these policies have it, else
     * RULE_OWNER}
     *
     * @param policies at least one policy with an effective request
     */
    public VictimChoice victim(List<PolicyId> policies, Mode ceiling) {
        return effectiveRequests(ceiling).stream()
                .filter(request -> policies.contains(request.policy()))
                .map(request -> request.enforcement().victim())
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    /** {@return whether any request is for a rule of the pod's own spec, which the scheduler knows too} */
    public boolean own() {
        return requests.stream().anyMatch(Request::isFromPodSpec);
    }

    /**
     * {@return whether the rule must hold only where a node can satisfy it} True if all requests with the strongest
     * mode say so, and the scheduler does not require the rule of a replacement.
     */
    public boolean isRequiredWherePossible() {
        return !own()
                && !isInjected()
                && effectiveRequests(Mode.ENFORCE).stream()
                        .allMatch(
                                request -> request.enforcement().whenRequired() == WhenRequired.POSSIBLE_AT_SCHEDULING);
    }

    /** {@return whether the rule must hold always, or only where a node can satisfy it} */
    public WhenRequired whenRequired() {
        return isRequiredWherePossible() ? WhenRequired.POSSIBLE_AT_SCHEDULING : WhenRequired.ALWAYS;
    }

    /**
     * {@return whether any policy injects the rule as a required one, in any mode, so that the scheduler requires it of
     * a replacement}
     */
    public boolean isInjected() {
        return requests.stream().anyMatch(Request::isInjected);
    }
}
