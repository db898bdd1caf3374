package dev.holdfast.operator.observe;

import static dev.holdfast.operator.observe.CoreFacts.orEmpty;
import static java.util.Objects.requireNonNullElse;

import dev.holdfast.operator.decode.ApiWords;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads what a pod's spec says of where it may run. Absent and empty selectors stay apart. */
final class SchedulingReader {
    private SchedulingReader() {}

    static Scheduling scheduling(SlimPod.Spec spec) {
        Affinity affinity = requireNonNullElse(spec.affinity(), new Affinity());
        return new Scheduling(
                Labels.of(orEmpty(spec.nodeSelector())),
                Optional.ofNullable(affinity.getNodeAffinity())
                        .map(it -> it.getRequiredDuringSchedulingIgnoredDuringExecution())
                        .map(SchedulingReader::nodeSelector),
                Optional.ofNullable(affinity.getPodAffinity())
                        .map(it -> terms(it.getRequiredDuringSchedulingIgnoredDuringExecution()))
                        .orElse(List.of()),
                Optional.ofNullable(affinity.getPodAntiAffinity())
                        .map(it -> terms(it.getRequiredDuringSchedulingIgnoredDuringExecution()))
                        .orElse(List.of()),
                orEmpty(spec.topologySpreadConstraints()).stream()
                        .filter(constraint -> ApiWords.HARD.equals(constraint.getWhenUnsatisfiable()))
                        .map(SchedulingReader::spread)
                        .toList(),
                orEmpty(spec.tolerations()).stream()
                        .map(SchedulingReader::toleration)
                        .toList());
    }

    static Optional<LabelSelector> selector(io.fabric8.kubernetes.api.model.@Nullable LabelSelector selector) {
        return Optional.ofNullable(selector)
                .map(it -> new LabelSelector(
                        Labels.of(orEmpty(it.getMatchLabels())),
                        orEmpty(it.getMatchExpressions()).stream()
                                .map(SchedulingReader::requirement)
                                .toList()));
    }

    private static NodeSelector nodeSelector(io.fabric8.kubernetes.api.model.NodeSelector selector) {
        return new NodeSelector(orEmpty(selector.getNodeSelectorTerms()).stream()
                .map(term -> new NodeSelectorTerm(
                        requirements(term.getMatchExpressions()), requirements(term.getMatchFields())))
                .toList());
    }

    private static List<PodAffinityTerm> terms(@Nullable List<io.fabric8.kubernetes.api.model.PodAffinityTerm> terms) {
        return orEmpty(terms).stream()
                .map(term -> new PodAffinityTerm(
                        selector(term.getLabelSelector()),
                        orEmpty(term.getNamespaces()),
                        selector(term.getNamespaceSelector()),
                        requireNonNullElse(term.getTopologyKey(), ""),
                        orEmpty(term.getMatchLabelKeys()),
                        orEmpty(term.getMismatchLabelKeys())))
                .toList();
    }

    private static TopologySpreadConstraint spread(io.fabric8.kubernetes.api.model.TopologySpreadConstraint it) {
        return new TopologySpreadConstraint(
                requireNonNullElse(it.getMaxSkew(), 0),
                requireNonNullElse(it.getTopologyKey(), ""),
                selector(it.getLabelSelector()),
                requireNonNullElse(it.getMinDomains(), 1),
                ApiWords.inclusion(requireNonNullElse(it.getNodeAffinityPolicy(), "Honor")),
                ApiWords.inclusion(requireNonNullElse(it.getNodeTaintsPolicy(), "Ignore")),
                orEmpty(it.getMatchLabelKeys()));
    }

    private static Requirement requirement(LabelSelectorRequirement it) {
        return new Requirement(it.getKey(), it.getOperator(), orEmpty(it.getValues()));
    }

    private static List<Requirement> requirements(@Nullable List<NodeSelectorRequirement> requirements) {
        return orEmpty(requirements).stream()
                .map(it -> new Requirement(it.getKey(), it.getOperator(), orEmpty(it.getValues())))
                .toList();
    }

    private static Toleration toleration(io.fabric8.kubernetes.api.model.Toleration it) {
        return new Toleration(
                requireNonNullElse(it.getKey(), ""),
                requireNonNullElse(it.getOperator(), ""),
                requireNonNullElse(it.getValue(), ""),
                requireNonNullElse(it.getEffect(), ""));
    }
}
