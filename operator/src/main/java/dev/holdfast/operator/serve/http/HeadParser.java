package dev.holdfast.operator.serve.http;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The syntax of a request's head (RFC 9112). A request with a body is refused: no path needs one. A field {@code Host}
 * is not needed either.
 */
final class HeadParser {
    private static final int BAD_REQUEST = 400;
    private static final int HAS_A_BODY = 413;
    private static final int PARTS_OF_FIRST_LINE = 3;
    private static final String HTTP_1_0 = "HTTP/1.0";
    private static final String HTTP_1_1 = "HTTP/1.1";

    /** The characters of methods and of names of fields. */
    private static final String OF_TOKENS =
            "!#$%&'*+-.^_`|~0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

    private static final char DELETE = 0x7f;

    private record Field(String name, String value) {
        boolean hasName(String wanted) {
            return name.equalsIgnoreCase(wanted);
        }
    }

    private HeadParser() {}

    /**
     * {@return the request, which is never incomplete}
     *
     * @param head the lines of the head, of which the last is empty
     */
    static RequestHead parse(String head) {
        List<String> lines = lines(head);
        String[] first = lines.getFirst().split(" ", -1);
        if (first.length != PARTS_OF_FIRST_LINE || !isToken(first[0])) {
            return bad("the first line of a request is: GET PATH HTTP/1.1");
        }
        if (!first[2].equals(HTTP_1_1) && !first[2].equals(HTTP_1_0)) {
            return bad("the version of HTTP is not 1.0 or 1.1");
        }
        Optional<String> path = path(first[1]);
        if (path.isEmpty()) {
            return bad("the path of the request is invalid");
        }
        List<Field> fields = new ArrayList<>();
        for (String line : lines.subList(1, lines.size())) {
            Optional<Field> field = field(line);
            if (field.isEmpty()) {
                return bad("each header field of a request is: NAME: VALUE");
            }
            fields.add(field.get());
        }
        return bodyRefused(fields)
                .orElseGet(() -> new RequestHead.Complete(
                        first[0],
                        path.get(),
                        values(fields, "Authorization").findFirst(),
                        keepsAlive(first[2], fields)));
    }

    private static RequestHead bad(String why) {
        return new RequestHead.Refused(BAD_REQUEST, why);
    }

    /** {@return the lines before the empty one, without their ends: CR LF, or LF alone} */
    private static List<String> lines(String head) {
        return Stream.of(head.split("\n"))
                .map(it -> it.endsWith("\r") ? it.substring(0, it.length() - 1) : it)
                .takeWhile(it -> !it.isEmpty())
                .toList();
    }

    private static Optional<String> path(String target) {
        try {
            return Optional.ofNullable(new URI(target).getPath());
        } catch (URISyntaxException _) {
            return Optional.empty();
        }
    }

    private static Optional<Field> field(String line) {
        int colon = line.indexOf(':');
        if (colon < 0 || !isToken(line.substring(0, colon))) {
            return Optional.empty();
        }
        String value = line.substring(colon + 1).strip();
        return value.chars().allMatch(it -> it == '\t' || (it >= ' ' && it != DELETE))
                ? Optional.of(new Field(line.substring(0, colon), value))
                : Optional.empty();
    }

    private static boolean isToken(String text) {
        return !text.isEmpty() && text.chars().allMatch(it -> OF_TOKENS.indexOf(it) >= 0);
    }

    private static Stream<String> values(List<Field> fields, String name) {
        return fields.stream().filter(it -> it.hasName(name)).map(Field::value);
    }

    private static Optional<RequestHead> bodyRefused(List<Field> fields) {
        List<String> lengths = values(fields, "Content-Length").toList();
        if (!lengths.stream().allMatch(it -> !it.isEmpty() && it.chars().allMatch(c -> c >= '0' && c <= '9'))) {
            return Optional.of(bad("Content-Length is not a number"));
        }
        boolean hasBody = values(fields, "Transfer-Encoding").findAny().isPresent()
                || lengths.stream().anyMatch(it -> it.chars().anyMatch(c -> c != '0'));
        return hasBody
                ? Optional.of(new RequestHead.Refused(HAS_A_BODY, "send the request without a body"))
                : Optional.empty();
    }

    private static boolean keepsAlive(String version, List<Field> fields) {
        List<String> wishes = values(fields, "Connection")
                .flatMap(it -> Stream.of(it.split(",")))
                .map(it -> it.strip().toLowerCase(Locale.ROOT))
                .toList();
        return !wishes.contains("close") && (version.equals(HTTP_1_1) || wishes.contains("keep-alive"));
    }
}
