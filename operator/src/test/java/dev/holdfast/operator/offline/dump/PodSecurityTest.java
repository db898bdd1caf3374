package dev.holdfast.operator.offline.dump;

import static dev.holdfast.policies.model.PodSecurityLevel.BASELINE;
import static dev.holdfast.policies.model.PodSecurityLevel.PRIVILEGED;
import static dev.holdfast.policies.model.PodSecurityLevel.RESTRICTED;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.holdfast.operator.decode.JsonSecurity;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.PodSecurityLevel;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests which level of the Pod Security Standards a pod satisfies. */
class PodSecurityTest {
    private static final String SAFE =
            "allowPrivilegeEscalation: false, runAsNonRoot: true, capabilities: {drop: [ALL]}, seccompProfile: {type:"
                    + " RuntimeDefault}";

    private static Arguments row(String name, PodSecurityLevel level, String spec) {
        return argumentSet(name, spec, level);
    }

    /** {@return a row of a pod with one container, which has this security context} */
    private static Arguments container(String name, PodSecurityLevel level, String context) {
        return row(name, level, "containers: [{name: main, securityContext: {" + context + "}}]");
    }

    /** {@return a row of a pod with a container that satisfies every level, and with these fields in its spec} */
    private static Arguments pod(String name, PodSecurityLevel level, String fields) {
        return row(name, level, "containers: [{name: main, securityContext: {" + SAFE + "}}]\n  " + fields);
    }

    /** {@return a row of a pod with a container that satisfies every level, and with these fields in the container} */
    private static Arguments with(String name, PodSecurityLevel level, String fields) {
        return row(name, level, "containers: [{name: main, securityContext: {" + SAFE + "}, " + fields + "}]");
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                row("no security context", BASELINE, "containers: [{name: main}]"),
                container("all that restricted requires", RESTRICTED, SAFE),
                container("it may gain privileges", BASELINE, SAFE.replace("allowPrivilegeEscalation: false, ", "")),
                container("it may run as root", BASELINE, SAFE.replace("runAsNonRoot: true, ", "")),
                container("it keeps capabilities", BASELINE, SAFE.replace("[ALL]", "[CHOWN]")),
                container("no seccomp profile", BASELINE, SAFE.replace(", seccompProfile: {type: RuntimeDefault}", "")),
                container("no seccomp", PRIVILEGED, "seccompProfile: {type: Unconfined}"),
                container("user 0", BASELINE, SAFE + ", runAsUser: 0"),
                container("user 1000", RESTRICTED, SAFE + ", runAsUser: 1000"),
                container("privileged", PRIVILEGED, "privileged: true"),
                container("not privileged", RESTRICTED, SAFE + ", privileged: false"),
                container(
                        "the capability to bind low ports",
                        RESTRICTED,
                        SAFE.replace("[ALL]", "[ALL], add: [NET_BIND_SERVICE]")),
                container("a usual capability", BASELINE, SAFE.replace("[ALL]", "[ALL], add: [CHOWN]")),
                container("a dangerous capability", PRIVILEGED, "capabilities: {add: [NET_ADMIN]}"),
                container("the default /proc", RESTRICTED, SAFE + ", procMount: Default"),
                container("the whole /proc", PRIVILEGED, "procMount: Unmasked"),
                container("no AppArmor", PRIVILEGED, "appArmorProfile: {type: Unconfined}"),
                container("the default of AppArmor", RESTRICTED, SAFE + ", appArmorProfile: {type: RuntimeDefault}"),
                container("a type of SELinux", RESTRICTED, SAFE + ", seLinuxOptions: {type: container_t, level: s0}"),
                container("another type of SELinux", PRIVILEGED, "seLinuxOptions: {type: spc_t}"),
                container("a user of SELinux", PRIVILEGED, "seLinuxOptions: {user: system_u}"),
                container("a host process of Windows", PRIVILEGED, "windowsOptions: {hostProcess: true}"),
                pod("the network of the host", PRIVILEGED, "hostNetwork: true"),
                pod("the processes of the host", PRIVILEGED, "hostPID: true"),
                pod("the shared memory of the host", PRIVILEGED, "hostIPC: true"),
                pod("no network of the host", RESTRICTED, "hostNetwork: false"),
                pod("a hostPath", PRIVILEGED, "volumes: [{name: a, hostPath: {path: /}}]"),
                pod(
                        "an emptyDir and a claim",
                        RESTRICTED,
                        "volumes: [{name: a, emptyDir: {}}, {name: b, persistentVolumeClaim: {claimName: c}}]"),
                pod("NFS", BASELINE, "volumes: [{name: a, nfs: {server: s, path: /}}]"),
                pod("an image", BASELINE, "volumes: [{name: a, image: {reference: r}}]"),
                pod(
                        "a safe sysctl",
                        RESTRICTED,
                        "securityContext: {sysctls: [{name: net.ipv4.ip_local_port_range, value: '1 2'}]}"),
                pod(
                        "sysctls that are safe since 1.32",
                        RESTRICTED,
                        "securityContext: {sysctls: [{name: net.ipv4.tcp_rmem, value: '1 2 3'}, {name:"
                                + " net.ipv4.tcp_wmem, value: '1 2 3'}]}"),
                pod(
                        "a sysctl that is safe since 1.37: an older API server may refuse it",
                        PRIVILEGED,
                        "securityContext: {sysctls: [{name: net.ipv4.tcp_notsent_lowat, value: '1'}]}"),
                pod("an unsafe sysctl", PRIVILEGED, "securityContext: {sysctls: [{name: kernel.msgmax, value: '1'}]}"),
                pod("user 0 for the pod", BASELINE, "securityContext: {runAsUser: 0}"),
                pod("no seccomp for the pod", PRIVILEGED, "securityContext: {seccompProfile: {type: Unconfined}}"),
                pod(
                        "a pod that may run as root, although its container may not",
                        BASELINE,
                        "securityContext: {runAsNonRoot: false}"),
                pod(
                        "a port of the host in an init container, which ends before the pod runs",
                        PRIVILEGED,
                        "initContainers: [{name: first, ports: [{containerPort: 80, hostPort: 80}]}]"),
                pod("an init container without a security context", BASELINE, "initContainers: [{name: first}]"),
                row(
                        "the pod says what the container does not",
                        RESTRICTED,
                        "containers: [{name: main, securityContext: {allowPrivilegeEscalation: false, capabilities:"
                                + " {drop: [ALL]}}}]\n"
                                + "  securityContext: {runAsNonRoot: true, seccompProfile: {type: Localhost,"
                                + " localhostProfile: p}}"),
                row(
                        "the container may run as root, and the pod may not",
                        BASELINE,
                        "containers: [{name: main, securityContext: {"
                                + SAFE.replace("runAsNonRoot: true", "runAsNonRoot: false") + "}}]\n"
                                + "  securityContext: {runAsNonRoot: true}"),
                with("a port", RESTRICTED, "ports: [{containerPort: 80}]"),
                with("a port of the host", PRIVILEGED, "ports: [{containerPort: 80, hostPort: 80}]"),
                with("a probe of the pod", RESTRICTED, "livenessProbe: {httpGet: {path: /, port: 80}}"),
                with("a probe of another host", PRIVILEGED, "livenessProbe: {httpGet: {path: /, port: 80, host: a}}"),
                with(
                        "a readiness probe of another host",
                        PRIVILEGED,
                        "readinessProbe: {tcpSocket: {port: 80, host: a}}"),
                with("a startup probe of another host", PRIVILEGED, "startupProbe: {tcpSocket: {port: 80, host: a}}"),
                with("a hook to another host", PRIVILEGED, "lifecycle: {preStop: {httpGet: {port: 80, host: a}}}"),
                with("a hook that sleeps", RESTRICTED, "lifecycle: {preStop: {sleep: {seconds: 1}}}"));
    }

    @ParameterizedTest
    @MethodSource("rows")
    void aPodSatisfiesALevel(String spec, PodSecurityLevel level) throws IOException, DumpException {
        String pod = "apiVersion: v1\n"
                + "kind: Pod\n"
                + "metadata: {namespace: shop, name: web, uid: u1, resourceVersion: \"7\"}\n"
                + "spec:\n"
                + "  "
                + spec + "\n";

        assertThat(decoded(pod).victimProtection().securityLevel()).isEqualTo(level);
        assertThat(JsonSecurity.level(
                        new ObjectMapper(new YAMLFactory()).readTree(pod).path("spec")))
                .isEqualTo(level);
    }

    private static Pod decoded(String pod) throws DumpException {
        DumpFile file = new DumpFile("pod.yaml", () -> new ByteArrayInputStream(pod.getBytes(UTF_8)));
        ClusterEvent event =
                new DumpReader(_ -> {}).read(List.of(file)).objects().getFirst();
        return ((ClusterEvent.PodChanged) event).pod();
    }
}
