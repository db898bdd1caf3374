package dev.holdfast.policies.score;

import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.function.Predicate;

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
        return of(_ -> true, spreadDefaults);
    }

    /** {@return the default profile without the plugins that look at the load of nodes} */
    public static SchedulerProfile ofSoftRules(SpreadDefaults spreadDefaults) {
        return of(ScorePlugin::ofSoftRules, spreadDefaults);
    }

    private static SchedulerProfile of(Predicate<ScorePlugin> plugins, SpreadDefaults spreadDefaults) {
        Map<ScorePlugin, Integer> weights = new EnumMap<>(ScorePlugin.class);
        Arrays.stream(ScorePlugin.values())
                .filter(plugins)
                .forEach(plugin -> weights.put(plugin, plugin.defaultWeight()));
        return new SchedulerProfile(weights, HARD_POD_AFFINITY_WEIGHT, false, spreadDefaults);
    }
}
