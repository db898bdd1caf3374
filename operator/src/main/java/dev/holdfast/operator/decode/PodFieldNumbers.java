package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;

/**
 * Protobuf field numbers of a Pod. Source: {@code core/v1/generated.proto} in k8s.io/api. The field numbers of the
 * metadata are in {@link ObjectFieldNumbers}.
 */
final class PodFieldNumbers {
    private PodFieldNumbers() {}

    /** Field numbers in the spec of a pod. */
    static final class Spec {
        static final int VOLUMES = 1;
        static final int CONTAINERS = 2;
        static final int RESTART_POLICY = 3;
        static final int NODE_SELECTOR = 7;
        static final int NODE_NAME = 10;
        static final int HOST_NETWORK = 11;
        static final int HOST_PID = 12;
        static final int HOST_IPC = 13;
        static final int SECURITY_CONTEXT = 14;
        static final int AFFINITY = 18;
        static final int SCHEDULER_NAME = 19;
        static final int INIT_CONTAINERS = 20;
        static final int TOLERATIONS = 22;
        static final int PRIORITY = 25;
        static final int OVERHEAD = 32;
        static final int TOPOLOGY_SPREAD_CONSTRAINTS = 33;
        static final int SCHEDULING_GATES = 38;
        static final int RESOURCE_CLAIMS = 39;
        static final int RESOURCES = 40;
        static final int SCHEDULING_GROUP = 43;
        static final int EVICTION_RESPONDERS = 44;

        private Spec() {}
    }

    /** Field numbers in the status of a pod. */
    static final class Status {
        static final int PHASE = 1;
        static final int CONDITIONS = 2;
        static final int CONTAINER_STATUSES = 8;
        static final int INIT_CONTAINER_STATUSES = 10;
        static final int ALLOCATED_RESOURCES = 19;
        static final int RESOURCES = 20;

        private Status() {}
    }

    /** Field numbers in a container of the spec. */
    static final class Container {
        static final int NAME = 1;
        static final int PORTS = 6;
        static final int RESOURCES = 8;
        static final int VOLUME_MOUNTS = 9;
        static final int LIVENESS_PROBE = 10;
        static final int READINESS_PROBE = 11;
        static final int LIFECYCLE = 12;
        static final int SECURITY_CONTEXT = 15;
        static final int STARTUP_PROBE = 22;
        static final int RESTART_POLICY = 24;
        /** In a probe: the field numbers of handlers are at most this. */
        static final int HANDLERS_OF_PROBE = 1;
        /** In the life-cycle hooks: the field numbers of handlers are at most this. */
        static final int HANDLERS_OF_LIFECYCLE = 2;

        private Container() {}
    }

    /** Field numbers in a volume mount of a container. */
    static final class VolumeMount {
        static final int NAME = 1;
        static final int READ_ONLY = 2;

        private VolumeMount() {}
    }

    /** Field numbers in a port of a container. */
    static final class ContainerPort {
        static final int HOST_PORT = 2;
        static final int PROTOCOL = 4;
        static final int HOST_IP = 5;

        private ContainerPort() {}
    }

    /** Field numbers in a container status. The name has the same number as in {@link Container}. */
    static final class ContainerStatus {
        static final int NAME = 1;
        static final int ALLOCATED_RESOURCES = 10;
        static final int RESOURCES = 11;

        private ContainerStatus() {}
    }

    /** Field numbers in the resource requirements of a container or a pod. */
    static final class ResourceRequirements {
        static final int LIMITS = 1;
        static final int REQUESTS = 2;

        private ResourceRequirements() {}
    }

    /** Field numbers in the affinity of a pod. */
    static final class Affinity {
        static final int NODE_AFFINITY = 1;
        static final int POD_AFFINITY = 2;
        static final int POD_ANTI_AFFINITY = 3;

        private Affinity() {}
    }

    /**
     * Field number of {@code requiredDuringSchedulingIgnoredDuringExecution} in node affinity, pod affinity and pod
     * anti-affinity.
     */
    static final class AffinityKind {
        static final int REQUIRED = 1;

        private AffinityKind() {}
    }

    /** Field numbers in a term of pod affinity or of pod anti-affinity. */
    static final class AffinityTerm {
        static final int LABEL_SELECTOR = 1;
        static final int NAMESPACES = 2;
        static final int TOPOLOGY_KEY = 3;
        static final int NAMESPACE_SELECTOR = 4;
        static final int MATCH_LABEL_KEYS = 5;
        static final int MISMATCH_LABEL_KEYS = 6;

        private AffinityTerm() {}
    }

    /** Field numbers in a topology spread constraint. */
    static final class SpreadConstraint {
        static final int MAX_SKEW = 1;
        static final int TOPOLOGY_KEY = 2;
        static final int WHEN_UNSATISFIABLE = 3;
        static final int LABEL_SELECTOR = 4;
        static final int MIN_DOMAINS = 5;
        static final int NODE_AFFINITY_POLICY = 6;
        static final int NODE_TAINTS_POLICY = 7;
        static final int MATCH_LABEL_KEYS = 8;

        private SpreadConstraint() {}
    }

    /** Field numbers in a toleration. */
    static final class TolerationParts {
        static final int KEY = 1;
        static final int OPERATOR = 2;
        static final int VALUE = 3;
        static final int EFFECT = 4;

        private TolerationParts() {}
    }

    /** Field numbers in a volume. */
    static final class Volume {
        static final int NAME = 1;
        static final int SOURCE = 2;

        private Volume() {}
    }

    /** Field numbers in the source of a volume. */
    static final class VolumeSource {
        static final int HOST_PATH = 1;
        static final int EMPTY_DIR = 2;
        static final int PERSISTENT_VOLUME_CLAIM = 10;
        static final int CSI = 28;
        static final int EPHEMERAL = 29;

        private VolumeSource() {}
    }

    /** Field numbers in the source of an inline CSI volume. */
    static final class CsiVolume {
        static final int READ_ONLY = 2;

        private CsiVolume() {}
    }

    /** Field numbers in the source of an emptyDir volume. */
    static final class EmptyDir {
        static final int MEDIUM = 1;

        private EmptyDir() {}
    }

    /** Field numbers in the source of a volume with a PersistentVolumeClaim. */
    static final class ClaimSource {
        static final int CLAIM_NAME = 1;

        private ClaimSource() {}
    }
}
