package dev.holdfast.it.fault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The head of an HTTP/1.1 message.
 *
 * @param start the first line
 * @param headers the unchanged header lines, without line ends
 */
record HttpHead(String start, List<String> headers) {
    HttpHead {
        headers = List.copyOf(headers);
    }

    static HttpHead read(InputStream from) throws IOException {
        String start = line(from);
        List<String> headers = new ArrayList<>();
        for (String header = line(from); !header.isEmpty(); header = line(from)) {
            headers.add(header);
        }
        return new HttpHead(start, headers);
    }

    /** Reads one line and returns it without its line end. */
    static String line(InputStream from) throws IOException {
        ByteArrayOutputStream line = new ByteArrayOutputStream();
        for (int next = from.read(); next != '\n'; next = from.read()) {
            if (next < 0) {
                throw new EOFException("a head that ends in the middle");
            }
            line.write(next);
        }
        return line.toString(ISO_8859_1).stripTrailing();
    }

    /** {@return the value of a header; empty if it is missing} */
    String header(String name) {
        return headers.stream()
                .filter(it -> it.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(it -> it.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** {@return a head with the same start line and other headers} */
    HttpHead with(List<String> others) {
        List<String> kept = new ArrayList<>(headers.stream()
                .filter(it -> others.stream().noneMatch(other -> name(other).equalsIgnoreCase(name(it))))
                .toList());
        others.stream().filter(it -> !it.endsWith(":")).forEach(kept::add);
        return new HttpHead(start, kept);
    }

    private static String name(String header) {
        return header.substring(0, header.indexOf(':'));
    }

    byte[] bytes() {
        return (start + "\r\n" + String.join("\r\n", headers) + "\r\n\r\n").getBytes(ISO_8859_1);
    }

    /** {@return the HTTP status of a response} */
    int status() {
        return Integer.parseInt(start.split(" ", -1)[1]);
    }

    /** {@return the path and query of a request} */
    String target() {
        return start.split(" ", -1)[1];
    }

    boolean isWatch() {
        return target().contains("watch=true");
    }

    /** {@return whether the request lists a whole collection} */
    boolean isList() {
        return start.startsWith("GET ")
                && !isWatch()
                && !target().contains("limit=1&")
                && !target().endsWith("limit=1")
                && resource().filter(it -> it.endsWith("s")).isPresent();
    }

    /** {@return the plural name of the kind, for example {@code pods}, if the request is for a whole collection} */
    Optional<String> resource() {
        String path = target().replaceAll("\\?.*", "");
        return path.matches("/api/v1/[a-z]+|/apis/[a-z0-9.]+/[a-z0-9]+/[a-z]+")
                ? Optional.of(path.substring(path.lastIndexOf('/') + 1))
                : Optional.empty();
    }
}
