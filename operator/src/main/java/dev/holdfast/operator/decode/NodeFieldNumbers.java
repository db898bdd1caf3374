package dev.holdfast.operator.decode;

import dev.holdfast.operator.decode.meta.ObjectFieldNumbers;

/**
 * Protobuf field numbers of a Node. Source: {@code core/v1/generated.proto} in k8s.io/api. The field numbers of the
 * metadata are in {@link ObjectFieldNumbers}.
 */
final class NodeFieldNumbers {
    private NodeFieldNumbers() {}

    /** Field numbers in the spec of a node. */
    static final class Spec {
        static final int UNSCHEDULABLE = 4;
        static final int TAINTS = 5;

        private Spec() {}
    }

    /** Field numbers in the status of a node. */
    static final class Status {
        static final int ALLOCATABLE = 2;
        static final int CONDITIONS = 4;

        private Status() {}
    }

    /** Field numbers in a taint. */
    static final class TaintParts {
        static final int KEY = 1;
        static final int VALUE = 2;
        static final int EFFECT = 3;

        private TaintParts() {}
    }
}
