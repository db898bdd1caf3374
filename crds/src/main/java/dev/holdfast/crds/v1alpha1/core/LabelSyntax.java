package dev.holdfast.crds.v1alpha1.core;

/**
 * The syntax of label keys and values in the CRD schema.
 *
 * <p>CEL validates keys, because a CEL rule can have a message of its own. A pattern validates values: node affinity
 * alone can have 100,000 values, and CEL over that many would exceed the cost limit of a CRD.
 */
final class LabelSyntax {
    /** Maximum number of characters in a label key: 253 for the DNS prefix, 1 for the slash and 63 for the name. */
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
