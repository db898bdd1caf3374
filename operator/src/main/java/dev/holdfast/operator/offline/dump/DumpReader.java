package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongConsumer;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.reader.UnicodeReader;

/**
 * Reads dumps: JSON or YAML, single objects, lists and several documents in one file, also in gzip. A file is read as a
 * stream, so the memory that a dump takes does not depend on the size of its text.
 */
public final class DumpReader {
    /** The maximum depth of nesting; no object of Kubernetes is nested as deeply. */
    private static final int MOST_DEPTH = 100;

    private static final int BUFFER = 1 << 16;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    /** The bytes of byte order marks, and the second one of a character in UTF-16. */
    private static final String ENCODING = "\u00ef\u00bb\u00bf\u00ff\u00fe\u0000";

    private static final StreamReadConstraints LIMITS =
            StreamReadConstraints.builder().maxNestingDepth(MOST_DEPTH).build();

    private final DumpedObjects objects;

    /** @param progress gets the number of objects read so far, after each object */
    public DumpReader(LongConsumer progress) {
        this(progress, Instant.MAX);
    }

    /**
     * @param progress gets the number of objects read so far, after each object
     * @param latest the latest time that may be right: later times come from wrong clocks, and are not the time of the
     *     dump
     */
    public DumpReader(LongConsumer progress, Instant latest) {
        this(progress, latest, AsWritten.NONE);
    }

    /**
     * @param progress gets the number of objects read so far, after each object
     * @param latest the latest time that may be right, as above
     * @param asWritten gets the workloads that it wants
     */
    public DumpReader(LongConsumer progress, Instant latest, AsWritten asWritten) {
        this.objects = new DumpedObjects(progress, latest, asWritten);
    }

    /**
     * {@return the content of the files}
     *
     * @throws DumpException if one of them cannot be read to its end, so that no answer would be complete
     */
    public Dump read(List<DumpFile> files) throws DumpException {
        for (DumpFile file : files) {
            objects.begin(file.name(), DumpedObjects.Pages.REFUSED);
            read(file, file.ofFolder() ? objects::readIfObject : objects::read);
            objects.end();
        }
        return objects.dump();
    }

    /**
     * Reads one page of a list. {@link #read} returns the objects of all pages.
     *
     * @return the token for the next page; empty on the last page
     * @throws DumpException if the page cannot be read to its end
     */
    String readPage(DumpFile page) throws DumpException {
        objects.begin(page.name(), DumpedObjects.Pages.ACCEPTED);
        read(page, objects::read);
        return objects.continueToken();
    }

    /**
     * {@return the documents of a file as they are written} Only for small files: the whole file is in memory.
     *
     * @throws DumpException if the file cannot be read to its end
     */
    public static List<JsonNode> documents(DumpFile file) throws DumpException {
        List<JsonNode> documents = new ArrayList<>();
        read(file, json -> documents.add(json.readValueAsTree()));
        return documents;
    }

    /** Reads one document, at which the parser is. */
    @FunctionalInterface
    private interface DocumentReader {
        void read(JsonParser json) throws IOException;
    }

    private static void read(DumpFile file, DocumentReader reader) throws DumpException {
        try (InputStream content = unpacked(file.content().open());
                JsonParser json = parser(content)) {
            if (!hasObjects(json, reader)) {
                throw new DumpException(file.name() + ": it is empty: see whether kubectl failed");
            }
        } catch (JsonEOFException e) {
            throw new DumpException(
                    file.name() + ParserMessage.place(e)
                            + ": the file ends in the middle of an object: it is truncated",
                    e);
        } catch (JsonProcessingException e) {
            throw new DumpException(file.name() + ParserMessage.of(e), e);
        } catch (EOFException e) {
            throw new DumpException(file.name() + ": the compressed data ends too early: the file is truncated", e);
        } catch (ZipException e) {
            throw new DumpException(file.name() + ": the compressed data is damaged: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new DumpException(file.name() + ": cannot read it: " + DumpFile.cause(e), e);
        }
    }

    /** Reads all documents, and returns whether there is any. */
    private static boolean hasObjects(JsonParser json, DocumentReader reader) throws IOException {
        boolean hasObjects = false;
        try {
            while (json.nextToken() != null) {
                if (!isEmpty(json)) {
                    reader.read(json);
                    hasObjects = true;
                }
            }
        } catch (StreamConstraintsException e) {
            throw new WrongDumpException(ParserMessage.ofLimit(e), json.currentLocation());
        } catch (JsonParseException e) {
            if (hasObjects && json.getParsingContext().inRoot() && isOfJson(json)) {
                throw new WrongDumpException(
                        "an object of JSON ended before this, and no other one begins here: remove `---` between"
                                + " documents of JSON",
                        e.getLocation());
            }
            throw e;
        }
        return hasObjects;
    }

    private static boolean isOfJson(JsonParser json) {
        return !(json instanceof NoAliases);
    }

    /** {@return whether this is a YAML document without content, as after a last {@code ---}} */
    private static boolean isEmpty(JsonParser json) throws IOException {
        return json.currentToken() == JsonToken.VALUE_NULL
                || (json.currentToken() == JsonToken.VALUE_STRING
                        && json.getText().isEmpty());
    }

    private static InputStream unpacked(InputStream raw) throws IOException {
        InputStream content = new BufferedInputStream(raw, BUFFER);
        content.mark(2);
        boolean packed = content.read() == GZIP_FIRST && content.read() == GZIP_SECOND;
        content.reset();
        return packed ? new BufferedInputStream(new GZIPInputStream(content, BUFFER), BUFFER) : content;
    }

    /**
     * {@return a parser of JSON if the text begins like an object of JSON, else of YAML, which may begin with a brace
     * too} The parsers of JSON and YAML know UTF-16 and byte order marks, which PowerShell writes.
     */
    private static JsonParser parser(InputStream content) throws IOException {
        content.mark(BUFFER);
        boolean json = next(content) == '{' && isJson(next(content));
        content.reset();
        return json
                ? Json.FACTORY.createParser(content)
                : new NoAliases((YAMLParser) Yaml.FACTORY.createParser(new BoundedRuns(new UnicodeReader(content))));
    }

    private static boolean isJson(int afterBrace) {
        return afterBrace == '"' || afterBrace == '}' || afterBrace < 0;
    }

    /** {@return the first buffered character that is no white space; negative if there is none} */
    private static int next(InputStream content) throws IOException {
        int read = content.read();
        for (int i = 1; i < BUFFER / 2 && (Character.isWhitespace(read) || ENCODING.indexOf(read) >= 0); i++) {
            read = content.read();
        }
        return read;
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

    /**
     * The YAML parser, made when the first YAML is read. Aliases are not followed, so a short text cannot stand for a
     * long one.
     */
    private static final class Yaml {
        static final JsonFactory FACTORY = new ObjectMapper(YAMLFactory.builder()
                        .streamReadConstraints(LIMITS)
                        .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                        .loaderOptions(options())
                        .build())
                .getFactory();

        private Yaml() {}

        private static LoaderOptions options() {
            LoaderOptions options = new LoaderOptions();
            options.setCodePointLimit(Integer.MAX_VALUE);
            options.setNestingDepthLimit(MOST_DEPTH);
            return options;
        }
    }
}
