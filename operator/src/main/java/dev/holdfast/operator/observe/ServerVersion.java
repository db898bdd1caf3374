package dev.holdfast.operator.observe;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of an API server, of which the first two numbers count: {@code v1.37.1}. */
record ServerVersion(int major, int minor, String name) {
    /** Some clouds write {@code 32+}. */
    private static final Pattern NUMBER = Pattern.compile("([0-9]{1,6})[^0-9]*");

    /** {@return what the answer to {@code /version} says; empty if it says nothing of the kind} */
    static Optional<ServerVersion> read(byte[] json) {
        try {
            JsonNode version = new ObjectMapper().readTree(json);
            Matcher major = NUMBER.matcher(version.path("major").asText());
            Matcher minor = NUMBER.matcher(version.path("minor").asText());
            if (major.matches() && minor.matches()) {
                int first = Integer.parseInt(major.group(1));
                int second = Integer.parseInt(minor.group(1));
                return Optional.of(new ServerVersion(
                        first, second, version.path("gitVersion").asText("v" + first + "." + second)));
            }
        } catch (IOException _) {
            // A page of a proxy, for example.
        }
        return Optional.empty();
    }

    /** {@return whether it is older than a minor version of Kubernetes 1} */
    boolean before(int minorOfOne) {
        return major < 1 || (major == 1 && minor < minorOfOne);
    }
}
