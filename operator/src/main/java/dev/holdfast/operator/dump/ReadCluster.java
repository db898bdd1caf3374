package dev.holdfast.operator.dump;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.plan.conduct.Pause;
import dev.holdfast.policies.rule.Policy;
import java.util.List;

/**
 * A cluster at one moment, with the policies and pauses as the operator understands them.
 *
 * @param dump the objects
 * @param policies the valid ones
 */
public record ReadCluster(Dump dump, List<Event.PolicyChanged> policies, List<Pause> pauses) {
    public ReadCluster {
        policies = List.copyOf(policies);
        pauses = List.copyOf(pauses);
    }

    /** {@return the policies without when and how many pods they evict} */
    public List<Policy> rules() {
        return policies.stream().map(Event.PolicyChanged::policy).toList();
    }
}
