package dev.holdfast.operator.offline.rollout;

import com.fasterxml.jackson.annotation.JsonValue;
import dev.holdfast.operator.offline.print.Table;
import java.util.List;

/**
 * The roll-out of a new pod template at the end of a simulation. Part of documents that commands print, so no field
 * changes its meaning.
 *
 * @param kind Deployment or StatefulSet
 * @param updatedPods how many pods of the new template are Ready
 * @param pods how many pods of the new template are wanted
 * @param pod the pod that the roll-out waits for; empty unless it hangs
 * @param why why that pod has no node, does not exist, or is not Ready; empty unless the roll-out hangs
 */
public record RollOut(
        String namespace, String kind, String name, State state, int updatedPods, int pods, String pod, String why) {
    /** How far a roll-out is. */
    public enum State {
        /** All wanted pods are of the new template and Ready. */
        COMPLETE("Complete"),

        /** It goes on after the end of the simulation. */
        UNDER_WAY("UnderWay"),

        /** It waits for a pod that has no node, does not exist or does not become Ready. */
        HANGS("Hangs"),

        /** It is paused. */
        PAUSED("Paused");

        private final String label;

        State(String label) {
            this.label = label;
        }

        /** {@return the state in documents} */
        @JsonValue
        public String label() {
            return label;
        }
    }

    /** {@return whether the roll-out waits for a pod} Not named like a field of the document. */
    public boolean hangs() {
        return state == State.HANGS;
    }

    /** {@return roll-outs as a table} */
    public static Table table(List<RollOut> rollOuts) {
        Table table = new Table("NAMESPACE", "WORKLOAD", "STATE", "UPDATED", "WAITS FOR", "WHY");
        rollOuts.forEach(it -> table.row(
                it.namespace,
                it.kind + "/" + it.name,
                it.state.label(),
                it.updatedPods + " of " + it.pods,
                it.pod.isEmpty() ? "<none>" : it.pod,
                it.why.isEmpty() ? "<none>" : it.why));
        return table;
    }
}
