package dev.holdfast.policies.index.change;

import dev.holdfast.policies.forgive.Cause;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.rule.Rule;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Derives the cause of a violation, with names and values, from the change that started the violation. */
final class CauseFinder {
    private CauseFinder() {}

    /**
     * {@return the cause of a violation}
     *
     * @param factChange the change that started the violation
     * @param rule the violated rule
     * @param holder the rule owner in its state after the change
     */
    static Cause of(FactChange factChange, Rule rule, Pod holder) {
        return switch (factChange) {
            case FactChange.OfPolicy(var policy) -> new Cause.PolicyChanged(policy);
            case FactChange.OfPod pod -> pod.isOf(holder) ? ofOwnPod(pod, rule, holder) : ofPartner(pod, rule, holder);
            case FactChange.OfNode node -> holder.isOn(node.name()) ? ofOwnNode(node, rule) : ofOtherNode(node, rule);
            case FactChange.OfNamespace namespace -> ofNamespace(namespace, rule);
        };
    }

    private static Cause ofOwnPod(FactChange.OfPod change, Rule rule, Pod holder) {
        Optional<Pod> before = change.before().filter(Pod::counts);
        return before.flatMap(it -> label(it, holder, RuleLabelKeys.podKeys(rule)))
                .or(() -> before.filter(_ -> rule.readsTaints())
                        .filter(it -> !it.scheduling()
                                .tolerations()
                                .equals(holder.scheduling().tolerations()))
                        .map(_ -> new Cause.TolerationsChanged()))
                .or(() -> before.filter(it -> !it.scheduling()
                                .annotationRules()
                                .equals(holder.scheduling().annotationRules()))
                        .map(_ -> new Cause.AnnotationRulesChanged()))
                .or(() -> before.flatMap(it -> label(it, holder)))
                .orElseGet(() -> placed(holder));
    }

    private static Optional<Cause> label(Pod before, Pod holder, Set<String> keys) {
        return LabelChanges.ofOne(keys, before.labels(), holder.labels())
                .map(label -> new Cause.PodLabelChanged(holder.name(), label));
    }

    private static Optional<Cause> label(Pod before, Pod holder) {
        return LabelChanges.first(before.labels(), holder.labels())
                .map(label -> new Cause.PodLabelChanged(holder.name(), label));
    }

    private static Cause placed(Pod holder) {
        return new Cause.PodPlaced(holder.nodeName().orElse(""));
    }

    private static Cause ofPartner(FactChange.OfPod change, Rule rule, Pod holder) {
        Optional<Pod> before = change.before().filter(Pod::counts);
        Optional<Pod> after = change.after().filter(Pod::counts);
        if (before.isEmpty()) {
            return after.<Cause>map(pod ->
                            new Cause.PartnerCame(pod.name(), pod.nodeName().orElse("")))
                    .orElseGet(() -> placed(holder));
        }
        boolean leaves =
                after.isEmpty() || (after.get().terminating() && !before.get().terminating());
        return after.filter(_ -> !leaves)
                .flatMap(pod -> LabelChanges.firstOf(
                        RuleLabelKeys.podKeys(rule), before.get().labels(), pod.labels()))
                .<Cause>map(label -> new Cause.PartnerLabelChanged(before.get().name(), label))
                .orElseGet(() -> new Cause.PartnerLeft(before.get().name()));
    }

    private static Cause ofOwnNode(FactChange.OfNode change, Rule rule) {
        return cameOrLeft(change)
                .or(() ->
                        label(change, RuleLabelKeys.of(rule)).map(it -> new Cause.NodeLabelChanged(change.name(), it)))
                .or(() -> taint(change, rule))
                .or(() -> label(change).map(it -> new Cause.NodeLabelChanged(change.name(), it)))
                .orElseGet(() -> new Cause.NodeCame(change.name()));
    }

    private static Cause ofOtherNode(FactChange.OfNode change, Rule rule) {
        return cameOrLeft(change)
                .or(() -> label(change, RuleLabelKeys.topologyKeys(rule))
                        .map(it -> new Cause.DomainChanged(change.name(), it)))
                .or(() -> taint(change, rule))
                .or(() -> label(change).map(it -> new Cause.DomainChanged(change.name(), it)))
                .orElseGet(() -> new Cause.NodeCame(change.name()));
    }

    private static Optional<Cause> cameOrLeft(FactChange.OfNode change) {
        if (change.before().isEmpty()) {
            return Optional.of(new Cause.NodeCame(change.name()));
        }
        return change.after().isEmpty() ? Optional.of(new Cause.NodeLeft(change.name())) : Optional.empty();
    }

    private static Optional<Cause.LabelChange> label(FactChange.OfNode change, Set<String> keys) {
        return LabelChanges.ofOne(keys, labels(change.before()), labels(change.after()));
    }

    private static Optional<Cause.LabelChange> label(FactChange.OfNode change) {
        return LabelChanges.first(labels(change.before()), labels(change.after()));
    }

    private static Optional<Cause> taint(FactChange.OfNode change, Rule rule) {
        boolean honours = rule.readsTaints();
        List<Taint> before =
                change.before().filter(_ -> honours).map(Node::taints).orElse(List.of());
        List<Taint> after =
                change.after().filter(_ -> honours).map(Node::taints).orElse(List.of());
        Optional<Cause> came = first(after, before).map(taint -> new Cause.TaintCame(change.name(), taint));
        return came.or(() -> first(before, after).map(taint -> new Cause.TaintLeft(change.name(), taint)));
    }

    private static Optional<Taint> first(List<Taint> some, List<Taint> butNotOf) {
        return some.stream().filter(taint -> !butNotOf.contains(taint)).findFirst();
    }

    private static Cause ofNamespace(FactChange.OfNamespace change, Rule rule) {
        Labels before = change.before().map(Namespace::labels).orElse(Labels.none());
        Labels after = change.after().map(Namespace::labels).orElse(Labels.none());
        boolean stays = change.before().isPresent() && change.after().isPresent();
        return LabelChanges.firstOf(RuleLabelKeys.namespaceKeys(rule), before, after)
                .filter(_ -> stays)
                .<Cause>map(label -> new Cause.NamespaceLabelChanged(change.name(), label))
                .orElseGet(() -> new Cause.NamespaceChanged(change.name()));
    }

    private static Labels labels(Optional<Node> node) {
        return node.map(Node::labels).orElse(Labels.none());
    }
}
