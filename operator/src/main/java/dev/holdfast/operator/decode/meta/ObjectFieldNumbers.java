package dev.holdfast.operator.decode.meta;

/**
 * Protobuf field numbers that several kinds share: metadata, selectors, conditions, quantities. Source: {@code
 * meta/v1/generated.proto} in k8s.io/apimachinery and {@code core/v1/generated.proto} in k8s.io/api.
 */
public final class ObjectFieldNumbers {
    public static final int METADATA = 1;
    public static final int SPEC = 2;
    public static final int STATUS = 3;

    private ObjectFieldNumbers() {}

    /** Field numbers in the metadata of an object. */
    public static final class ObjectMeta {
        static final int NAME = 1;
        static final int NAMESPACE = 3;
        static final int UID = 5;
        static final int RESOURCE_VERSION = 6;
        static final int GENERATION = 7;
        static final int CREATION_TIMESTAMP = 8;
        static final int DELETION_TIMESTAMP = 9;
        static final int LABELS = 11;
        public static final int ANNOTATIONS = 12;
        static final int OWNER_REFERENCES = 13;

        private ObjectMeta() {}
    }

    /** Field numbers in an owner reference. */
    static final class OwnerReference {
        static final int KIND = 1;
        static final int NAME = 3;
        static final int UID = 4;
        static final int API_VERSION = 5;
        static final int CONTROLLER = 6;

        private OwnerReference() {}
    }

    /** Field numbers in an entry of a map: a label, an annotation or a resource amount. */
    public static final class MapEntry {
        public static final int KEY = 1;
        public static final int VALUE = 2;

        private MapEntry() {}
    }

    /** Field number in a time. The nanoseconds are ignored. */
    static final class Timestamp {
        static final int SECONDS = 1;

        private Timestamp() {}
    }

    /** Field number in a quantity, which is sent as text. */
    static final class QuantityText {
        static final int STRING = 1;

        private QuantityText() {}
    }

    /** Field numbers in a label selector. */
    static final class LabelSelectorParts {
        static final int MATCH_LABELS = 1;
        static final int MATCH_EXPRESSIONS = 2;

        private LabelSelectorParts() {}
    }

    /** Field numbers in a requirement of a label selector or of a node selector. */
    static final class Expression {
        static final int KEY = 1;
        static final int OPERATOR = 2;
        static final int VALUES = 3;

        private Expression() {}
    }

    /** Field number in a node selector. */
    static final class NodeSelectorParts {
        static final int NODE_SELECTOR_TERMS = 1;

        private NodeSelectorParts() {}
    }

    /** Field numbers in a term of a node selector. */
    static final class NodeSelectorTermParts {
        static final int MATCH_EXPRESSIONS = 1;
        static final int MATCH_FIELDS = 2;

        private NodeSelectorTermParts() {}
    }

    /** Field numbers in a condition of a pod or of a node. */
    static final class Condition {
        static final int TYPE = 1;
        static final int STATUS = 2;
        static final int LAST_TRANSITION_TIME = 4;
        static final int REASON = 5;

        private Condition() {}
    }
}
