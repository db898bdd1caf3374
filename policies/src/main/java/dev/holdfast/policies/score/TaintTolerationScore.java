package dev.holdfast.policies.score;

import dev.holdfast.policies.selector.TolerationMatcher;
import java.util.List;

/**
 * The taints with the effect PreferNoSchedule: a node loses the share of those that the pod does not tolerate, of the
 * greatest number on a feasible node. Other taints have no effect here.
 *
 * <p>Example: nodes with 0, 1 and 3 such taints have the scores 100, 67 and 0.
 */
final class TaintTolerationScore {
    private static final String PREFER_NO_SCHEDULE = "PreferNoSchedule";

    private TaintTolerationScore() {}

    static PluginResult of(Choice choice) {
        TolerationMatcher tolerations =
                new TolerationMatcher(choice.pod().scheduling().tolerations());
        List<Long> raw = choice.feasible().stream()
                .map(node -> node.taints().stream()
                        .filter(taint -> taint.effect().equals(PREFER_NO_SCHEDULE) && !tolerations.tolerates(taint))
                        .count())
                .toList();
        return new PluginResult.Scored(raw, Normalisation.reversedShares(raw));
    }
}
