package dev.holdfast.operator.offline.dump;

import com.fasterxml.jackson.core.JsonParseException;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.databind.JsonNode;
import dev.holdfast.operator.offline.dump.text.Archive;
import dev.holdfast.operator.offline.dump.text.DamagedArchiveException;
import dev.holdfast.operator.offline.dump.text.NoObjectsException;
import dev.holdfast.operator.offline.dump.text.ObjectText;
import dev.holdfast.operator.offline.dump.text.ParserMessage;
import dev.holdfast.operator.offline.dump.text.WrongDumpException;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;

/**
 * Reads dumps: JSON or YAML, single objects, lists and several documents in one file, also in gzip, and archives of
 * such files in tar or zip. A file is read as a stream, so its text takes no memory.
 */
public final class DumpReader {
    private static final int BUFFER = 1 << 16;
    private static final int GZIP_FIRST = 0x1f;
    private static final int GZIP_SECOND = 0x8b;

    /** The names of archives. */
    private static final Pattern NESTED = Pattern.compile(".*\\.(tar(\\.\\w+)?|tgz|zip)");

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
            texts(file, text -> read(text, DumpedObjects.Pages.REFUSED));
        }
        return objects.dump();
    }

    private void read(Text text, DumpedObjects.Pages pages) throws DumpException, IOException {
        objects.begin(text.name(), pages);
        if (text.ofFolder()) {
            try {
                if (!hasObjects(text, objects::readIfObject)) {
                    objects.leaveOut("it is empty: see whether kubectl failed");
                }
            } catch (NoObjectsException e) {
                objects.leaveOut("line " + e.getLocation().getLineNr() + ": " + e.getOriginalMessage());
            }
        } else {
            requireObjects(text, objects::read);
        }
        objects.end();
    }

    /**
     * Reads one page of a list. {@link #read} returns the objects of all pages.
     *
     * @return the token for the next page; empty on the last page
     * @throws DumpException if the page cannot be read to its end
     */
    public String readPage(DumpFile page) throws DumpException {
        texts(page, text -> read(text, DumpedObjects.Pages.ACCEPTED));
        return objects.continueToken();
    }

    /**
     * {@return the documents of a file as they are written} Only for small files: the whole file is in memory.
     *
     * @throws DumpException if the file cannot be read to its end
     */
    public static List<JsonNode> documents(DumpFile file) throws DumpException {
        List<JsonNode> documents = new ArrayList<>();
        texts(file, text -> requireObjects(text, json -> documents.add(json.readValueAsTree())));
        return documents;
    }

    /**
     * A text in a file.
     *
     * @param name how messages name it
     * @param content supports {@link InputStream#mark}
     * @param ofFolder whether it may be of another program, as the user named only its folder or archive
     */
    private record Text(String name, InputStream content, boolean ofFolder) {}

    /** Reads a text. */
    @FunctionalInterface
    private interface TextReader {
        void read(Text text) throws DumpException, IOException;
    }

    /** Reads one document, at which the parser is. */
    @FunctionalInterface
    private interface DocumentReader {
        void read(JsonParser json) throws IOException;
    }

    /** Reads the texts of a file: the file itself, or the files of an archive as those of a folder. */
    private static void texts(DumpFile file, TextReader reader) throws DumpException {
        explained(file.name(), () -> {
            try (InputStream content = unpacked(file.content().open())) {
                Optional<Archive> archive = Archive.in(content);
                if (archive.isEmpty()) {
                    reader.read(new Text(file.name(), content, file.ofFolder()));
                } else {
                    files(file.name(), archive.get(), reader);
                }
            }
        });
    }

    private static void files(String archiveName, Archive archive, TextReader reader)
            throws IOException, DumpException {
        boolean hasFiles = false;
        Optional<String> nested = Optional.empty();
        for (Optional<Archive.Entry> next = archive.next(); next.isPresent(); next = archive.next()) {
            Archive.Entry entry = next.get();
            if (DumpFile.isRead(entry.name())) {
                String name = archiveName + "/" + entry.name();
                explained(name, () -> reader.read(new Text(name, unpacked(entry.content()), true)));
                hasFiles = true;
            } else if (nested.isEmpty() && NESTED.matcher(entry.name()).matches()) {
                nested = Optional.of(entry.name());
            }
        }
        if (!hasFiles) {
            throw new DumpException(archiveName + ": "
                    + nested.map(it -> "an archive within an archive is not read: unpack " + it)
                            .orElse("the archive has no file that ends in .json, .yaml, .yml or .gz"));
        }
    }

    /** Reads a file, or a part of it. */
    @FunctionalInterface
    private interface Reading {
        void read() throws IOException, DumpException;
    }

    private static void explained(String name, Reading reading) throws DumpException {
        try {
            reading.read();
        } catch (JsonProcessingException e) {
            throw new DumpException(name + ParserMessage.of(e), e);
        } catch (DamagedArchiveException e) {
            throw new DumpException(name + ": " + e.getMessage(), e);
        } catch (EOFException e) {
            throw new DumpException(name + ": the compressed data ends too early: the file is truncated", e);
        } catch (ZipException e) {
            throw new DumpException(name + ": the compressed data is damaged: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new DumpException(name + ": cannot read it: " + DumpFile.cause(e), e);
        }
    }

    private static void requireObjects(Text text, DocumentReader reader) throws DumpException, IOException {
        if (!hasObjects(text, reader)) {
            throw new DumpException(text.name() + ": it is empty: see whether kubectl failed");
        }
    }

    /** Reads all documents, and returns whether there is any. */
    private static boolean hasObjects(Text read, DocumentReader reader) throws IOException {
        boolean hasObjects = false;
        try (ObjectText text = ObjectText.of(read.content())) {
            JsonParser json = text.tokens();
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
                throw text.explained(e, hasObjects);
            }
        }
        return hasObjects;
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
}
