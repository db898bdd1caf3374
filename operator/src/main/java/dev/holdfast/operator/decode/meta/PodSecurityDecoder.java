package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.fields.Fields;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.policies.model.PodSecurityLevel;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Decoder of the strictest level of the Pod Security Standards that the spec of a pod satisfies, by their latest
 * version. An unknown field or value counts as a violation, which may hold a pod but never evicts one. Reused for all
 * pods, one after the other.
 *
 * @see <a href="https://github.com/kubernetes/pod-security-admission/tree/master/policy">the checks of Kubernetes</a>
 */
public final class PodSecurityDecoder {
    /** The field numbers of the volume sources that the level restricted allows, as bits. */
    private static final int RESTRICTED_VOLUMES = IntStream.of(
                    Fields.VolumeSource.EMPTY_DIR,
                    Fields.VolumeSource.SECRET,
                    Fields.VolumeSource.PERSISTENT_VOLUME_CLAIM,
                    Fields.VolumeSource.DOWNWARD_API,
                    Fields.VolumeSource.CONFIG_MAP,
                    Fields.VolumeSource.PROJECTED,
                    Fields.VolumeSource.CSI,
                    Fields.VolumeSource.EPHEMERAL)
            .map(it -> 1 << it)
            .reduce(0, (one, other) -> one | other);

    private static final byte[] ALL = ascii("ALL");
    private static final byte[] NET_BIND_SERVICE = ascii("NET_BIND_SERVICE");
    private static final byte[] DEFAULT = ascii("Default");
    private static final byte[] UNCONFINED = ascii("Unconfined");
    private static final Set<String> CAPABILITIES = Set.of(
            "AUDIT_WRITE",
            "CHOWN",
            "DAC_OVERRIDE",
            "FOWNER",
            "FSETID",
            "KILL",
            "MKNOD",
            "NET_BIND_SERVICE",
            "SETFCAP",
            "SETGID",
            "SETPCAP",
            "SETUID",
            "SYS_CHROOT");
    private static final Set<String> SE_LINUX_TYPES =
            Set.of("", "container_t", "container_init_t", "container_kvm_t", "container_engine_t");
    /** The sysctls that are safe in all versions of Kubernetes that Holdfast runs with: 1.33 and newer. */
    private static final Set<String> SYSCTLS = Stream.concat(
                    Stream.of("kernel.shm_rmid_forced"),
                    Stream.of(
                                    "ip_local_port_range",
                                    "ip_unprivileged_port_start",
                                    "tcp_syncookies",
                                    "ping_group_range",
                                    "ip_local_reserved_ports",
                                    "tcp_keepalive_time",
                                    "tcp_fin_timeout",
                                    "tcp_keepalive_intvl",
                                    "tcp_keepalive_probes",
                                    "tcp_rmem",
                                    "tcp_wmem")
                            .map("net.ipv4."::concat))
            .collect(Collectors.toUnmodifiableSet());

    /** A value that a container may leave to its pod. */
    private enum Setting {
        UNSET,
        GOOD,
        BAD
    }

    private final ProtoReader reader;

    private boolean privileged;
    private boolean unrestricted;
    private Setting podNonRoot = Setting.UNSET;
    private Setting podSeccomp = Setting.UNSET;

    /** Whether a container does not set the value, so that the value of the pod counts. */
    private boolean anyNonRootUnset;

    private boolean anySeccompUnset;

    /** What has been read of the present security context. */
    private Setting nonRoot = Setting.UNSET;

    private Setting seccomp = Setting.UNSET;
    private boolean mayEscalate = true;
    private boolean dropsAll;

    public PodSecurityDecoder(ProtoReader reader) {
        this.reader = reader;
    }

    private static byte[] ascii(String word) {
        return word.getBytes(StandardCharsets.US_ASCII);
    }

    public void clear() {
        privileged = false;
        unrestricted = false;
        podNonRoot = Setting.UNSET;
        podSeccomp = Setting.UNSET;
        anyNonRootUnset = false;
        anySeccompUnset = false;
    }

    /**
     * {@return the strictest level that the pod satisfies}
     *
     * @param volumeSources the field numbers of the sources of its volumes, as bits
     */
    public PodSecurityLevel level(int volumeSources) {
        if (privileged || (volumeSources & (1 << Fields.VolumeSource.HOST_PATH)) != 0) {
            return PodSecurityLevel.PRIVILEGED;
        }
        boolean restricted = !unrestricted
                && (volumeSources & ~RESTRICTED_VOLUMES) == 0
                && podNonRoot != Setting.BAD
                && (!anyNonRootUnset || podNonRoot == Setting.GOOD)
                && (!anySeccompUnset || podSeccomp == Setting.GOOD);
        return restricted ? PodSecurityLevel.RESTRICTED : PodSecurityLevel.BASELINE;
    }

    /**
     * Reads the reader's current field as {@code hostNetwork}, {@code hostPID} or {@code hostIPC}, and returns its
     * value.
     */
    public boolean hostNamespace() throws MalformedException {
        boolean shared = reader.bool();
        privileged |= shared;
        return shared;
    }

    /** Reads the reader's current field as the security context of the pod. */
    public void ofPod() throws MalformedException {
        begin();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.PodSecurityContext.SE_LINUX_OPTIONS -> seLinux();
                case Fields.PodSecurityContext.RUN_AS_USER -> unrestricted |= reader.int64() == 0;
                case Fields.PodSecurityContext.RUN_AS_NON_ROOT -> nonRoot = reader.bool() ? Setting.GOOD : Setting.BAD;
                case Fields.PodSecurityContext.SYSCTLS -> sysctl();
                case Fields.PodSecurityContext.WINDOWS_OPTIONS -> windows();
                case Fields.PodSecurityContext.SECCOMP_PROFILE -> seccomp();
                case Fields.PodSecurityContext.APP_ARMOR_PROFILE -> privileged |= isUnconfined();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
        podNonRoot = nonRoot;
        podSeccomp = seccomp;
    }

    /** Reads the reader's current field as a port of a container. */
    public void port() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.ContainerPort.HOST_PORT) {
                privileged |= reader.int32() != 0;
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    /** Must be called before the fields of each container. */
    public void beginContainer() {
        begin();
    }

    private void begin() {
        nonRoot = Setting.UNSET;
        seccomp = Setting.UNSET;
        mayEscalate = true;
        dropsAll = false;
    }

    /** Must be called after the fields of each container. */
    public void endContainer() {
        unrestricted |= mayEscalate || !dropsAll || nonRoot == Setting.BAD;
        anyNonRootUnset |= nonRoot == Setting.UNSET;
        anySeccompUnset |= seccomp == Setting.UNSET;
    }

    /** Reads the reader's current field as the security context of a container. */
    public void ofContainer() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.SecurityContext.CAPABILITIES -> capabilities();
                case Fields.SecurityContext.PRIVILEGED -> privileged |= reader.bool();
                case Fields.SecurityContext.SE_LINUX_OPTIONS -> seLinux();
                case Fields.SecurityContext.RUN_AS_USER -> unrestricted |= reader.int64() == 0;
                case Fields.SecurityContext.RUN_AS_NON_ROOT -> nonRoot = reader.bool() ? Setting.GOOD : Setting.BAD;
                case Fields.SecurityContext.ALLOW_PRIVILEGE_ESCALATION -> mayEscalate = reader.bool();
                case Fields.SecurityContext.PROC_MOUNT -> privileged |= !reader.is(DEFAULT);
                case Fields.SecurityContext.WINDOWS_OPTIONS -> windows();
                case Fields.SecurityContext.SECCOMP_PROFILE -> seccomp();
                case Fields.SecurityContext.APP_ARMOR_PROFILE -> privileged |= isUnconfined();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    /**
     * Reads the reader's current field as a probe of a container, or as its life-cycle hooks. Both have handlers, whose
     * fields have the same numbers.
     *
     * @param most the largest field number of a handler in the message
     */
    public void handlers(int most) throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() <= most) {
                handler();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void handler() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.ProbeHandler.HTTP_GET -> host(Fields.HTTPGetAction.HOST);
                case Fields.ProbeHandler.TCP_SOCKET -> host(Fields.TCPSocketAction.HOST);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void host(int field) throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == field) {
                int from = reader.value();
                privileged |= reader.position() > from;
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void capabilities() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.Capabilities.ADD -> {
                    int from = reader.value();
                    if (!reader.is(from, NET_BIND_SERVICE)) {
                        unrestricted = true;
                        privileged |= !CAPABILITIES.contains(text(from));
                    }
                }
                case Fields.Capabilities.DROP -> dropsAll |= reader.is(ALL);
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private String text(int from) {
        return new String(reader.bytes(), from, reader.position() - from, StandardCharsets.UTF_8);
    }

    private void seLinux() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case Fields.SELinuxOptions.USER, Fields.SELinuxOptions.ROLE -> {
                    int from = reader.value();
                    privileged |= reader.position() > from;
                }
                case Fields.SELinuxOptions.TYPE -> privileged |= !SE_LINUX_TYPES.contains(reader.string());
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void sysctl() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.Sysctl.NAME) {
                privileged |= !SYSCTLS.contains(reader.string());
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void windows() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.WindowsSecurityContextOptions.HOST_PROCESS) {
                privileged |= reader.bool();
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void seccomp() throws MalformedException {
        boolean unconfined = isUnconfined();
        privileged |= unconfined;
        seccomp = unconfined ? Setting.BAD : Setting.GOOD;
    }

    /**
     * {@return whether the profile at the reader's current field is of the type Unconfined} The type has the same field
     * number in a seccomp profile and in an AppArmor profile.
     */
    private boolean isUnconfined() throws MalformedException {
        boolean unconfined = false;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Fields.SeccompProfile.TYPE) {
                unconfined = reader.is(UNCONFINED);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return unconfined;
    }
}
