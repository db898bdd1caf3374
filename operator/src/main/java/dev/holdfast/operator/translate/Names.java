package dev.holdfast.operator.translate;

import dev.holdfast.policies.model.QuotedText;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Checks names that are DNS labels (RFC 1123): those of namespaces, and of a policy's rules, windows and exceptions.
 * The names of nodes are DNS subdomains.
 */
final class Names {
    static final String ALLOWED =
            "1 to 63 lower-case letters, digits or '-', beginning and ending with a letter or digit";

    private static final Pattern PATTERN = Pattern.compile("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");

    private static final Pattern SUBDOMAIN =
            Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final int LONGEST_SUBDOMAIN = 253;

    private Names() {}

    static boolean isDnsSubdomain(String text) {
        return text.length() <= LONGEST_SUBDOMAIN && SUBDOMAIN.matcher(text).matches();
    }

    static boolean isDnsLabel(String text) {
        return PATTERN.matcher(text).matches();
    }

    /** Records an error for each name that is no DNS label, or that an earlier entry has too. */
    static void check(List<String> names, FieldPath list) {
        Map<String, Integer> places = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            String name = names.get(i);
            FieldPath at = list.item(i).field("name");
            if (!isDnsLabel(name)) {
                at.refuse("must be " + ALLOWED + ", got '" + QuotedText.of(name) + "'");
            }
            Integer earlier = places.putIfAbsent(name, i);
            if (earlier != null) {
                at.refuse("must be unique, but '" + QuotedText.of(name) + "' is the name of " + list + "[" + earlier
                        + "] too");
            }
        }
    }
}
