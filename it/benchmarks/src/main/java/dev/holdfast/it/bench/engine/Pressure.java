package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NodeSelector;
import dev.holdfast.policies.model.NodeSelectorTerm;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.Rule;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A policy that enforces a rule that no node satisfies, for a given number of pods of a generated cluster. */
final class Pressure {
    static final PolicyId ID = PolicyId.cluster("impossible");
    static final Duration FORGIVENESS = Duration.ofMinutes(5);

    private Pressure() {}

    /** {@return the policy for about this many pods, of workloads with the usual number of replicas} */
    static Policy on(World world, int pods) {
        List<String> apps = new ArrayList<>();
        int selected = 0;
        for (WorldWorkload workload : world.worldWorkloads()) {
            boolean usual = workload.app().startsWith("app-");
            if (usual && selected + workload.replicas() <= pods) {
                apps.add(workload.app());
                selected += workload.replicas();
            }
        }
        return policy(new LabelSelector(Labels.none(), List.of(new Requirement("app", "In", apps))));
    }

    /** {@return the policy for all pods} */
    static Policy onAll() {
        return policy(LabelSelector.everything());
    }

    private static Policy policy(LabelSelector pods) {
        return policy(ID, 1, pods);
    }

    /** {@return a policy that requires the same of these pods} */
    static Policy policy(PolicyId id, long generation, LabelSelector pods) {
        Rule nowhere = new Rule.NodeAffinity(
                Labels.none(),
                Optional.of(new NodeSelector(List.of(new NodeSelectorTerm(
                        List.of(new Requirement(WorldNodes.DISK, "In", List.of("tape"))), List.of())))));
        return new Policy(
                id,
                generation,
                Mode.ENFORCE,
                WorldPolicies.matcher(pods),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                List.of(new Policy.NamedRule(
                        "on-tape", nowhere, new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT))));
    }
}
