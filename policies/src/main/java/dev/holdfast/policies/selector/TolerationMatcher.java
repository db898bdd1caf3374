package dev.holdfast.policies.selector;

import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Taint;
import dev.holdfast.policies.model.Toleration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.LongStream;

/**
 * The tolerations of one pod, to be matched against taints. Source: Kubernetes documentation, "Taints and Tolerations".
 * Tolerations with the operators Gt and Lt never match (TT-3).
 */
public record TolerationMatcher(List<Toleration> tolerations) {
    public TolerationMatcher {
        tolerations = List.copyOf(tolerations);
    }

    /** {@return the first NoSchedule or NoExecute taint of the node that the pod does not tolerate (TT-1)} */
    public Optional<Taint> repelledBy(Node node) {
        for (Taint taint : node.taints()) {
            if (taint.blocksScheduling() && !tolerates(taint)) {
                return Optional.of(taint);
            }
        }
        return Optional.empty();
    }

    /**
     * {@return how many seconds the pod stays on a node after the node gets this NoExecute taint, by the first
     * toleration that matches (TT-5); empty if the pod stays for ever} A pod that does not tolerate the taint stays 0
     * seconds.
     */
    public OptionalLong secondsWith(Taint taint) {
        return tolerations.stream()
                .filter(it -> tolerates(it, taint))
                .findFirst()
                .map(it -> it.seconds().stream().map(seconds -> Math.max(0, seconds)))
                .orElseGet(() -> LongStream.of(0))
                .findFirst();
    }

    /** {@return whether one of the tolerations matches the taint (TT-2, TT-4)} */
    public boolean tolerates(Taint taint) {
        for (Toleration toleration : tolerations) {
            if (tolerates(toleration, taint)) {
                return true;
            }
        }
        return false;
    }

    private static boolean tolerates(Toleration toleration, Taint taint) {
        if (!toleration.effect().isEmpty() && !toleration.effect().equals(taint.effect())) {
            return false;
        }
        if (!toleration.key().isEmpty() && !toleration.key().equals(taint.key())) {
            return false;
        }
        return switch (toleration.operator()) {
            case "", "Equal" -> toleration.value().equals(taint.value());
            case "Exists" -> true;
            default -> false;
        };
    }
}
