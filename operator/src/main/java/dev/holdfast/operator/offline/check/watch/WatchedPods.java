package dev.holdfast.operator.offline.check.watch;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.policies.model.Pod;
import java.util.List;
import java.util.function.Predicate;

/**
 * What a user wants to see of a cluster.
 *
 * @param listed the pods whose violations are shown
 * @param labelKeys the labels that each violation has of its pod
 * @param ownRules whether pods that no policy selects are held to the rules of their own spec
 * @param config the configuration of the operator
 */
public record WatchedPods(Predicate<Pod> listed, List<String> labelKeys, boolean ownRules, OperatorConfig config) {
    public WatchedPods {
        labelKeys = List.copyOf(labelKeys);
    }
}
