package dev.holdfast.operator.decode.meta;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.RestartPolicy;
import java.util.List;

/** The words of the Kubernetes API that facts depend on. */
public final class ApiConstants {
    /** The annotation of a pod that is the API server's image of a static pod. */
    public static final String MIRROR = "kubernetes.io/config.mirror";

    /** What a hard spread constraint has in {@code whenUnsatisfiable}. */
    public static final String HARD = "DoNotSchedule";

    /** Labels of pods that are scheduled, and lost, as one: the scheduler plugin's, and those of Kueue. */
    private static final List<String> GANG_LABELS = List.of(
            "scheduling.x-k8s.io/pod-group",
            "kueue.x-k8s.io/managed",
            "kueue.x-k8s.io/pod-group-name",
            "kueue.x-k8s.io/podset",
            "kueue.x-k8s.io/queue-name");

    private ApiConstants() {}

    /** {@return whether a pod with these labels belongs to a group of pods that live and die together} */
    public static boolean gangMember(Labels labels) {
        // For each set of labels that was not seen lately: no stream.
        for (String label : GANG_LABELS) {
            if (labels.has(label)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the phase; {@code UNKNOWN} for any other word, and for none} */
    public static Phase phase(String word) {
        return switch (word) {
            case "Pending" -> Phase.PENDING;
            case "Running" -> Phase.RUNNING;
            case "Succeeded" -> Phase.SUCCEEDED;
            case "Failed" -> Phase.FAILED;
            default -> Phase.UNKNOWN;
        };
    }

    /** {@return the restart policy; empty means the default} */
    public static RestartPolicy restartPolicy(String word) {
        return switch (word) {
            case "", "Always" -> RestartPolicy.ALWAYS;
            case "OnFailure" -> RestartPolicy.ON_FAILURE;
            // A policy of the future is taken for one that runs to completion: such pods are held.
            default -> RestartPolicy.NEVER;
        };
    }

    /** {@return whether an emptyDir on this medium is in memory; on one of the future it is taken to be on disk} */
    public static boolean inMemory(String medium) {
        return medium.equals("Memory") || medium.startsWith("HugePages");
    }

    /** {@return the policy of a spread constraint that names one} */
    public static NodeInclusionPolicy inclusion(String word) {
        return word.equals("Ignore") ? NodeInclusionPolicy.IGNORE : NodeInclusionPolicy.HONOR;
    }
}
