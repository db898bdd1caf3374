package dev.holdfast.operator.decode.meta;

import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.ProtoReader;
import dev.holdfast.policies.model.PodSecurityLevel;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Decoder of the strictest level of the Pod Security Standards that the spec of a pod satisfies, by their latest
 * version. What it does not know counts as a violation: that may hold a pod, and never evicts one. It is reused for all
 * pods, one after the other.
 *
 * @see <a href="https://github.com/kubernetes/pod-security-admission/tree/master/policy">the checks of Kubernetes</a>
 */
public final class PodSecurityDecoder {
    /** Field numbers in the security context of a pod. */
    private static final class OfPod {
        static final int SE_LINUX_OPTIONS = 1;
        static final int RUN_AS_USER = 2;
        static final int RUN_AS_NON_ROOT = 3;
        static final int SYSCTLS = 7;
        static final int WINDOWS_OPTIONS = 8;
        static final int SECCOMP_PROFILE = 10;
        static final int APP_ARMOR_PROFILE = 11;

        private OfPod() {}
    }

    /** Field numbers in the security context of a container. */
    private static final class OfContainer {
        static final int CAPABILITIES = 1;
        static final int PRIVILEGED = 2;
        static final int SE_LINUX_OPTIONS = 3;
        static final int RUN_AS_USER = 4;
        static final int RUN_AS_NON_ROOT = 5;
        static final int ALLOW_PRIVILEGE_ESCALATION = 7;
        static final int PROC_MOUNT = 9;
        static final int WINDOWS_OPTIONS = 10;
        static final int SECCOMP_PROFILE = 11;
        static final int APP_ARMOR_PROFILE = 12;

        private OfContainer() {}
    }

    /** Field numbers in the parts of both. */
    private static final class Part {
        static final int ADDED = 1;
        static final int DROPPED = 2;
        static final int SE_LINUX_USER = 1;
        static final int SE_LINUX_ROLE = 2;
        static final int SE_LINUX_TYPE = 3;
        static final int SYSCTL_NAME = 1;
        static final int HOST_PROCESS = 4;
        static final int PROFILE_TYPE = 1;
        static final int HOST_PORT = 2;

        private Part() {}
    }

    /** Field numbers of handlers in probes and in life-cycle hooks. */
    private static final class Handler {
        static final int HTTP_GET = 2;
        static final int TCP_SOCKET = 3;
        static final int HTTP_HOST = 3;
        static final int TCP_HOST = 2;

        private Handler() {}
    }

    private static final int HOST_PATH = 1;

    /** The field numbers of the volume sources that the level restricted allows, as bits. */
    private static final int RESTRICTED_VOLUMES =
            Stream.of(2, 6, 10, 16, 19, 26, 28, 29).mapToInt(it -> 1 << it).reduce(0, (one, other) -> one | other);

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

    /** Whether a container leaves the value to the pod. */
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
        if (privileged || (volumeSources & (1 << HOST_PATH)) != 0) {
            return PodSecurityLevel.PRIVILEGED;
        }
        boolean restricted = !unrestricted
                && (volumeSources & ~RESTRICTED_VOLUMES) == 0
                && podNonRoot != Setting.BAD
                && (!anyNonRootUnset || podNonRoot == Setting.GOOD)
                && (!anySeccompUnset || podSeccomp == Setting.GOOD);
        return restricted ? PodSecurityLevel.RESTRICTED : PodSecurityLevel.BASELINE;
    }

    /** Reads the reader's current field as {@code hostNetwork}, {@code hostPID} or {@code hostIPC}. */
    public void hostNamespace() throws MalformedException {
        privileged |= reader.bool();
    }

    /** Reads the reader's current field as the security context of the pod. */
    public void ofPod() throws MalformedException {
        begin();
        int outer = reader.enter();
        while (reader.next()) {
            switch (reader.field()) {
                case OfPod.SE_LINUX_OPTIONS -> seLinux();
                case OfPod.RUN_AS_USER -> unrestricted |= reader.int64() == 0;
                case OfPod.RUN_AS_NON_ROOT -> nonRoot = reader.bool() ? Setting.GOOD : Setting.BAD;
                case OfPod.SYSCTLS -> sysctl();
                case OfPod.WINDOWS_OPTIONS -> windows();
                case OfPod.SECCOMP_PROFILE -> seccomp();
                case OfPod.APP_ARMOR_PROFILE -> privileged |= isUnconfined();
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
            if (reader.field() == Part.HOST_PORT) {
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
                case OfContainer.CAPABILITIES -> capabilities();
                case OfContainer.PRIVILEGED -> privileged |= reader.bool();
                case OfContainer.SE_LINUX_OPTIONS -> seLinux();
                case OfContainer.RUN_AS_USER -> unrestricted |= reader.int64() == 0;
                case OfContainer.RUN_AS_NON_ROOT -> nonRoot = reader.bool() ? Setting.GOOD : Setting.BAD;
                case OfContainer.ALLOW_PRIVILEGE_ESCALATION -> mayEscalate = reader.bool();
                case OfContainer.PROC_MOUNT -> privileged |= !reader.is(DEFAULT);
                case OfContainer.WINDOWS_OPTIONS -> windows();
                case OfContainer.SECCOMP_PROFILE -> seccomp();
                case OfContainer.APP_ARMOR_PROFILE -> privileged |= isUnconfined();
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    /** Reads the reader's current field as a probe of a container, or as its life-cycle hooks. Both have handlers. */
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
                case Handler.HTTP_GET -> host(Handler.HTTP_HOST);
                case Handler.TCP_SOCKET -> host(Handler.TCP_HOST);
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
                case Part.ADDED -> {
                    int from = reader.value();
                    if (!reader.is(from, NET_BIND_SERVICE)) {
                        unrestricted = true;
                        privileged |= !CAPABILITIES.contains(text(from));
                    }
                }
                case Part.DROPPED -> dropsAll |= reader.is(ALL);
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
                case Part.SE_LINUX_USER, Part.SE_LINUX_ROLE -> {
                    int from = reader.value();
                    privileged |= reader.position() > from;
                }
                case Part.SE_LINUX_TYPE -> privileged |= !SE_LINUX_TYPES.contains(reader.string());
                default -> reader.skip();
            }
        }
        reader.leave(outer);
    }

    private void sysctl() throws MalformedException {
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Part.SYSCTL_NAME) {
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
            if (reader.field() == Part.HOST_PROCESS) {
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

    /** {@return whether the profile at the reader's current field is of the type Unconfined} */
    private boolean isUnconfined() throws MalformedException {
        boolean unconfined = false;
        int outer = reader.enter();
        while (reader.next()) {
            if (reader.field() == Part.PROFILE_TYPE) {
                unconfined = reader.is(UNCONFINED);
            } else {
                reader.skip();
            }
        }
        reader.leave(outer);
        return unconfined;
    }
}
