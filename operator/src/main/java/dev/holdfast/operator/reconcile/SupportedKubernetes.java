package dev.holdfast.operator.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The check that the API server has a Kubernetes version on which Holdfast runs: 1.33 or newer. */
final class SupportedKubernetes {
    /**
     * The oldest minor version of Kubernetes 1. Since 1.33 an API server encodes a list as a stream; an older one
     * builds the whole encoded list in memory.
     */
    private static final int OLDEST_MINOR = 33;

    /** A number in a version; some cloud providers write {@code 33+}. */
    private static final Pattern NUMBER = Pattern.compile("([0-9]{1,6})[^0-9]*");

    private SupportedKubernetes() {}

    /**
     * {@return why Holdfast cannot run on this API server; empty if it can, or if the answer has no version}
     *
     * @param version the body of the response to {@code GET /version}
     */
    static Optional<String> refusal(String version) {
        JsonNode answer = read(version);
        OptionalInt major = number(answer.path("major").asText());
        OptionalInt minor = number(answer.path("minor").asText());
        if (major.isEmpty() || minor.isEmpty() || isSupported(major.getAsInt(), minor.getAsInt())) {
            return Optional.empty();
        }
        String name = answer.path("gitVersion").asText("v" + major.getAsInt() + "." + minor.getAsInt());
        return Optional.of("the API server is " + name + ", and Holdfast needs Kubernetes 1." + OLDEST_MINOR
                + " or newer: upgrade the cluster");
    }

    private static boolean isSupported(int major, int minor) {
        return major > 1 || (major == 1 && minor >= OLDEST_MINOR);
    }

    private static JsonNode read(String json) {
        ObjectMapper mapper = new ObjectMapper();
        try {
            return mapper.readTree(json);
        } catch (IOException _) {
            // Not JSON, for example the HTML page of a proxy.
            return mapper.createObjectNode();
        }
    }

    private static OptionalInt number(String text) {
        Matcher number = NUMBER.matcher(text);
        return number.matches() ? OptionalInt.of(Integer.parseInt(number.group(1))) : OptionalInt.empty();
    }
}
