package dev.holdfast.policies.selector;

/**
 * The syntax of label keys and values. A key is {@code [prefix/]name}. Source: Kubernetes documentation, "Labels and
 * Selectors", syntax and character set.
 */
public final class LabelSyntax {
    private static final int MAX_NAME = 63;
    private static final int MAX_PREFIX = 253;

    private LabelSyntax() {}

    /** {@return whether a label may have this key} */
    public static boolean isKey(String key) {
        int slash = key.indexOf('/');
        if (slash < 0) {
            return isName(key);
        }
        return isSubdomain(key.substring(0, slash)) && isName(key.substring(slash + 1));
    }

    /** {@return whether a label may have this value} */
    public static boolean isValue(String value) {
        return value.isEmpty() || isName(value);
    }

    /** Accepts 1 to 63 letters, digits, dashes, underscores and dots, with a letter or digit at both ends. */
    private static boolean isName(String name) {
        if (name.isEmpty() || name.length() > MAX_NAME) {
            return false;
        }
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            boolean inner = i > 0 && i < name.length() - 1;
            if (!isAlphanumeric(c) && !(inner && (c == '-' || c == '_' || c == '.'))) {
                return false;
            }
        }
        return true;
    }

    /** Accepts at most 253 characters: parts of lower-case letters, digits and inner dashes, joined by dots. */
    private static boolean isSubdomain(String text) {
        if (text.isEmpty() || text.length() > MAX_PREFIX) {
            return false;
        }
        for (String part : text.split("\\.", -1)) {
            if (!isSubdomainPart(part)) {
                return false;
            }
        }
        return true;
    }

    private static boolean isSubdomainPart(String part) {
        for (int i = 0; i < part.length(); i++) {
            char c = part.charAt(i);
            boolean inner = i > 0 && i < part.length() - 1;
            boolean plain = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
            if (!plain && !(inner && c == '-')) {
                return false;
            }
        }
        return !part.isEmpty();
    }

    private static boolean isAlphanumeric(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
    }
}
