package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.plan.controls.Pause;
import dev.holdfast.policies.rule.Policy;
import java.util.List;

/**
 * A cluster at one moment, with the policies and pauses as the operator understands them.
 *
 * @param dump the objects
 * @param policies the valid ones
 * @param policyObjects the policies as they are written, valid or not, with those that the user gives beside the dump
 */
public record ReadCluster(
        Dump dump, List<Event.PolicyChanged> policies, List<Pause> pauses, List<ObjectNode> policyObjects) {
    public ReadCluster {
        policyObjects = List.copyOf(policyObjects);
        policies = List.copyOf(policies);
        pauses = List.copyOf(pauses);
    }

    /** {@return the policies without when and how many pods they evict} */
    public List<Policy> rules() {
        return policies.stream().map(Event.PolicyChanged::policy).toList();
    }
}
