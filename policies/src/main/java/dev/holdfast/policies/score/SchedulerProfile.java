package dev.holdfast.policies.score;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The configuration of the scheduler that scores depend on.
 *
 * @param weights the weights of the plugins that score; a plugin without one does not score
 * @param hardPodAffinityWeight the weight of the required affinity terms of other pods, 0 to 100
 * @param ignorePreferredTermsOfExistingPods whether the preferences of other pods matter only to pods that have
 *     preferred pod terms themselves
 * @param spreadDefaults the spread constraints of pods that have none of their own
 */
public record SchedulerProfile(
        Map<ScorePlugin, Integer> weights,
        int hardPodAffinityWeight,
        boolean ignorePreferredTermsOfExistingPods,
        SpreadDefaults spreadDefaults) {
    private static final int HARD_POD_AFFINITY_WEIGHT = 1;

    public SchedulerProfile {
        weights = Collections.unmodifiableMap(new EnumMap<>(weights));
    }

    /** {@return the default profile, with these default constraints} */
    public static SchedulerProfile withDefaults(SpreadDefaults spreadDefaults) {
        return new SchedulerProfile(
                Arrays.stream(ScorePlugin.values())
                        .collect(Collectors.toMap(Function.identity(), ScorePlugin::defaultWeight)),
                HARD_POD_AFFINITY_WEIGHT,
                false,
                spreadDefaults);
    }
}
