package dev.holdfast.operator.decode.meta;

import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeInclusionPolicy;
import dev.holdfast.policies.model.Phase;
import dev.holdfast.policies.model.RestartPolicy;
import java.util.List;

/** Constants of the Kubernetes API: annotations, labels and enum values that the decoders look for. */
public final class ApiConstants {
    /** The annotation of a mirror pod, which represents a static pod in the API server. */
    public static final String MIRROR = "kubernetes.io/config.mirror";

    /** The {@code whenUnsatisfiable} of a hard spread constraint. */
    public static final String HARD = "DoNotSchedule";

    /** The {@code whenUnsatisfiable} of a soft spread constraint. */
    public static final String SOFT = "ScheduleAnyway";

    /**
     * Labels of the coscheduling plugin, Kueue, LeaderWorkerSet, JobSet, Volcano, Ray and the training operator of
     * Kubeflow. A pod with one of them belongs to a gang: pods that are scheduled and deleted together.
     */
    private static final List<String> GANG_LABELS = List.of(
            "scheduling.x-k8s.io/pod-group",
            "kueue.x-k8s.io/managed",
            "kueue.x-k8s.io/pod-group-name",
            "kueue.x-k8s.io/podset",
            "kueue.x-k8s.io/queue-name",
            "leaderworkerset.sigs.k8s.io/name",
            "jobset.sigs.k8s.io/jobset-name",
            "volcano.sh/job-name",
            "ray.io/cluster",
            "training.kubeflow.org/job-name");

    /** Annotations of Volcano and YuniKorn. A pod with one of them belongs to a gang. */
    public static final List<String> GANG_ANNOTATIONS =
            List.of("scheduling.k8s.io/group-name", "yunikorn.apache.org/task-group-name");

    /**
     * Annotations of the VerticalPodAutoscaler, whose admission webhook sets the requests of each new pod.
     */
    public static final List<String> AUTOSCALER_ANNOTATIONS =
            List.of(AutoscalerUpdates.UPDATES, AutoscalerUpdates.OBSERVED, AutoscalerUpdates.RESIZED);

    /** The annotation in which the admission plugin LimitRanger notes the requests and limits that it set in a pod. */
    public static final String LIMIT_RANGER = "kubernetes.io/limit-ranger";

    private ApiConstants() {}

    /** {@return whether these labels make a pod a member of a gang, whose pods are scheduled and deleted together} */
    public static boolean gangMember(Labels labels) {
        // A loop and not a stream, because every set of labels that is not cached passes here.
        for (String label : GANG_LABELS) {
            if (labels.has(label)) {
                return true;
            }
        }
        return false;
    }

    /** {@return the pod phase of this name; {@code UNKNOWN} for an unknown or empty name} */
    public static Phase phase(String word) {
        return switch (word) {
            case "Pending" -> Phase.PENDING;
            case "Running" -> Phase.RUNNING;
            case "Succeeded" -> Phase.SUCCEEDED;
            case "Failed" -> Phase.FAILED;
            default -> Phase.UNKNOWN;
        };
    }

    /** {@return the restart policy of this name; {@code ALWAYS} for an empty name, {@code NEVER} for an unknown one} */
    public static RestartPolicy restartPolicy(String word) {
        return switch (word) {
            case "", "Always" -> RestartPolicy.ALWAYS;
            case "OnFailure" -> RestartPolicy.ON_FAILURE;
            // An unknown policy counts as Never, that of pods that run to completion: such pods are held.
            default -> RestartPolicy.NEVER;
        };
    }

    /** {@return whether an emptyDir with this medium is in memory; an unknown medium counts as disk} */
    public static boolean inMemory(String medium) {
        return medium.equals("Memory") || medium.startsWith("HugePages");
    }

    /** {@return the node inclusion policy of this name; {@code HONOR} for an unknown name} */
    public static NodeInclusionPolicy inclusion(String word) {
        return word.equals("Ignore") ? NodeInclusionPolicy.IGNORE : NodeInclusionPolicy.HONOR;
    }
}
