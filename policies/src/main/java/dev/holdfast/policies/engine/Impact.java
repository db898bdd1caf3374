package dev.holdfast.policies.engine;

import dev.holdfast.policies.evaluate.Cause;
import dev.holdfast.policies.model.ClusterView;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.selector.Parsed;
import dev.holdfast.policies.selector.TermMatcher;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Which verdicts a change can flip, and what it would then be the cause of. Says yes too often rather than too seldom:
 * a rule that is judged again for nothing keeps its verdict.
 *
 * <p>Read it beside the watch matrix: node labels touch every kind, taints only spread that honours them, other pods
 * everything but node rules, terminating only spread, namespace labels only terms with a namespaceSelector.
 */
final class Impact {
    private Impact() {}

    /** {@return the cause, if the change can flip the verdict on this rule of this pod; empty if it cannot} */
    static Optional<Cause> on(Rule rule, Pod owner, Change change, ClusterView after) {
        return switch (change) {
            case Change.OfPod pod when isOwner(owner, pod) -> ofOwnPod(pod);
            case Change.OfPod pod -> ofOtherPod(rule, owner, pod, after);
            case Change.OfNode node when owner.isOn(node.name()) -> ofOwnNode(rule, node);
            case Change.OfNode node -> ofOtherNode(rule, node);
            case Change.OfNamespace namespace -> ofNamespace(rule, owner, namespace);
            case Change.OfOthers _ -> Optional.empty();
        };
    }

    /** {@return the cause of what is broken because the change made a policy ask for it} */
    static Cause onAsked(Pod owner, Change change) {
        Optional<Cause> cause = switch (change) {
            case Change.OfPod pod -> ofOwnPod(pod);
            case Change.OfNode node ->
                nodeCameOrLeft(node)
                        .or(() -> LabelChanges.first(labels(node.before()), labels(node.after()), List.of())
                                .map(label -> new Cause.NodeLabelChanged(node.name(), label)));
            case Change.OfNamespace namespace -> namespaceChanged(namespace);
            case Change.OfOthers _ -> Optional.empty();
        };
        return cause.orElseGet(() -> new Cause.PodPlaced(owner.nodeName().orElse("")));
    }

    private static boolean isOwner(Pod owner, Change.OfPod change) {
        return Stream.of(change.before(), change.after())
                .flatMap(Optional::stream)
                .anyMatch(pod -> pod.uid().equals(owner.uid()));
    }

    private static Optional<Cause> ofOwnPod(Change.OfPod change) {
        if (change.after().isEmpty() || change.after().get().nodeName().isEmpty()) {
            return Optional.empty();
        }
        Pod after = change.after().get();
        Optional<Pod> before = change.before().filter(Pod::counts);
        if (before.isEmpty()) {
            return Optional.of(new Cause.PodPlaced(after.nodeName().orElse("")));
        }
        Optional<Cause.LabelChange> label = LabelChanges.first(before.get().labels(), after.labels(), List.of());
        if (label.isPresent()) {
            return Optional.of(new Cause.PodLabelChanged(after.name(), label.get()));
        }
        boolean same =
                sameLife(before.get(), after) && before.get().scheduling().equals(after.scheduling());
        return same
                ? Optional.empty()
                : Optional.of(new Cause.PodPlaced(after.nodeName().orElse("")));
    }

    private static boolean sameLife(Pod before, Pod after) {
        return before.counts() == after.counts()
                && before.life().terminating() == after.life().terminating()
                && before.nodeName().equals(after.nodeName());
    }

    private static Optional<Cause> ofOtherPod(Rule rule, Pod owner, Change.OfPod change, ClusterView view) {
        boolean touched = switch (rule.mergedFor(owner.labels())) {
            case Rule.NodeAffinity _ -> false;
            case Rule.PodAffinity(List<PodAffinityTerm> terms) -> touches(terms, owner, change, view);
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> touches(List.of(term), owner, change, view);
            case Rule.TopologySpread _ ->
                present(change).anyMatch(pod -> pod.namespace().equals(owner.namespace()));
        };
        return touched ? partnerCause(change) : Optional.empty();
    }

    private static boolean touches(List<PodAffinityTerm> terms, Pod owner, Change.OfPod change, ClusterView view) {
        List<TermMatcher> matchers = terms.stream()
                .map(term -> TermMatcher.of(term, owner.namespace()))
                .flatMap(parsed ->
                        parsed instanceof Parsed.Usable<TermMatcher>(var term) ? Stream.of(term) : Stream.empty())
                .toList();
        return present(change).anyMatch(pod -> matchers.stream().allMatch(term -> term.matches(pod, view)));
    }

    private static Stream<Pod> present(Change.OfPod change) {
        return Stream.of(change.before(), change.after())
                .flatMap(Optional::stream)
                .filter(Pod::counts);
    }

    private static Optional<Cause> partnerCause(Change.OfPod change) {
        Optional<Pod> before = change.before().filter(Pod::counts);
        Optional<Pod> after = change.after().filter(Pod::counts);
        if (before.isEmpty()) {
            return after.map(
                    pod -> new Cause.PartnerCame(pod.name(), pod.nodeName().orElse("")));
        }
        if (after.isEmpty()
                || (after.get().life().terminating() && !before.get().life().terminating())) {
            return Optional.of(new Cause.PartnerLeft(before.get().name()));
        }
        return LabelChanges.first(before.get().labels(), after.get().labels(), List.of())
                .map(label -> new Cause.PartnerLabelChanged(after.get().name(), label));
    }

    private static Optional<Cause> ofOwnNode(Rule rule, Change.OfNode change) {
        return nodeCameOrLeft(change)
                .or(() -> LabelChanges.first(labels(change.before()), labels(change.after()), RuleKeys.of(rule))
                        .map(label -> new Cause.NodeLabelChanged(change.name(), label)))
                .or(() -> taintCause(rule, change));
    }

    private static Optional<Cause> ofOtherNode(Rule rule, Change.OfNode change) {
        if (rule instanceof Rule.NodeAffinity) {
            return Optional.empty();
        }
        Optional<Cause> cameOrLeft = nodeCameOrLeft(change);
        if (cameOrLeft.isPresent()) {
            return cameOrLeft;
        }
        // Any label of any node may decide whether it counts for a spread; only the topology keys matter to the others.
        Optional<Cause> label = RuleKeys.topologyKeys(rule).stream()
                .flatMap(key -> LabelChanges.of(labels(change.before()), labels(change.after()), key).stream())
                .findFirst()
                .or(() -> rule instanceof Rule.TopologySpread
                        ? LabelChanges.first(labels(change.before()), labels(change.after()), List.of())
                        : Optional.empty())
                .map(it -> new Cause.DomainChanged(change.name(), it));
        return label.or(() -> taintCause(rule, change));
    }

    private static Optional<Cause> nodeCameOrLeft(Change.OfNode change) {
        if (change.before().isEmpty()) {
            return Optional.of(new Cause.NodeCame(change.name()));
        }
        return change.after().isEmpty() ? Optional.of(new Cause.NodeLeft(change.name())) : Optional.empty();
    }

    private static Optional<Cause> taintCause(Rule rule, Change.OfNode change) {
        boolean honours = rule instanceof Rule.TopologySpread spread
                && spread.constraint().nodeTaintsPolicy() == NodeInclusionPolicy.HONOR;
        if (!honours || change.before().isEmpty() || change.after().isEmpty()) {
            return Optional.empty();
        }
        Node before = change.before().get();
        Node after = change.after().get();
        Optional<Cause> came = after.taints().stream()
                .filter(taint -> !before.taints().contains(taint))
                .findFirst()
                .map(taint -> new Cause.TaintCame(change.name(), taint));
        return came.or(() -> before.taints().stream()
                .filter(taint -> !after.taints().contains(taint))
                .findFirst()
                .map(taint -> new Cause.TaintLeft(change.name(), taint)));
    }

    private static Optional<Cause> ofNamespace(Rule rule, Pod owner, Change.OfNamespace change) {
        boolean follows = switch (rule) {
            case Rule.NodeAffinity _, Rule.TopologySpread _ -> false;
            case Rule.PodAffinity(List<PodAffinityTerm> terms) -> terms.stream().anyMatch(term -> follows(term, owner));
            case Rule.PodAntiAffinity(PodAffinityTerm term) -> follows(term, owner);
        };
        return follows ? namespaceChanged(change) : Optional.empty();
    }

    private static Optional<Cause> namespaceChanged(Change.OfNamespace change) {
        if (change.before().isEmpty() || change.after().isEmpty()) {
            return Optional.of(new Cause.NamespaceChanged(change.name()));
        }
        Labels before = change.before().map(Namespace::labels).orElse(Labels.none());
        Labels after = change.after().map(Namespace::labels).orElse(Labels.none());
        return LabelChanges.first(before, after, List.of())
                .map(label -> new Cause.NamespaceLabelChanged(change.name(), label));
    }

    private static boolean follows(PodAffinityTerm term, Pod owner) {
        return TermMatcher.of(term, owner.namespace()) instanceof Parsed.Usable<TermMatcher>(var matcher)
                && matcher.followsNamespaceLabels();
    }

    private static Labels labels(Optional<Node> node) {
        return node.map(Node::labels).orElse(Labels.none());
    }
}
