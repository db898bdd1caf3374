package dev.holdfast.operator.decode;

import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.policies.model.PodSecurityLevel;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** The strictest level of the Pod Security Standards that a pod satisfies, read from JSON. */
public final class JsonSecurity {
    private static final Set<String> VOLUMES = Set.of(
            "name",
            "configMap",
            "csi",
            "downwardAPI",
            "emptyDir",
            "ephemeral",
            "persistentVolumeClaim",
            "projected",
            "secret");
    private static final Set<String> CAPABILITIES = Set.of(
            "AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT"
                    .split(" "));
    private static final Set<String> TYPES =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");

    private JsonSecurity() {}

    public static PodSecurityLevel level(JsonNode spec) {
        if (!isBaseline(spec)) {
            return PodSecurityLevel.PRIVILEGED;
        }
        return isRestricted(spec) ? PodSecurityLevel.RESTRICTED : PodSecurityLevel.BASELINE;
    }

    private static Stream<JsonNode> each(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static Stream<JsonNode> containers(JsonNode spec) {
        return Stream.concat(each(spec.path("containers")), each(spec.path("initContainers")));
    }

    private static boolean isBaseline(JsonNode spec) {
        return !spec.path("hostNetwork").asBoolean()
                && !spec.path("hostPID").asBoolean()
                && !spec.path("hostIPC").asBoolean()
                && each(spec.path("volumes")).noneMatch(it -> it.has("hostPath"))
                && each(spec.path("securityContext").path("sysctls"))
                        .allMatch(it -> it.path("name").asText().equals("kernel.shm_rmid_forced")
                                || it.path("name").asText().startsWith("net.ipv4.ip_")
                                || it.path("name").asText().startsWith("net.ipv4.tcp_keep")
                                || it.path("name").asText().endsWith("mem"))
                && isBaselineContext(spec.path("securityContext"))
                && containers(spec).allMatch(JsonSecurity::isBaselineContainer);
    }

    private static boolean isBaselineContainer(JsonNode container) {
        JsonNode context = container.path("securityContext");
        return isBaselineContext(context)
                && !context.path("privileged").asBoolean()
                && each(context.path("capabilities").path("add")).allMatch(it -> CAPABILITIES.contains(it.asText()))
                && context.path("procMount").asText("Default").equals("Default")
                && each(container.path("ports"))
                        .noneMatch(it -> it.path("hostPort").asInt() > 0)
                && Stream.of("livenessProbe", "readinessProbe", "startupProbe")
                        .map(container::path)
                        .noneMatch(JsonSecurity::namesHost)
                && !namesHost(container.path("lifecycle").path("preStop"))
                && !namesHost(container.path("lifecycle").path("postStart"));
    }

    private static boolean namesHost(JsonNode handler) {
        return !handler.path("httpGet").path("host").asText().isEmpty()
                || !handler.path("tcpSocket").path("host").asText().isEmpty();
    }

    private static boolean isBaselineContext(JsonNode context) {
        JsonNode seLinux = context.path("seLinuxOptions");
        return !context.path("windowsOptions").path("hostProcess").asBoolean()
                && TYPES.contains(seLinux.path("type").asText())
                && seLinux.path("user").asText().isEmpty()
                && seLinux.path("role").asText().isEmpty()
                && !context.path("seccompProfile").path("type").asText().equals("Unconfined")
                && !context.path("appArmorProfile").path("type").asText().equals("Unconfined");
    }

    private static boolean isRestricted(JsonNode spec) {
        JsonNode ofPod = spec.path("securityContext");
        Predicate<JsonNode> runsAsRoot =
                it -> it.has("runAsUser") && it.path("runAsUser").asLong() == 0;
        return each(spec.path("volumes"))
                        .allMatch(it -> it.properties().stream().allMatch(field -> VOLUMES.contains(field.getKey())))
                && !runsAsRoot.test(ofPod)
                && ofPod.path("runAsNonRoot").asBoolean(true)
                && containers(spec)
                        .map(it -> it.path("securityContext"))
                        .allMatch(it -> !runsAsRoot.test(it)
                                && !it.path("allowPrivilegeEscalation").asBoolean(true)
                                && each(it.path("capabilities").path("drop"))
                                        .anyMatch(name -> name.asText().equals("ALL"))
                                && each(it.path("capabilities").path("add"))
                                        .allMatch(name -> name.asText().equals("NET_BIND_SERVICE"))
                                && it.path("runAsNonRoot")
                                        .asBoolean(ofPod.path("runAsNonRoot").asBoolean())
                                && (it.has("seccompProfile") || ofPod.has("seccompProfile")));
    }
}
