package dev.holdfast.operator.offline.whatif;

import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.print.Count;
import dev.holdfast.operator.offline.simulate.Change;
import dev.holdfast.operator.offline.simulate.Simulation;
import dev.holdfast.operator.offline.simulate.SimulationInput;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A cluster with the changes that a person asks about: what is played, and what is probably a mistake in it. */
public record Scenario(ReadCluster cluster, List<Change> changes) {
    private static final Duration USUAL = Duration.ofHours(2);

    public Scenario {
        changes = List.copyOf(changes);
    }

    /**
     * {@return the policies before the change}
     *
     * @param ownRules the policy that counts if there is none at all: it holds each pod to the rules of its own spec
     */
    public List<Event.PolicyChanged> policies(Policy ownRules) {
        return hasPolicies() ? cluster.policies() : List.of(new Event.PolicyChanged(ownRules));
    }

    private boolean hasPolicies() {
        return !cluster.policies().isEmpty() || changes.stream().anyMatch(Change.PutPolicy.class::isInstance);
    }

    /** {@return the settings of the engine; without policies, no namespace is exempt, as for the scheduler} */
    public EngineSettings settings(EngineSettings settings) {
        return hasPolicies()
                ? settings
                : new EngineSettings(
                        settings.operatorLimits(),
                        settings.protectedPods(),
                        Set.of(),
                        settings.replacementTimes(),
                        settings.breakers());
    }

    /**
     * {@return whether pods may leave their nodes or be created; only then budgets, quotas, controllers and volumes
     * matter} A cordon alone moves none.
     */
    public boolean mayMovePods() {
        return changes.stream().anyMatch(Scenario::movesPods)
                || rules().stream().anyMatch(policy -> policy.mode() != Mode.DISABLED);
    }

    /** {@return whether nodes fail} */
    public boolean failsNodes() {
        return changes.stream()
                .anyMatch(change -> change instanceof Change.FailNode
                        || (change instanceof Change.ChangeNodes several && several.action() == Change.Action.FAIL));
    }

    private static boolean movesPods(Change change) {
        return switch (change) {
            case Change.ChangeNodes(Change.Action action, var _) -> action != Change.Action.CORDON;
            case Change.AddObjects(List<ClusterEvent> objects) ->
                objects.stream().anyMatch(ClusterEvent.PodChanged.class::isInstance);
            case Change.Drain _,
                    Change.RemoveNode _,
                    Change.DeletePod _,
                    Change.DeletePods _,
                    Change.FinishPod _,
                    Change.FailNode _,
                    Change.Scale _,
                    Change.RollOutDeployment _,
                    Change.RollOutStatefulSet _ -> true;
            case Change.LabelNodes _,
                    Change.Cordon _,
                    Change.Uncordon _,
                    Change.CrashPod _,
                    Change.RepairPod _,
                    Change.RecoverNode _,
                    Change.SetNewPods _,
                    Change.PauseRollOut _,
                    Change.PutPolicy _,
                    Change.Acknowledge _,
                    Change.PutPause _ -> false;
        };
    }

    /** {@return the objects that the changes add} */
    public List<ClusterEvent> added() {
        return changes.stream()
                .flatMap(change -> change instanceof Change.AddObjects(List<ClusterEvent> objects)
                        ? objects.stream()
                        : Stream.empty())
                .toList();
    }

    private List<Policy> rules() {
        List<Policy> policies = new ArrayList<>(cluster.rules());
        for (Change change : changes) {
            if (change instanceof Change.PutPolicy(Event.PolicyChanged put)) {
                policies.add(put.policy());
            }
        }
        return policies;
    }

    /** {@return how long to simulate if the user does not say: until each present violation is decided about} */
    public Duration time() {
        Duration horizon = Horizon.of(rules());
        return horizon.compareTo(USUAL) > 0 ? horizon : USUAL;
    }

    /** {@return the report as it is printed: without policies, it says nothing of them} */
    public WhatIfReport shown(WhatIfReport report) {
        return hasPolicies() ? report : report.withoutPolicies();
    }

    /** {@return what may be wrong with the changes, and what the report leaves open, as sentences} */
    public List<String> warnings(WhatIfReport report) {
        List<String> warnings = new ArrayList<>(report.warnings());
        report.policiesWithoutPods()
                .forEach(policy -> warnings.add("policy " + policy + " selects no pod at any time"));
        OtherSchedulers.warning(report, cluster.dump().objects()).ifPresent(warnings::add);
        if (report.endedBy() == SimulationEnd.SEVEN_DAYS) {
            warnings.add("the simulation ends after seven days, but the operator may evict more pods after that");
        }
        undecided(report).ifPresent(warnings::add);
        return warnings;
    }

    /** {@return a warning if violations are left that no pod is evicted for, and why} */
    private Optional<String> undecided(WhatIfReport report) {
        int left = report.summary().violatedAtEnd() - report.summary().held();
        if (report.summary().violatedAtEnd() > 0 && !hasPolicies()) {
            return Optional.of("there is no policy, so no pod is evicted: read plpol,cplpol too, or give --policy");
        }
        if (report.summary().violatedAtEnd() > 0
                && rules().stream().noneMatch(policy -> policy.mode() == Mode.ENFORCE)) {
            return Optional.of(
                    "no policy is in mode Enforce, so no pod is evicted: --enforce NAME shows all" + " that would be");
        }
        return report.endedBy() == SimulationEnd.UNTIL && left > 0
                ? Optional.of("the simulation ends at --until, and " + Count.of(left, "violation")
                        + (left == 1 ? " is" : " are") + " undecided then: leave --until out to go on")
                : Optional.empty();
    }

    /** {@return the policies that select no pod in a simulation, by name} */
    static List<String> withoutPods(Simulation simulation, SimulationInput input, List<Change> changes) {
        return Stream.concat(
                        input.policies().stream(),
                        changes.stream()
                                .flatMap(change -> change instanceof Change.PutPolicy(Event.PolicyChanged put)
                                        ? Stream.of(put)
                                        : Stream.empty()))
                .map(Event.PolicyChanged::policy)
                .filter(policy -> policy.mode() != Mode.DISABLED)
                .map(Policy::id)
                .distinct()
                .filter(policy -> !simulation.hasSelectedPods(policy))
                .map(PolicyId::toString)
                .sorted()
                .toList();
    }
}
