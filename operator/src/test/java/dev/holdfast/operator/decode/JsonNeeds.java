package dev.holdfast.operator.decode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.decode.meta.ResourceAmounts;
import dev.holdfast.policies.model.HostPort;
import dev.holdfast.policies.model.PodRequirements;
import dev.holdfast.policies.model.Resources;
import io.fabric8.kubernetes.api.model.Quantity;
import java.util.ArrayList;
import java.util.List;

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
        return new PodRequirements(sum.requests(), sum.reserved(), hostPorts(spec), claims(pod));
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

    /** {@return whether the pod has an emptyDir on its node's disk or a generic ephemeral volume} */
    public static boolean localStorage(JsonNode pod) {
        boolean local = false;
        for (JsonNode volume : pod.path("spec").path("volumes")) {
            String medium = volume.path("emptyDir").path("medium").asText();
            local |= volume.has("ephemeral")
                    || (volume.has("emptyDir") && !medium.equals("Memory") && !medium.startsWith("HugePages"));
        }
        return local;
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
