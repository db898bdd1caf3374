package dev.holdfast.operator.decode;

import static java.util.Objects.requireNonNullElse;

import dev.holdfast.operator.decode.meta.ApiConstants;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Preferences;
import dev.holdfast.policies.model.Preferences.Weighted;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import dev.holdfast.policies.model.TopologySpreadConstraint;
import io.fabric8.kubernetes.api.model.Affinity;
import io.fabric8.kubernetes.api.model.LabelSelectorRequirement;
import io.fabric8.kubernetes.api.model.NodeSelectorRequirement;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.WeightedPodAffinityTerm;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Reference reader of the scheduling constraints of a pod, from JSON. It distinguishes absent and empty selectors. */
final class JsonScheduling {
    private JsonScheduling() {}

    static Scheduling of(PodSpec spec) {
        Affinity affinity = requireNonNullElse(spec.getAffinity(), new Affinity());
        return new Scheduling(
                        Labels.of(orEmpty(spec.getNodeSelector())),
                        Optional.ofNullable(affinity.getNodeAffinity())
                                .map(it -> it.getRequiredDuringSchedulingIgnoredDuringExecution())
                                .map(JsonScheduling::nodeSelector),
                        Optional.ofNullable(affinity.getPodAffinity())
                                .map(it -> terms(it.getRequiredDuringSchedulingIgnoredDuringExecution()))
                                .orElse(List.of()),
                        Optional.ofNullable(affinity.getPodAntiAffinity())
                                .map(it -> terms(it.getRequiredDuringSchedulingIgnoredDuringExecution()))
                                .orElse(List.of()),
                        spreads(spec, ApiConstants.HARD),
                        orEmpty(spec.getTolerations()).stream()
                                .map(JsonScheduling::toleration)
                                .toList())
                .withPreferences(preferences(spec, affinity));
    }

    private static Preferences preferences(PodSpec spec, Affinity affinity) {
        return new Preferences(
                Optional.ofNullable(affinity.getNodeAffinity()).stream()
                        .flatMap(it -> orEmpty(it.getPreferredDuringSchedulingIgnoredDuringExecution()).stream())
                        .map(it -> new Weighted<>(it.getWeight(), nodeTerm(it.getPreference())))
                        .toList(),
                Optional.ofNullable(affinity.getPodAffinity())
                        .map(it -> weighted(it.getPreferredDuringSchedulingIgnoredDuringExecution()))
                        .orElse(List.of()),
                Optional.ofNullable(affinity.getPodAntiAffinity())
                        .map(it -> weighted(it.getPreferredDuringSchedulingIgnoredDuringExecution()))
                        .orElse(List.of()),
                spreads(spec, ApiConstants.SOFT));
    }

    private static List<Weighted<PodAffinityTerm>> weighted(@Nullable List<WeightedPodAffinityTerm> terms) {
        return orEmpty(terms).stream()
                .map(it -> new Weighted<>(
                        it.getWeight(), terms(List.of(it.getPodAffinityTerm())).getFirst()))
                .toList();
    }

    private static List<TopologySpreadConstraint> spreads(PodSpec spec, String whenUnsatisfiable) {
        return orEmpty(spec.getTopologySpreadConstraints()).stream()
                .filter(constraint -> whenUnsatisfiable.equals(constraint.getWhenUnsatisfiable()))
                .map(JsonScheduling::spread)
                .toList();
    }

    static Optional<LabelSelector> selector(io.fabric8.kubernetes.api.model.@Nullable LabelSelector selector) {
        return Optional.ofNullable(selector)
                .map(it -> new LabelSelector(
                        Labels.of(orEmpty(it.getMatchLabels())),
                        orEmpty(it.getMatchExpressions()).stream()
                                .map(JsonScheduling::requirement)
                                .toList()));
    }

    static NodeSelector nodeSelector(io.fabric8.kubernetes.api.model.NodeSelector selector) {
        return new NodeSelector(orEmpty(selector.getNodeSelectorTerms()).stream()
                .map(JsonScheduling::nodeTerm)
                .toList());
    }

    private static NodeSelectorTerm nodeTerm(io.fabric8.kubernetes.api.model.NodeSelectorTerm term) {
        return new NodeSelectorTerm(requirements(term.getMatchExpressions()), requirements(term.getMatchFields()));
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
                ApiConstants.inclusion(requireNonNullElse(it.getNodeAffinityPolicy(), "Honor")),
                ApiConstants.inclusion(requireNonNullElse(it.getNodeTaintsPolicy(), "Ignore")),
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
                requireNonNullElse(it.getEffect(), ""),
                it.getTolerationSeconds() == null ? OptionalLong.empty() : OptionalLong.of(it.getTolerationSeconds()));
    }

    private static <T> List<T> orEmpty(@Nullable List<T> list) {
        return requireNonNullElse(list, List.of());
    }

    private static Map<String, String> orEmpty(@Nullable Map<String, String> map) {
        return requireNonNullElse(map, Map.of());
    }
}
