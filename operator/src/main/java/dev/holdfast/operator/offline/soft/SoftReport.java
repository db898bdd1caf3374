package dev.holdfast.operator.offline.soft;

import dev.holdfast.operator.offline.check.CheckReport;
import dev.holdfast.policies.soft.Improvement;
import java.util.List;

/**
 * The unmet soft rules in a cluster at one moment, as {@code holdfast check --soft -o json} writes them. Published as
 * {@code docs/schemas/soft-report.json}: no field changes its meaning.
 *
 * @param unmet ordered by namespace, pod and rule
 * @param warnings what may be wrong with the input, as sentences
 */
public record SoftReport(String apiVersion, String kind, Summary summary, List<Unmet> unmet, List<String> warnings) {
    static final String KIND = "SoftReport";

    public SoftReport {
        unmet = List.copyOf(unmet);
        warnings = List.copyOf(warnings);
    }

    /** {@return a report without warnings} */
    static SoftReport of(int pods, List<Unmet> unmet) {
        return new SoftReport(
                CheckReport.API_VERSION,
                KIND,
                new Summary(
                        pods,
                        unmet.size(),
                        (int) unmet.stream().map(Unmet::uid).distinct().count(),
                        (int) unmet.stream()
                                .filter(it -> it.move().gain() > 0)
                                .map(Unmet::uid)
                                .distinct()
                                .count()),
                unmet,
                List.of());
    }

    /** {@return the same report with warnings} */
    public SoftReport withWarnings(List<String> others) {
        return new SoftReport(apiVersion, kind, summary, unmet, others);
    }

    /**
     * The numbers of objects.
     *
     * @param pods how many listed pods run
     * @param unmet how many of their soft rules are unmet
     * @param unmetPods how many pods have such a rule
     * @param improvablePods how many pods have such a rule that a move would improve for certain
     */
    public record Summary(int pods, int unmet, int unmetPods, int improvablePods) {}

    /**
     * A soft rule that is unmet on the node of its pod.
     *
     * @param uid of the pod
     * @param workload {@code Deployment/web}
     * @param breach how the node falls short of the rule
     * @param move what a move of the pod would gain
     */
    public record Unmet(
            String namespace,
            String pod,
            String uid,
            String node,
            String workload,
            Preference rule,
            String breach,
            Move move) {}

    /**
     * What a pod prefers.
     *
     * @param kind PreferredNodeAffinity, PreferredPodAffinity, PreferredPodAntiAffinity or SoftTopologySpread
     * @param text {@code disk In [ssd], weight 50}
     */
    public record Preference(String kind, String text) {}

    /**
     * What a move of a pod would gain for an unmet rule.
     *
     * @param gain the least gain, in pods of skew or as the sum of the weights of terms; 0 if a move might gain too
     *     little, or do harm
     * @param nodes where the scheduler may place the replacement; none if the gain is 0
     * @param obstacle why the gain is 0, as one word; empty if it is not
     * @param why the same in words, with names and numbers
     */
    public record Move(long gain, List<String> nodes, String obstacle, String why) {
        public Move {
            nodes = List.copyOf(nodes);
        }

        static Move of(Improvement improvement) {
            return switch (improvement) {
                case Improvement.Certain(long gain, List<String> nodes) -> new Move(gain, nodes, "", "");
                case Improvement.Uncertain(Improvement.Obstacle obstacle, String text) ->
                    new Move(0, List.of(), obstacle.label(), text);
            };
        }
    }
}
