package dev.holdfast.operator.decode.requirements;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.decode.meta.AutoscalerUpdates;
import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.PodRequirements.Container;
import dev.holdfast.policies.model.PodRequirements.NextRequests;
import dev.holdfast.policies.model.PodRequirements.Role;
import dev.holdfast.policies.model.Resources;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Reference reader of pod requirements and node resources, from JSON with fabric8's parser of quantities. */
public final class JsonNeeds {
    private JsonNeeds() {}

    /** {@return the requirements of a pod} */
    public static PodRequirements of(JsonNode pod) {
        PodRequestSum sum = new PodRequestSum();
        JsonNode spec = pod.path("spec");
        JsonNode status = pod.path("status");
        spec.path("containers")
                .forEach(it -> sum.container(name(it), PodRequestSum.Part.PROPER, requests(it.path("resources"))));
        spec.path("initContainers")
                .forEach(it -> sum.container(
                        name(it),
                        sidecar(it) ? PodRequestSum.Part.STAYS : PodRequestSum.Part.FIRST,
                        requests(it.path("resources"))));
        status.path("containerStatuses").forEach(it -> status(sum, it));
        status.path("initContainerStatuses").forEach(it -> status(sum, it));
        sum.desired.replace(requests(spec.path("resources")));
        sum.overhead.replace(amounts(spec.path("overhead")));
        sum.givenInAll.replace(amounts(status.path("allocatedResources")));
        sum.actualPodLevel.replace(requests(status.path("resources")));
        sum.hasPodLevelStatus = status.has("resources");
        status.path("conditions")
                .forEach(it -> sum.infeasible |= it.path("type").asText().equals("PodResizePending")
                        && it.path("reason").asText().equals("Infeasible"));
        List<Container> containers = new ArrayList<>();
        spec.path("containers").forEach(it -> containers.add(container(it, Role.APP)));
        spec.path("initContainers")
                .forEach(it -> containers.add(container(it, sidecar(it) ? Role.SIDECAR : Role.INIT)));
        if (!spec.path("resources").isEmpty()) {
            containers.add(container(spec, Role.POD));
        }
        PodRequirements read = new PodRequirements(
                sum.requests(),
                sum.reserved(),
                hostPorts(spec),
                claims(pod),
                containers,
                next(pod.path("metadata")),
                hasDefaults(pod.path("metadata")));
        return read.nextRequests() == NextRequests.AUTOSCALER
                        && pod.at("/metadata/generation").asLong() > 1
                ? autoscaled(read, pod.at("/metadata/annotations"))
                : read;
    }

    private static PodRequirements autoscaled(PodRequirements read, JsonNode annotations) {
        Map<String, String> notes = new HashMap<>();
        annotations
                .properties()
                .forEach(it -> notes.put(it.getKey(), it.getValue().asText()));
        List<String> names = read.containers().stream().map(Container::name).toList();
        return AutoscalerUpdates.of(notes, names)
                .map(set -> read.with(NextRequests.PARTLY_AUTOSCALER)
                        .with(read.containers().stream()
                                .map(it -> it.role() == Role.APP
                                        ? new Container(
                                                it.name(),
                                                it.role(),
                                                it.requests(),
                                                it.limits(),
                                                set.getOrDefault(it.name(), Set.of()))
                                        : it)
                                .toList()))
                .orElse(read);
    }

    private static boolean hasDefaults(JsonNode metadata) {
        JsonNode annotations = metadata.path("annotations");
        return annotations.has("kubernetes.io/limit-ranger")
                && annotations.properties().stream().noneMatch(it -> it.getKey().startsWith("vpa"))
                && metadata.path("ownerReferences")
                        .valueStream()
                        .anyMatch(owner -> owner.path("controller").asBoolean());
    }

    /** {@return the requirements in a pod template with this spec, which has no ephemeral volumes} */
    public static PodRequirements ofTemplate(JsonNode template) {
        return of(template).with(NextRequests.SAME);
    }

    private static NextRequests next(JsonNode metadata) {
        Optional<String> controller = Optional.empty();
        for (JsonNode owner : metadata.path("ownerReferences")) {
            if (owner.path("controller").asBoolean()) {
                controller = Optional.of(owner.path("kind").asText());
            }
        }
        long generation = metadata.path("generation").asLong();
        boolean ofReplicaSet = controller.equals(Optional.of("ReplicaSet"));
        if (controller.isEmpty() || (generation == 1 && !ofReplicaSet)) {
            return NextRequests.SAME;
        }
        boolean autoscaled = metadata.path("annotations").properties().stream()
                .anyMatch(it -> it.getKey().startsWith("vpa"));
        if (generation == 1) {
            return NextRequests.LARGER;
        }
        if (autoscaled) {
            return NextRequests.AUTOSCALER;
        }
        return generation == 0 ? NextRequests.TEMPLATE_IF_KNOWN : NextRequests.TEMPLATE;
    }

    private static Container container(JsonNode container, Role role) {
        JsonNode resources = container.path("resources");
        return new Container(
                name(container),
                role,
                requests(resources).thousandths(),
                amounts(resources.path("limits")).thousandths());
    }

    private static void status(PodRequestSum sum, JsonNode container) {
        sum.status(
                name(container), amounts(container.path("allocatedResources")), requests(container.path("resources")));
    }

    private static List<HostPort> hostPorts(JsonNode spec) {
        List<HostPort> ports = new ArrayList<>();
        spec.path("initContainers").forEach(it -> {
            if (sidecar(it)) {
                hostPorts(it, ports);
            }
        });
        spec.path("containers").forEach(it -> hostPorts(it, ports));
        return ports;
    }

    private static void hostPorts(JsonNode container, List<HostPort> ports) {
        container.path("ports").forEach(it -> {
            if (it.path("hostPort").asInt() > 0) {
                ports.add(new HostPort(
                        it.path("hostIP").asText("0.0.0.0"),
                        it.path("hostPort").asInt(),
                        it.path("protocol").asText("TCP")));
            }
        });
    }

    private static List<String> claims(JsonNode pod) {
        List<String> claims = new ArrayList<>();
        pod.path("spec").path("volumes").forEach(it -> {
            if (it.has("persistentVolumeClaim")) {
                claims.add(it.path("persistentVolumeClaim").path("claimName").asText());
            } else if (it.has("ephemeral")) {
                claims.add(name(pod.path("metadata")) + "-" + name(it));
            }
        });
        return claims;
    }

    /**
     * {@return whether the pod has an emptyDir on its node's disk, an ephemeral volume or a hostPath that it writes}
     */
    public static boolean localStorage(JsonNode pod) {
        boolean local = false;
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            String medium = volume.path("emptyDir").path("medium").asText();
            local |= volume.has("ephemeral")
                    || (volume.has("emptyDir") && !medium.equals("Memory") && !medium.startsWith("HugePages"))
                    || ((volume.has("hostPath")
                                    || (volume.has("csi")
                                            && !volume.at("/csi/readOnly").asBoolean()))
                            && isWritten(name(volume), pod.path("spec")));
        }
        return local;
    }

    private static boolean isWritten(String volume, JsonNode spec) {
        boolean written = false;
        for (String field : List.of("initContainers", "containers")) {
            for (JsonNode container : spec.path(field)) {
                for (JsonNode mount : container.path("volumeMounts")) {
                    written |= name(mount).equals(volume)
                            && !mount.path("readOnly").asBoolean();
                }
            }
        }
        return written;
    }

    /** {@return the allocatable resources of a node} */
    public static Resources allocatable(JsonNode node) {
        return amounts(node.path("status").path("allocatable")).resources();
    }

    private static boolean sidecar(JsonNode container) {
        return container.path("restartPolicy").asText().equals("Always");
    }

    private static String name(JsonNode object) {
        return object.path("name").asText();
    }

    private static ResourceAmounts requests(JsonNode resources) {
        return amounts(resources.path("requests"));
    }

    private static ResourceAmounts amounts(JsonNode map) {
        ResourceAmounts resourceAmounts = new ResourceAmounts();
        map.properties()
                .forEach(it -> resourceAmounts.put(
                        it.getKey(), Quantity.parse(it.getValue().asText()).getNumericalAmount()));
        return resourceAmounts;
    }
}
