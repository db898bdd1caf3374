package dev.holdfast.crds.v1alpha1.core;

/**
 * Label syntax for the schema.
 *
 * <p>CEL checks keys, because its message can say what is allowed. A pattern checks values: as CEL they would exceed
 * the
 * cost limit of a CRD, because a rule's node affinity alone can have 100,000 of them.
 */
final class LabelSyntax {
    /** Longest label key: a DNS name of 253, the slash and a name of 63. */
    static final int MAX_KEY = 317;

    static final int MAX_VALUE = 63;

    static final String VALUE = "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$";

    static final String KEY = "!format.qualifiedName().validate(self).hasValue()";
    static final String KEY_MESSAGE = "must be a label key: at most 63 letters, digits, '-', '_' or '.', beginning and"
        + " ending with a letter or digit, optionally after a DNS name and '/', such as 'app' or 'example.com/tier'";

    static final String KEYS = "self.all(k, !format.qualifiedName().validate(k).hasValue())";
    static final String KEYS_MESSAGE =
            "each key must be a label key: at most 63 letters, digits, '-', '_' or '.', beginning"
                    + " and ending with a letter or digit, optionally after a DNS name and '/', such as 'app' or"
                    + " 'example.com/tier'";

    private LabelSyntax() {}
}
