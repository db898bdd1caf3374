package dev.holdfast.policies.testing;

import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.PodCreation;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.PodTemplate;
import dev.holdfast.policies.model.Resources;
import dev.holdfast.policies.model.Scheduling;
import dev.holdfast.policies.model.Toleration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Builders for pod templates that request cpu, and for pods that may differ from their template. */
public final class Templates {
    private Templates() {}

    /** {@return the container app, which requests this much cpu} */
    public static Container app(long milliCpu) {
        return container("app", Role.APP, milliCpu);
    }

    /** {@return a container that requests this much cpu} */
    public static Container container(String name, Role role, long milliCpu) {
        return new Container(name, role, Map.of("cpu", milliCpu), Map.of());
    }

    /** {@return the trait of a pod that requests this much cpu now, in these containers} */
    public static PodTrait requesting(long milliCpu, NextRequests next, Container... containers) {
        Resources cpu = new Resources(milliCpu, 0, 0, 0, Map.of());
        return PodTraits.needing(new PodRequirements(cpu, cpu, List.of(), List.of(), List.of(containers), next));
    }

    /** {@return the trait of a pod whose container app was resized to this much cpu} */
    public static PodTrait resizedTo(long milliCpu) {
        return requesting(milliCpu, NextRequests.TEMPLATE, app(milliCpu));
    }

    /** {@return a template with these containers, for nodes with {@code disk=ssd}} */
    public static PodTemplate template(Container... containers) {
        return template(List.of(), List.of(), containers);
    }

    /** {@return a template with these containers, for nodes with {@code disk=ssd}} */
    public static PodTemplate template(
            List<Toleration> tolerations, List<HostPort> hostPorts, Container... containers) {
        return new PodTemplate(
                new Scheduling(
                        Labels.of(Map.of("disk", "ssd")),
                        Optional.empty(),
                        List.of(),
                        List.of(),
                        List.of(),
                        tolerations),
                new PodRequirements(Resources.none(), Resources.none(), hostPorts, List.of(), List.of(containers)));
    }

    /** {@return the event that a ReplicaSet of a Deployment, whose UID is its name, makes its pods from a template} */
    public static ClusterEvent replicaSetFrom(String name, PodTemplate template) {
        ClusterEvent.OwnerChanged changed = (ClusterEvent.OwnerChanged) Changes.replicaSetChanged(name, name, 1);
        return new ClusterEvent.OwnerChanged(
                changed.owner().with(PodCreation.atOnce().withTemplate(template)));
    }
}
