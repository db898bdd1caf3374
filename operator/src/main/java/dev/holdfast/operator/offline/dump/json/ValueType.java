package dev.holdfast.operator.offline.dump.json;

/** The type of a value of an API object, and so how JSON and protobuf write it. */
sealed interface ValueType {
    /** A value that is no message of its own in JSON. */
    enum Scalar implements ValueType {
        STRING,
        BOOL,
        INT,
        /** RFC 3339 text in JSON, a message of seconds in protobuf. */
        TIME,
        /** Text or a number in JSON, a message with the text in protobuf. */
        QUANTITY,
        /** Text or a number in JSON, a message that says which in protobuf. */
        INT_OR_STRING,
        /** A value that no decoder reads. */
        SKIPPED
    }

    /** A message of the API. */
    record Message(MessageType type) implements ValueType {}
}
