package dev.holdfast.policies.engine.planning;

import dev.holdfast.policies.engine.live.DirectEvaluation;
import dev.holdfast.policies.engine.live.LiveCluster;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.evaluate.Verdict;
import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.plan.move.Move;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.LabelMatcher;
import dev.holdfast.policies.selector.ParseResult;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The reads from the API server right before an eviction: selects the objects to read, and compares them with the
 * cache.
 */
public final class ConfirmingReads {
    /** The topologyKey of domains that are single nodes; a pod of another node is never in the same domain. */
    private static final String HOSTNAME = "kubernetes.io/hostname";

    private static final String GONE = " is gone, but the watch has not delivered the change yet";

    private final LiveCluster cluster;
    private final DirectEvaluation evaluation;

    public ConfirmingReads(LiveCluster cluster, DirectEvaluation evaluation) {
        this.cluster = cluster;
        this.evaluation = evaluation;
    }

    /** {@return the effect that reads the victim, its node, the rule owner and some partners from the API server} */
    public Effect.Confirm request(Move move) {
        return new Effect.Confirm(
                move.id(),
                move.victim().name(),
                move.fromNode(),
                partners(move).stream().map(Pod::name).toList(),
                notReadByName(rule(move)),
                cluster.pod(move.key().podUid()).flatMap(owner -> counted(rule(move), owner)));
    }

    /**
     * {@return the pods to list because the rule counts them} For affinity these are the pods that match the first
     * term; a partner matches all terms. The selector <code>{}</code> of a spread counts no other pods (TS-11).
     */
    private static Optional<Effect.Counted> counted(Rule rule, Pod owner) {
        return switch (rule) {
            case Rule.OfNode _, Rule.PodAntiAffinity _ -> Optional.empty();
            case Rule.TopologySpread spread ->
                counted(spread.constraint().selectorFor(owner.labels()), Optional.of(owner.namespace()));
            case Rule.PodAffinity affinity ->
                affinity.terms().stream()
                        .findFirst()
                        .flatMap(term -> counted(term.labelSelector(), onlyNamespace(term, owner)));
        };
    }

    private static Optional<Effect.Counted> counted(Optional<LabelSelector> selector, Optional<String> namespace) {
        return selector.filter(it -> !it.isEmpty()).map(it -> new Effect.Counted(namespace, it));
    }

    private static Optional<String> onlyNamespace(PodAffinityTerm term, Pod owner) {
        List<String> names = term.ofOwnNamespace() ? List.of(owner.namespace()) : term.namespaces();
        return term.namespaceSelector().isEmpty() && names.size() == 1
                ? Optional.of(names.getFirst())
                : Optional.empty();
    }

    private static Rule rule(Move move) {
        return move.rule().orElseThrow(() -> new IllegalStateException("a move of an earlier process is not read"));
    }

    /**
     * {@return the views whose objects decide about the rule and are not read by name} A violated affinity or spread
     * depends on pods anywhere, for example on partners that are missing. For a violated anti-affinity, the partners
     * are read by name, but neither their namespaces nor their nodes.
     */
    private static Set<View> notReadByName(Rule rule) {
        return switch (rule) {
            case Rule.OfNode _ -> Set.of();
            case Rule.PodAffinity _, Rule.TopologySpread _ -> Set.of(View.PODS, View.NODES, View.NAMESPACES);
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> {
                Set<View> views = EnumSet.noneOf(View.class);
                if (term.namespaceSelector().isPresent()) {
                    views.add(View.NAMESPACES);
                }
                if (!term.topologyKey().equals(HOSTNAME)) {
                    views.add(View.NODES);
                }
                yield views;
            }
        };
    }

    /**
     * {@return the pods to read in addition to the victim: the rule owner, and the first five partners by UID; empty if
     * the rule is not violated}
     */
    private List<Pod> partners(Move move) {
        Optional<Pod> owner = cluster.pod(move.key().podUid());
        Optional<Verdict> verdict = owner.map(it -> evaluation.verdict(rule(move), it));
        return verdict.orElseGet(Verdict::satisfied) instanceof Verdict.Violated(ViolationDetail violationDetail)
                ? Stream.concat(
                                owner.stream(),
                                violationDetail.partners().stream().limit(ViolationDetail.NAMED_PARTNERS))
                        .filter(pod -> !pod.uid().equals(move.victim().uid()))
                        .toList()
                : List.of();
    }

    /**
     * {@return whether the read returned an older version of the victim than the watch had already delivered}
     *
     * @param version the resourceVersion that was read
     */
    public boolean isOutdated(Move move, long version) {
        return cluster.pod(move.victim().uid()).orElseThrow().resourceVersion() > version;
    }

    /**
     * A difference between an object that was read and the cached one.
     *
     * @param message names the object
     * @param forTenants the message without the names of pods of other namespaces
     */
    public record Difference(String message, String forTenants) {
        private static Difference of(String what, String problem) {
            return new Difference(what + problem, what + problem);
        }

        /**
         * {@return the difference as one of a partner, whose name readers in the rule owner's namespace may see or not}
         */
        private Difference ofPartner(Pod partner, boolean named) {
            String name = "pod " + partner.name();
            return new Difference(name + message, (named ? name : "a pod of another namespace") + forTenants);
        }
    }

    /**
     * {@return how the objects that were read differ from the cached ones; empty if they agree} A difference means that
     * the watch lags, or that the API server went back in time because a backup was restored.
     */
    public Optional<Difference> difference(Event.Confirmed read, Move move) {
        Optional<Pod> pod =
                read.pod().filter(it -> it.uid().equals(move.victim().uid()));
        if (pod.isEmpty()) {
            return Optional.of(Difference.of("the pod", GONE));
        }
        return ofPod("the pod", pod.get()).or(() -> differenceOfOthers(read, move));
    }

    /** {@return how the objects that were read, except the victim, differ from the cached ones; empty if they agree} */
    public Optional<Difference> differenceOfOthers(Event.Confirmed read, Move move) {
        return ofNode(read.node())
                .or(() -> ofPartners(read.partners(), move))
                .or(() -> read.counted().flatMap(counted -> ofCounted(counted, move)));
    }

    /**
     * {@return whether the victim was read in a newer version than the cached one that differs from it only in parts
     * that the operator does not read}
     */
    public boolean isOnlyNewer(Event.Confirmed read, Move move) {
        return read.pod().isPresent()
                && cluster.pod(move.victim().uid())
                        .filter(cached ->
                                cached.resourceVersion() < read.pod().get().resourceVersion())
                        .filter(read.pod().get()::sameExceptVersion)
                        .isPresent();
    }

    /**
     * {@return a cached pod that counts, but that a list of a later version lacks; empty if there is none, or if there
     * are more pods than were read} The other direction needs no check here: the views are current, and the content of
     * each listed pod is compared.
     */
    private Optional<Difference> ofCounted(Event.CountedPods read, Move move) {
        Optional<Pod> owner = cluster.pod(move.key().podUid());
        if (!read.complete() || owner.isEmpty()) {
            return Optional.empty();
        }
        Set<String> listed = read.pods().stream().map(Pod::uid).collect(Collectors.toSet());
        for (Pod pod : cachedCounted(rule(move), owner.get())) {
            // A pod that came or changed after the list was made need not be in it.
            if (pod.counts() && pod.resourceVersion() <= read.resourceVersion() && !listed.contains(pod.uid())) {
                return Optional.of(Difference.of("", " was not in a new list of the pods that count")
                        .ofPartner(pod, pod.namespace().equals(owner.get().namespace())));
            }
        }
        return Optional.empty();
    }

    private Iterable<Pod> cachedCounted(Rule rule, Pod owner) {
        return switch (rule) {
            case Rule.OfNode _, Rule.PodAntiAffinity _ -> List.of();
            case Rule.TopologySpread spread ->
                LabelMatcher.of(spread.constraint().selectorFor(owner.labels()))
                                instanceof ParseResult.Usable<LabelMatcher>(LabelMatcher matcher)
                        ? cluster.podsIn(owner.namespace(), matcher)
                        : List.of();
            case Rule.PodAffinity affinity ->
                TermMatcher.of(affinity.terms().getFirst(), owner.namespace())
                                instanceof ParseResult.Usable<TermMatcher>(TermMatcher matcher)
                        ? matcher.podsMatchingLabels(cluster)
                        : List.of();
        };
    }

    private Optional<Difference> ofNode(Optional<Node> read) {
        if (read.isEmpty()) {
            return Optional.of(Difference.of("its node", GONE));
        }
        Node node = read.get();
        return ofVersions(
                "its node", node.resourceVersion(), cluster.node(node.name()).map(Node::resourceVersion));
    }

    private Optional<Difference> ofPartners(List<Pod> read, Move move) {
        Optional<String> own = cluster.pod(move.key().podUid()).map(Pod::namespace);
        for (Pod partner : partners(move)) {
            // If another pod has the partner's name now, the partner is gone as well.
            Optional<Pod> found =
                    read.stream().filter(pod -> pod.uid().equals(partner.uid())).findFirst();
            Optional<Difference> difference = found.isEmpty()
                    ? Optional.of(Difference.of("", " did not exist when it was read"))
                    : ofPod("", found.get());
            if (difference.isPresent()) {
                boolean named = own.filter(partner.namespace()::equals).isPresent();
                return difference.map(it -> it.ofPartner(partner, named));
            }
        }
        return Optional.empty();
    }

    private Optional<Difference> ofPod(String what, Pod read) {
        return ofVersions(what, read.resourceVersion(), cluster.pod(read.uid()).map(Pod::resourceVersion));
    }

    private static Optional<Difference> ofVersions(String what, long read, Optional<Long> cached) {
        if (cached.filter(version -> version == read).isPresent()) {
            return Optional.empty();
        }
        boolean older = cached.filter(version -> version > read).isPresent();
        return Optional.of(Difference.of(
                what,
                older
                        ? " was read in an older version than the cached one"
                        : " has changed, but the watch has not delivered the change yet"));
    }
}
