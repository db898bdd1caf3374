package dev.holdfast.crds.v1alpha1.core;

/** The rules of label syntax as CEL, with messages that say what is allowed; for {@code @ValidationRule}. */
final class LabelSyntax {
    /** Longest label key: a DNS prefix of 253, the slash and a name of 63. */
    static final int MAX_KEY = 317;

    static final int MAX_VALUE = 63;

    static final String KEY = "!format.qualifiedName().validate(self).hasValue()";
    static final String KEY_MESSAGE = "must be a label key: at most 63 letters, digits, '-', '_' or '.', beginning and"
            + " ending with a letter or digit, optionally after a DNS name and '/', such as 'app' or 'example.com/tier'";

    static final String KEYS = "self.all(k, !format.qualifiedName().validate(k).hasValue())";
    static final String KEYS_MESSAGE = "each must be a label key, such as 'pod-template-hash' or 'example.com/tier'";

    static final String VALUES = "self.all(v, !format.labelValue().validate(v).hasValue())";
    static final String VALUES_MESSAGE = "each of `values` must be a label value: at most 63 letters, digits, '-', '_' or"
            + " '.', beginning and ending with a letter or digit, or the empty string";

    static final String MAP_VALUES = "self.all(k, !format.labelValue().validate(self[k]).hasValue())";
    static final String MAP_VALUES_MESSAGE = "each value must be a label value: at most 63 letters, digits, '-', '_' or"
            + " '.', beginning and ending with a letter or digit, or the empty string";

    static final String MAP_KEYS = "self.all(k, k != '' && size(k) <= 317)";
    static final String MAP_KEYS_MESSAGE =
            "each key must be a label key of 1 to 317 characters, such as 'app' or 'example.com/tier'";

    private LabelSyntax() {}
}
