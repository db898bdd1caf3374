package dev.holdfast.operator.translate;

import java.util.regex.Pattern;

/** The format of a DNS label (RFC 1123), which the names of namespaces and of a policy's rules have. */
final class DnsLabel {
    static final String ALLOWED =
            "1 to 63 lower-case letters, digits or '-', beginning and ending with a letter or digit";

    private static final Pattern PATTERN = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private DnsLabel() {}

    static boolean is(String text) {
        return PATTERN.matcher(text).matches();
    }
}
