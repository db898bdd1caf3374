package dev.holdfast.operator.offline.waiting;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodAffinityTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.model.Scheduling;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The labels of a pod that decide where it can run: those that a rule of the pod reads, or the anti-affinity of another
 * pod. The ordinal of a pod of a StatefulSet is seldom among them.
 */
final class ReadLabels {
    private final Set<String> byOthers = new HashSet<>();

    /** {@return the labels that the anti-affinity of these pods reads, and the rules of any pod} */
    static ReadLabels of(Collection<Pod> pods) {
        ReadLabels labels = new ReadLabels();
        pods.forEach(labels::add);
        return labels;
    }

    /** Adds the anti-affinity of a pod. Returns whether it reads a label that no other reads. */
    boolean add(Pod pod) {
        List<PodAffinityTerm> terms = pod.scheduling().podAntiAffinity();
        return !terms.isEmpty() && byOthers.addAll(keys(terms).toList());
    }

    /** {@return the labels of a pod that decide where it can run} */
    Labels of(Pod pod) {
        Labels labels = pod.labels();
        if (labels.areUnread()) {
            return labels;
        }
        Scheduling own = pod.scheduling();
        Set<String> byOwn = new HashSet<>();
        keys(own.podAffinity()).forEach(byOwn::add);
        keys(own.podAntiAffinity()).forEach(byOwn::add);
        own.topologySpread()
                .forEach(
                        spread -> Stream.concat(keys(spread.labelSelector().stream()), spread.matchLabelKeys().stream())
                                .forEach(byOwn::add));
        List<String> read = new ArrayList<>();
        for (int i = 0; i < labels.size(); i++) {
            String key = labels.key(i);
            if (byOthers.contains(key) || byOwn.contains(key)) {
                read.add(key);
                read.add(labels.value(i));
            }
        }
        return Labels.of(read);
    }

    private static Stream<String> keys(Collection<PodAffinityTerm> terms) {
        return terms.stream()
                .flatMap(term -> Stream.of(
                                keys(term.labelSelector().stream()),
                                term.matchLabelKeys().stream(),
                                term.mismatchLabelKeys().stream())
                        .flatMap(keys -> keys));
    }

    private static Stream<String> keys(Stream<LabelSelector> selectors) {
        return selectors.flatMap(selector -> Stream.concat(
                selector.matchLabels().toMap().keySet().stream(),
                selector.matchExpressions().stream().map(Requirement::key)));
    }
}
