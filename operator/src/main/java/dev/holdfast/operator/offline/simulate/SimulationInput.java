package dev.holdfast.operator.offline.simulate;

import dev.holdfast.operator.offline.dump.ClaimVolumes;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.ReadCluster;
import dev.holdfast.operator.offline.dump.admission.TaintTimes;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.model.ClaimedVolume;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.plan.controls.Pause;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * What a simulation begins with.
 *
 * @param objects the objects of the cluster; fastest if namespaces and nodes come before pods
 * @param created pods that are created, bound and Ready before the operator begins to judge
 * @param volumes where the volumes of claims can be used
 * @param ledger the stored moves, limits, brakes and clocks that the operator begins with; empty if the operator
 *     begins without a ledger
 * @param taints when taints of nodes were set, as far as that is known
 */
public record SimulationInput(
        Collection<ClusterEvent> objects,
        Collection<Event.PolicyChanged> policies,
        Collection<Pause> pauses,
        Collection<ClusterEvent> created,
        ClaimVolumes volumes,
        Optional<LedgerReading> ledger,
        TaintTimes taints) {
    public SimulationInput {
        objects = List.copyOf(objects);
        policies = List.copyOf(policies);
        pauses = List.copyOf(pauses);
        created = List.copyOf(created);
    }

    /** Creates an input for an operator without a ledger. */
    public SimulationInput(
            Collection<ClusterEvent> objects,
            Collection<Event.PolicyChanged> policies,
            Collection<Pause> pauses,
            Collection<ClusterEvent> created,
            ClaimVolumes volumes) {
        this(objects, policies, pauses, created, volumes, Optional.empty(), new TaintTimes());
    }

    /** {@return the same input for an operator that has read this ledger} */
    public SimulationInput withLedger(Optional<LedgerReading> other) {
        return new SimulationInput(objects, policies, pauses, created, volumes, other, taints);
    }

    /** {@return the same input with times of taints} */
    public SimulationInput withTaints(TaintTimes other) {
        return new SimulationInput(objects, policies, pauses, created, volumes, ledger, other);
    }

    /** Creates an input whose pods are all there, and whose claims cannot be read. */
    public SimulationInput(
            Collection<ClusterEvent> objects, Collection<Event.PolicyChanged> policies, Collection<Pause> pauses) {
        this(objects, policies, pauses, List.of(), _ -> new ClaimedVolume.Unreadable("there is no such claim"));
    }

    /** {@return what was read, with these policies} */
    public static SimulationInput of(ReadCluster cluster, Collection<Event.PolicyChanged> policies) {
        Dump dump = cluster.dump();
        return new SimulationInput(dump.objects(), policies, cluster.pauses(), List.of(), dump.volumes())
                .withTaints(dump.times().taints());
    }
}
