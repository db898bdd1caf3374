package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.simulate.cluster.Admission;
import dev.holdfast.policies.engine.protocol.Event;
import java.util.List;

/** Says of changes that they leave the cluster as it is, which is probably a mistake. */
final class IdleChanges {
    private IdleChanges() {}

    /** {@return what is so before a change, as sentences} */
    static List<String> known(Change change, NodeChanges nodes, Admission policies) {
        return switch (change) {
            case Change.ChangeNodes several -> nodes.idle(several);
            case Change.PutPolicy(Event.PolicyChanged put)
            when policies.has(put.policy()) -> List.of("policy " + put.policy().id() + " is as given already");
            case Change.PutPolicy _,
                    Change.LabelNodes _,
                    Change.Cordon _,
                    Change.Uncordon _,
                    Change.Drain _,
                    Change.RemoveNode _,
                    Change.AddObjects _,
                    Change.DeletePod _,
                    Change.DeletePods _,
                    Change.CrashPod _,
                    Change.RepairPod _,
                    Change.FinishPod _,
                    Change.FailNode _,
                    Change.RecoverNode _,
                    Change.SetNewPods _,
                    Change.Scale _,
                    Change.RollOutDeployment _,
                    Change.PauseRollOut _,
                    Change.RollOutStatefulSet _,
                    Change.Acknowledge _,
                    Change.PutPause _ -> List.of();
        };
    }

    /** {@return what a change that changed no object meant, as sentences} */
    static List<String> found(Change change) {
        return switch (change) {
            case Change.LabelNodes label
            when label.nodes() instanceof Change.Selection.Named ->
                List.of("node " + label.target() + " is labelled so already");
            case Change.LabelNodes label -> List.of("each node " + label.target() + " is labelled so already");
            case Change.Scale scale ->
                List.of(scale.kind() + " " + scale.name() + " is scaled to " + scale.replicas() + " already");
            case Change.AddObjects(var objects)
            when !objects.isEmpty() -> List.of("the objects to apply are in the input as they are already");
            case Change.AddObjects _,
                    Change.ChangeNodes _,
                    Change.PutPolicy _,
                    Change.Cordon _,
                    Change.Uncordon _,
                    Change.Drain _,
                    Change.RemoveNode _,
                    Change.DeletePod _,
                    Change.DeletePods _,
                    Change.CrashPod _,
                    Change.RepairPod _,
                    Change.FinishPod _,
                    Change.FailNode _,
                    Change.RecoverNode _,
                    Change.SetNewPods _,
                    Change.RollOutDeployment _,
                    Change.PauseRollOut _,
                    Change.RollOutStatefulSet _,
                    Change.Acknowledge _,
                    Change.PutPause _ -> List.of();
        };
    }
}
