package dev.holdfast.operator.offline.dump.text;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_16BE;
import static java.nio.charset.StandardCharsets.UTF_16LE;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.io.ContentReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.Charset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.UnicodeReader;

/** A text with objects in JSON or YAML, which is split into tokens as it is read. */
public final class ObjectText implements Closeable {
    /** The number of bytes at which {@link #of} looks. */
    static final int FIRST_BYTES = 1 << 15;

    private static final char BYTE_ORDER_MARK = '\ufeff';

    /** What files begin with that are compressed in ways that are not read, as ISO-8859-1. */
    private static final Map<String, String> COMPRESSED =
            Map.of("\u00fd7zXZ", "xz", "BZh", "bzip2", "(\u00b5/\u00fd", "zstd", "7z\u00bc\u00af", "7-Zip");

    private static final StreamReadConstraints LIMITS = StreamReadConstraints.builder()
            .maxNestingDepth(YamlTokens.MOST_DEPTH)
            .build();

    private final JsonParser tokens;
    private final RecentBytes content;
    private final Charset charset;

    private ObjectText(JsonParser tokens, RecentBytes content, Charset charset) {
        this.tokens = tokens;
        this.content = content;
        this.charset = charset;
    }

    /**
     * {@return the text} It is JSON if it begins like JSON, else YAML, which may begin with a brace too. UTF-16 and
     * byte order marks are known, as PowerShell writes them.
     *
     * @param content supports {@link InputStream#mark}
     * @throws NoObjectsException if the text begins with a line that is no JSON and no YAML
     * @throws WrongDumpException if objects come after that line
     */
    public static ObjectText of(InputStream content) throws IOException {
        content.mark(FIRST_BYTES);
        byte[] first = content.readNBytes(FIRST_BYTES);
        content.reset();
        Charset charset = charset(first);
        String head = new String(first, charset);
        RecentBytes recent = new RecentBytes(content);
        if (isJson(head)) {
            return new ObjectText(Json.FACTORY.createParser(recent), recent, charset);
        }
        refuseCompressed(first);
        refuseForeign(head);
        return new ObjectText(
                new YamlTokens(
                        (YamlWithAnchors.Parser) Yaml.FACTORY.createParser(new BoundedRuns(new UnicodeReader(recent)))),
                recent,
                charset);
    }

    private static Charset charset(byte[] first) {
        if (first.length < 2) {
            return UTF_8;
        }
        if (first[1] == 0 || (first[0] == (byte) 0xff && first[1] == (byte) 0xfe)) {
            return UTF_16LE;
        }
        return first[0] == 0 || (first[0] == (byte) 0xfe && first[1] == (byte) 0xff) ? UTF_16BE : UTF_8;
    }

    /** {@return whether the text begins like an object of JSON, or a list of such objects} */
    private static boolean isJson(String head) {
        int[] begin = head.chars()
                .filter(it -> it != BYTE_ORDER_MARK && !Character.isWhitespace(it))
                .limit(3)
                .toArray();
        String all = new String(begin, 0, begin.length);
        return all.equals("{") || all.equals("[") || all.matches("\\{[\"}].?|\\[(]|\\[|\").?|\\[\\{[\"}]");
    }

    private static void refuseCompressed(byte[] first) throws NoObjectsException {
        String bytes = new String(first, 0, Math.min(8, first.length), ISO_8859_1);
        for (Map.Entry<String, String> form : COMPRESSED.entrySet()) {
            if (bytes.startsWith(form.getKey())) {
                throw new NoObjectsException(
                        "it is compressed with " + form.getValue() + ", and of compressed files only gzip and zip are"
                                + " read: unpack it",
                        at(1));
            }
        }
    }

    private static void refuseForeign(String head) throws JsonProcessingException {
        List<String> lines = head.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line =
                    lines.get(i).replace(String.valueOf(BYTE_ORDER_MARK), "").strip();
            if (!line.isEmpty() && !line.startsWith("#")) {
                Optional<String> sentence = ForeignText.sentenceOfFirst(line);
                if (sentence.isPresent()) {
                    throw lines.stream().skip(i + 1L).anyMatch(ObjectText::beginsObject)
                            ? new WrongDumpException(sentence.get(), at(i + 1))
                            : new NoObjectsException(sentence.get(), at(i + 1));
                }
                return;
            }
        }
    }

    private static boolean beginsObject(String line) {
        return line.startsWith("{") || line.startsWith("[") || line.startsWith("apiVersion:");
    }

    private static JsonLocation at(int line) {
        return new JsonLocation(ContentReference.unknown(), -1, line, 1);
    }

    /** {@return the tokens; the caller closes the text} */
    public JsonParser tokens() {
        return tokens;
    }

    /** {@return whether tokens come from YAML, which can be parsed even if it is truncated} */
    public static boolean isYaml(JsonParser tokens) {
        return tokens instanceof YamlTokens;
    }

    /**
     * Refuses a message of kubectl after a list or an object of YAML, which looks like a field of it.
     *
     * @param tokens is at the value of the field
     */
    public static void refuseMessage(JsonParser tokens, String field) throws IOException {
        if (tokens instanceof YamlTokens yaml && tokens.currentToken().isScalarValue()) {
            Optional<ForeignText> foreign = ForeignText.of(field + ": " + tokens.getText());
            if (foreign.isPresent() && (foreign.get() == ForeignText.MESSAGE || field.indexOf(' ') >= 0)) {
                Mark start = yaml.start();
                throw new WrongDumpException(foreign.get().sentenceAfterObjects(line(start)), at(start.getLine() + 1));
            }
        }
    }

    /**
     * {@return the exception that says what stands where no token was found}
     *
     * @param afterObjects whether objects were read before
     */
    public JsonProcessingException explained(JsonParseException e, boolean afterObjects) throws IOException {
        if (ParserMessage.isCutOff(e)) {
            return e;
        }
        boolean between = afterObjects && tokens.getParsingContext().inRoot() && !isYaml(tokens);
        for (Line line : lines(e)) {
            Optional<ForeignText> foreign = ForeignText.of(line.text());
            if (foreign.isPresent()) {
                return new WrongDumpException(
                        between || isYaml(tokens)
                                ? foreign.get().sentenceAfterObjects(line.text())
                                : foreign.get().sentence(line.text()),
                        line.location());
            }
            if (between) {
                return new WrongDumpException(
                        line.text().equals("---")
                                ? "an object of JSON ended before this, and no other one begins here: remove `---`"
                                        + " between documents of JSON"
                                : "an object of JSON ended before this, and no other one begins here: "
                                        + ForeignText.quoted(line.text()),
                        line.location());
            }
        }
        return e;
    }

    private record Line(String text, JsonLocation location) {}

    /** {@return the lines of which the parser says that something is wrong in them} */
    private List<Line> lines(JsonParseException e) {
        if (isYaml(tokens)) {
            return ParserMessage.cause(e, MarkedYAMLException.class).stream()
                    .flatMap(
                            it -> Stream.of(Optional.ofNullable(it.getContextMark()), Optional.of(it.getProblemMark())))
                    .flatMap(Optional::stream)
                    .map(mark -> new Line(line(mark), at(mark.getLine() + 1)))
                    .toList();
        }
        JsonLocation location = e.getLocation();
        int width = charset.equals(UTF_8) ? 1 : 2;
        // The number of a character does not count the byte order mark.
        long place = location.getByteOffset() >= 0 ? location.getByteOffset() : width * (location.getCharOffset() + 1);
        return List.of(new Line(content.line(place, charset, width), location));
    }

    private static String line(Mark mark) {
        int[] text = mark.getBuffer();
        int start = mark.getPointer();
        while (start > 0 && text[start - 1] != '\n') {
            start--;
        }
        int end = mark.getPointer();
        while (end < text.length && text[end] != '\n') {
            end++;
        }
        return new String(text, start, end - start).replace("\0", "").strip();
    }

    @Override
    public void close() throws IOException {
        tokens.close();
    }

    /** The JSON parser, made when the first JSON is read. */
    private static final class Json {
        static final JsonFactory FACTORY = new ObjectMapper(JsonFactory.builder()
                        .streamReadConstraints(LIMITS)
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .build())
                .getFactory();

        private Json() {}
    }

    /** The YAML parser, made when the first YAML is read. */
    private static final class Yaml {
        static final JsonFactory FACTORY = new ObjectMapper(new YamlWithAnchors(YAMLFactory.builder()
                        .streamReadConstraints(LIMITS)
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .loaderOptions(options())))
                .getFactory();

        private Yaml() {}

        private static LoaderOptions options() {
            LoaderOptions options = new LoaderOptions();
            options.setCodePointLimit(Integer.MAX_VALUE);
            options.setNestingDepthLimit(YamlTokens.MOST_DEPTH);
            return options;
        }
    }
}
