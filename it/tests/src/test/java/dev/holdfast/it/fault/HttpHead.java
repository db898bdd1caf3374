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
 * @param start its first line
 * @param headers each as it came, without the end of its line
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

    /** {@return a line without its end} */
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

    /** {@return what a header says; empty without it} */
    String header(String name) {
        return headers.stream()
                .filter(it -> it.regionMatches(true, 0, name + ":", 0, name.length() + 1))
                .map(it -> it.substring(name.length() + 1).strip())
                .findFirst()
                .orElse("");
    }

    /** {@return the same head, but for these headers} */
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

    /** {@return the status of an answer} */
    int status() {
        return Integer.parseInt(start.split(" ", -1)[1]);
    }

    /** {@return the path of a request, with its query} */
    String target() {
        return start.split(" ", -1)[1];
    }

    boolean isWatch() {
        return target().contains("watch=true");
    }

    /** {@return whether a collection is read to be known whole} */
    boolean isList() {
        return start.startsWith("GET ")
                && !isWatch()
                && !target().contains("limit=1&")
                && !target().endsWith("limit=1")
                && resource().filter(it -> it.endsWith("s")).isPresent();
    }

    /** {@return of what kind a collection is: {@code pods}} */
    Optional<String> resource() {
        String path = target().replaceAll("\\?.*", "");
        return path.matches("/api/v1/[a-z]+|/apis/[a-z0-9.]+/[a-z0-9]+/[a-z]+")
                ? Optional.of(path.substring(path.lastIndexOf('/') + 1))
                : Optional.empty();
    }
}
