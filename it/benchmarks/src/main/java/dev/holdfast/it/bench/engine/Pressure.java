package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.Requirement;
import dev.holdfast.policies.plan.controls.DisruptionControls;
import dev.holdfast.policies.plan.controls.PodOverrides;
import dev.holdfast.policies.plan.controls.PolicyLimits;
import dev.holdfast.policies.rule.Enforcement;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.WhenInfeasible;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** A policy that enforces a rule that no node satisfies, for a given number of pods of a generated cluster. */
final class Pressure {
    static final PolicyId ID = PolicyId.cluster("impossible");
    static final Duration FORGIVENESS = Duration.ofMinutes(5);

    private Pressure() {}

    /** {@return the policy for about this many pods, of workloads with the usual number of replicas} */
    static Policy on(World world, int pods) {
        List<String> apps = new ArrayList<>();
        int selected = 0;
        for (WorldWorkloads.Workload workload : world.usualWorkloads()) {
            if (selected + workload.replicas() <= pods) {
                apps.add(workload.app());
                selected += workload.replicas();
            }
        }
        return policy(ID, 1, new LabelSelector(Labels.none(), List.of(new Requirement("app", "In", apps))));
    }

    /** {@return the policy for all pods} */
    static Policy onAll(long generation) {
        return policy(ID, generation, LabelSelector.everything());
    }

    /** Edits the policy for all pods so that it allows more: its violations are a backlog from then on. */
    static void beginBacklogOfAll(ClockedEngine engine) {
        engine.step(new Event.PolicyChanged(onAll(2), controls(true)));
        engine.step(new Event.PolicyChanged(onAll(3), controls(false)));
    }

    /** {@return controls that allow the eviction of pods with local storage, or not ({@code narrow})} */
    static DisruptionControls controls(boolean narrow) {
        return new DisruptionControls(
                List.of(),
                List.of(),
                narrow ? Set.of() : Set.of(Reason.LOCAL_STORAGE),
                Optional.empty(),
                PodOverrides.all(),
                PolicyLimits.none());
    }

    /** {@return a policy that requires the same of these pods} */
    static Policy policy(PolicyId id, long generation, LabelSelector pods) {
        Enforcement enforced = new Enforcement(Mode.ENFORCE, FORGIVENESS, WhenInfeasible.WAIT);
        return new Policy(
                id,
                generation,
                Mode.ENFORCE,
                WorldPolicies.matcher(pods),
                Optional.empty(),
                Optional.empty(),
                Map.of(),
                List.of(new Policy.NamedRule("on-tape", WorldPolicies.nodeIn(WorldNodes.DISK, "tape"), enforced)));
    }
}
