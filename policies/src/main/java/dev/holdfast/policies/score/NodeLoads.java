package dev.holdfast.policies.score;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodRequirements;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.function.Function;

/** The loads of nodes: the sums of what the pods on them request, terminating pods included. */
final class NodeLoads {
    private final Choice choice;

    /** By identity: the pods of one template share an instance, and its hash would take as long as the sum. */
    private final Map<PodRequirements, Load> known = new IdentityHashMap<>();

    private final Function<PodRequirements, Load> ofPod;

    /** Sums up what {@code ofPod} gives for each pod. */
    NodeLoads(Choice choice, Function<PodRequirements, Load> ofPod) {
        this.choice = choice;
        this.ofPod = ofPod;
    }

    Load on(Node node) {
        Load sum = Load.NONE;
        for (Pod other : choice.view().podsOn(node.name())) {
            if (choice.isOther(other)) {
                sum = sum.plus(known.computeIfAbsent(other.podRequirements(), ofPod));
            }
        }
        return sum;
    }
}
