package dev.holdfast.policies.score;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Preferences.Weighted;
import dev.holdfast.policies.score.SharedReads.Owners;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The preferred terms of pod affinity and anti-affinity, in both directions: those of the pod that match another pod,
 * and those of another pod that match the pod. The required affinity of other pods counts as preferred. Each match adds
 * the weight of the term to the domain of the other pod, or takes it away for anti-affinity.
 *
 * <p>Example: the pod prefers {@code app=cache} by zone with weight 10, and zone a has three such pods. Each node in
 * zone a has 30. If all other nodes have 0, the nodes in zone a have the score 100 and the others 0.
 */
final class InterPodAffinityScore {
    private final Pod pod;
    private final ClusterView view;

    /** The sums of the weights, by topology key and then by the value of the domain. */
    private final Map<String, Map<String, Long>> sums = new HashMap<>();

    private InterPodAffinityScore(Choice choice) {
        this.pod = choice.pod();
        this.view = choice.view();
    }

    static PluginResult of(Choice choice, SchedulerProfile profile) {
        Preferences preferences = choice.pod().scheduling().preferences();
        if (profile.ignorePreferredTermsOfExistingPods() && !preferences.hasPodTerms()) {
            return new PluginResult.Skipped();
        }
        InterPodAffinityScore score = new InterPodAffinityScore(choice);
        for (Weighted<PodAffinityTerm> term : signed(preferences)) {
            switch (TermMatcher.of(term.term(), choice.pod().namespace())) {
                case ParseResult.Usable<TermMatcher>(TermMatcher usable) ->
                    score.addPartners(choice, usable, term.weight());
                case ParseResult.Unusable<TermMatcher>(String why) -> {
                    return new PluginResult.Failed(term.term().toString(), why);
                }
            }
        }
        score.addOwners(choice, profile.hardPodAffinityWeight());
        if (score.sums.isEmpty()) {
            return new PluginResult.Skipped();
        }
        List<Long> raw = choice.feasible().stream().map(score::on).toList();
        return new PluginResult.Scored(raw, scores(raw));
    }

    /** {@return all preferred pod terms; the weights of anti-affinity are negative} */
    private static List<Weighted<PodAffinityTerm>> signed(Preferences preferences) {
        List<Weighted<PodAffinityTerm>> terms = new ArrayList<>(preferences.podAffinity());
        preferences.podAntiAffinity().forEach(it -> terms.add(new Weighted<>(-it.weight(), it.term())));
        return terms;
    }

    /** Adds the pods that a term of the pod matches. */
    private void addPartners(Choice choice, TermMatcher term, int weight) {
        for (Pod other : term.podsMatchingLabels(view)) {
            if (choice.isOther(other)) {
                add(other, List.of(new Pull(term.topologyKey(), weight)));
            }
        }
    }

    /** What each pod of a group adds to its domain for a topology key. */
    private record Pull(String topologyKey, long weight) {}

    /** Adds the pods with terms that match the pod. */
    private void addOwners(Choice choice, int hardWeight) {
        choice.reads().owners().forEach((owners, pods) -> {
            List<Pull> pulls = pulls(owners, hardWeight);
            if (!pulls.isEmpty()) {
                pods.stream().filter(choice::isOther).forEach(pod -> add(pod, pulls));
            }
        });
    }

    private List<Pull> pulls(Owners owners, int hardWeight) {
        Preferences preferences = owners.scheduling().preferences();
        List<Weighted<PodAffinityTerm>> required = owners.scheduling().podAffinity().stream()
                .map(it -> new Weighted<>(hardWeight, it))
                .toList();
        List<Pull> pulls = new ArrayList<>();
        addMatching(owners, hardWeight == 0 ? List.of() : required, 1, pulls);
        addMatching(owners, preferences.podAffinity(), 1, pulls);
        addMatching(owners, preferences.podAntiAffinity(), -1, pulls);
        return pulls;
    }

    /** Adds the terms of one kind that match the pod: none if any cannot be parsed, as the scheduler does (PA-8). */
    private void addMatching(Owners owners, List<Weighted<PodAffinityTerm>> terms, int sign, List<Pull> pulls) {
        List<Pull> matching = new ArrayList<>();
        for (Weighted<PodAffinityTerm> term : terms) {
            switch (TermMatcher.of(term.term(), owners.namespace())) {
                case ParseResult.Usable<TermMatcher>(TermMatcher usable) -> {
                    if (usable.matchesEvaluatedPod(pod, view)) {
                        matching.add(new Pull(usable.topologyKey(), (long) sign * term.weight()));
                    }
                }
                case ParseResult.Unusable<TermMatcher> _ -> {
                    return;
                }
            }
        }
        pulls.addAll(matching);
    }

    private void add(Pod other, List<Pull> pulls) {
        Optional<Node> node = view.countedNode(other);
        if (node.isPresent()) {
            for (Pull pull : pulls) {
                node.get()
                        .labels()
                        .get(pull.topologyKey())
                        .ifPresent(domain -> sums.computeIfAbsent(pull.topologyKey(), _ -> new HashMap<>())
                                .merge(domain, pull.weight(), Long::sum));
            }
        }
    }

    private long on(Node node) {
        long sum = 0;
        for (Map.Entry<String, Map<String, Long>> domains : sums.entrySet()) {
            Optional<String> domain = node.labels().get(domains.getKey());
            if (domain.isPresent()) {
                sum += domains.getValue().getOrDefault(domain.get(), 0L);
            }
        }
        return sum;
    }

    private static List<Long> scores(List<Long> raw) {
        long least = raw.stream().mapToLong(Long::longValue).min().orElse(0);
        long greatest = raw.stream().mapToLong(Long::longValue).max().orElse(0);
        return raw.stream().map(it -> score(it - least, greatest - least)).toList();
    }

    /** Divides first, as the scheduler does: 29 of 100 gives the score 28, and only this order repeats that. */
    private static long score(long above, long range) {
        return range == 0 ? 0 : (long) (Normalisation.GREATEST_SCORE * ((double) above / range));
    }
}
