package dev.holdfast.policies.evaluate;

import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.PodRules;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.Parsed;
import dev.holdfast.policies.selector.TermMatcher;
import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The placement question: on which nodes would this pod pass all its required rules, others' anti-affinity, taints and
 * cordon, with itself taken out of the cluster? Resources and ports play no part here.
 */
public final class Placement {
    private static final Taint CORDON = new Taint("node.kubernetes.io/unschedulable", "", "NoSchedule");

    private Placement() {}

    /**
     * {@return the nodes that would accept the pod, by name; its own node among them if it would be accepted again}
     *
     * @param further rules that must hold beside those of the pod's own spec
     */
    public static List<Node> fits(Pod pod, List<Rule> further, ClusterView view) {
        return view.nodes().stream().filter(prepare(pod, further, view)).toList();
    }

    /** {@return whether a node would accept the pod, to be asked of as many nodes as one likes before anything changes} */
    public static Predicate<Node> prepare(Pod pod, List<Rule> further, ClusterView view) {
        TolerationMatcher tolerations = new TolerationMatcher(pod.scheduling().tolerations());
        List<Judgement> judgements = Stream.concat(PodRules.of(pod.scheduling()).stream(), further.stream())
                .distinct()
                .map(rule -> Evaluator.prepare(rule, pod, view))
                .toList();
        Set<Domain> repelling = repellingDomains(pod, view);
        return node -> open(node, tolerations)
                && judgements.stream().allMatch(judgement -> judgement.on(node) instanceof Verdict.Satisfied)
                && repelling.stream().noneMatch(domain -> node.labels().has(domain.topologyKey(), domain.value()));
    }

    private static boolean open(Node node, TolerationMatcher tolerations) {
        return (!node.unschedulable() || tolerations.tolerates(CORDON))
                && tolerations.repelledBy(node).isEmpty();
    }

    /** AA-4: the domains of present pods whose own anti-affinity matches this pod. */
    private static Set<Domain> repellingDomains(Pod pod, ClusterView view) {
        Set<Domain> domains = new HashSet<>();
        for (Pod other : view.pods()) {
            if (other.scheduling().podAntiAffinity().isEmpty()) {
                continue;
            }
            Optional<Node> node = view.nodeCounting(other);
            if (node.isPresent() && !other.uid().equals(pod.uid())) {
                for (TermMatcher term : antiAffinity(other)) {
                    if (term.matchesAsOther(pod, view)) {
                        Domain.of(node.get(), term.topologyKey()).ifPresent(domains::add);
                    }
                }
            }
        }
        return domains;
    }

    /** PA-8: one term that does not parse drops the whole list of an existing pod. */
    private static List<TermMatcher> antiAffinity(Pod other) {
        List<TermMatcher> terms = new ArrayList<>();
        for (PodAffinityTerm term : other.scheduling().podAntiAffinity()) {
            switch (TermMatcher.of(term, other.namespace())) {
                case Parsed.Usable<TermMatcher>(TermMatcher usable) -> terms.add(usable);
                case Parsed.Unusable<TermMatcher> _ -> {
                    return List.of();
                }
            }
        }
        return terms;
    }
}
