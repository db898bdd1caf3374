package dev.holdfast.operator.offline.report.page;

import dev.holdfast.operator.offline.report.ClusterReport;
import dev.holdfast.operator.offline.report.ClusterReport.AffectedPod;
import dev.holdfast.operator.offline.report.ClusterReport.Explanation;
import dev.holdfast.operator.offline.report.TimeLine;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** The affected pods that a page lists: those that are explained. Each has a number in the page, from 0 on. */
final class ListedPods {
    private final List<AffectedPod> pods = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Map<String, Explanation> explanations;

    ListedPods(ClusterReport report) {
        this.explanations =
                report.explanations().stream().collect(Collectors.toMap(Explanation::uid, Function.identity()));
        for (AffectedPod pod : report.pods()) {
            if (explanations.containsKey(pod.uid())) {
                numbers.put(pod.uid(), pods.size());
                pods.add(pod);
            }
        }
    }

    /** The pods of a time line, of which none is explained. */
    ListedPods(List<TimeLine.Lane> lanes) {
        this.explanations = Map.of();
        lanes.forEach(lane -> numbers.put(lane.uid(), numbers.size()));
    }

    /** {@return the listed pods, by namespace and name} */
    List<AffectedPod> pods() {
        return pods;
    }

    Optional<Explanation> explanation(AffectedPod pod) {
        return Optional.ofNullable(explanations.get(pod.uid()));
    }

    /** {@return the numbers of those pods that are listed, with spaces between} */
    String numbers(Collection<String> uids) {
        return uids.stream()
                .flatMap(uid -> Optional.ofNullable(numbers.get(uid)).stream())
                .map(String::valueOf)
                .collect(Collectors.joining(" "));
    }

    /** {@return how many of those pods are not listed} */
    long missing(Collection<String> uids) {
        return uids.stream().filter(uid -> !numbers.containsKey(uid)).count();
    }
}
