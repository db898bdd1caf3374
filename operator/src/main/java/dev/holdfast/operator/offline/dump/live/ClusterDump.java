package dev.holdfast.operator.offline.dump.live;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.dump.text.Header;
import dev.holdfast.operator.offline.dump.text.WithoutSecrets;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.LongConsumer;
import java.util.stream.Stream;

/**
 * Writes all objects of a live cluster that any command reads, as one list of JSON with an object in each line. It only
 * lists, page by page, and holds one object at a time. The same cluster gives the same text.
 */
public final class ClusterDump {
    /** The kinds without which no command can judge. */
    private static final List<String> NEEDED = List.of("/api/v1/namespaces", "/api/v1/nodes", "/api/v1/pods");

    private static final String ITEMS = "items";

    private final ApiServer server;
    private final int chunkSize;
    private final LongConsumer progress;
    private final Optional<String> operatorNamespace;
    private final JsonFactory json = JsonFactory.builder().build();
    private final WithoutSecrets copy = new WithoutSecrets();
    private final List<UnreadableKind> unreadable = new ArrayList<>();
    private final List<String> warnings = new ArrayList<>();
    private long written;

    /**
     * @param chunkSize the most objects of a page; 0 for lists without pages
     * @param progress gets the number of objects written so far, after each object
     * @param operatorNamespace where the operator's ConfigMaps are; if empty, they are looked for in all namespaces
     */
    public ClusterDump(ApiServer server, int chunkSize, LongConsumer progress, Optional<String> operatorNamespace) {
        this.server = server;
        this.chunkSize = chunkSize;
        this.progress = progress;
        this.operatorNamespace = operatorNamespace;
    }

    /**
     * Writes the list. Kinds that may not be listed, or that the API server does not serve, are left out.
     *
     * @throws DumpException if a list breaks off, so that the text is no whole JSON
     */
    public void write(Writer text) throws DumpException, InterruptedException {
        json.setRootValueSeparator(",\n");
        try {
            text.write("{\"apiVersion\":\"v1\",\"kind\":\"List\",\"metadata\":{},\"items\":[\n");
            // The generator is not closed, because the text goes on.
            JsonGenerator out = json.createGenerator(text).disable(JsonGenerator.Feature.AUTO_CLOSE_TARGET);
            for (String path : ClusterLists.allPaths(operatorNamespace)) {
                write(path, out);
            }
            out.flush();
            text.write("\n]}\n");
            text.flush();
        } catch (IOException e) {
            throw new DumpException("cannot write to standard output: " + e.getMessage(), e);
        }
    }

    private void write(String path, JsonGenerator out) throws DumpException, InterruptedException {
        long before = written;
        try {
            ClusterLists.readAll(path, chunkSize, page -> page(page, out)).ifPresent(warnings::add);
        } catch (ApiRefusal e) {
            if (written > before) {
                throw new DumpException(
                        "cannot list " + path + " to its end: " + e.getMessage()
                                + ": run the command again, with a larger --chunk-size if a continue parameter is too"
                                + " old",
                        e);
            }
            leaveOut(path, e);
        } catch (IOException | UncheckedIOException e) {
            throw ClusterLists.failed(server, path, e);
        }
    }

    private void leaveOut(String path, ApiRefusal e) throws DumpException {
        switch (e.getCode()) {
            case ClusterLists.FORBIDDEN ->
                unreadable.add(new UnreadableKind(
                        path,
                        UnreadableKind.FORBIDDEN,
                        "the right to list " + path + " is missing, so these objects are left out"));
            case ClusterLists.NOT_FOUND ->
                unreadable.add(new UnreadableKind(
                        path,
                        UnreadableKind.NOT_FOUND,
                        "the API server does not serve " + path + ", so these objects are left out"));
            default -> throw new DumpException("cannot list " + path + ": " + e.getMessage(), e);
        }
    }

    /** {@return the token for the next page; empty on the last page} */
    private String page(String path, JsonGenerator out) throws IOException, InterruptedException {
        try (StreamedResponse body = server.get(path, ClusterLists.JSON, ClusterLists.PATIENCE, ClusterLists.PATIENCE);
                JsonParser list = json.createParser(body)) {
            Header header = Header.UNKNOWN;
            String token = "";
            if (list.nextToken() != JsonToken.START_OBJECT) {
                throw new IOException("the API server sent no list");
            }
            while (list.nextToken() != JsonToken.END_OBJECT) {
                String field = list.currentName();
                list.nextToken();
                switch (field) {
                    case "apiVersion" -> header = new Header(list.getText(), header.kind());
                    case "kind" -> header = new Header(header.apiVersion(), list.getText());
                    case "metadata" -> token = continueToken(list);
                    case ITEMS -> items(list, header.ofItems(), out);
                    default -> list.skipChildren();
                }
            }
            return token;
        }
    }

    private static String continueToken(JsonParser list) throws IOException {
        String token = "";
        while (list.nextToken() != JsonToken.END_OBJECT) {
            String field = list.currentName();
            list.nextToken();
            if (field.equals("continue")) {
                token = list.getText();
            }
            list.skipChildren();
        }
        return token;
    }

    private void items(JsonParser list, Header header, JsonGenerator out) throws IOException {
        if (list.currentToken() != JsonToken.START_ARRAY) {
            return;
        }
        while (list.nextToken() != JsonToken.END_ARRAY) {
            copy.object(list, header, out);
            progress.accept(++written);
        }
    }

    /** {@return how many objects were written} */
    public long written() {
        return written;
    }

    /** {@return the kinds that were left out, and why lists that were written may not be exact, as sentences} */
    public List<String> warnings() {
        return Stream.concat(unreadable.stream().map(UnreadableKind::message), warnings.stream())
                .toList();
    }

    /** {@return the kinds without which no command can judge, and that could not be listed: {@code nodes}} */
    public List<String> missing() {
        return unreadable.stream()
                .map(UnreadableKind::path)
                .filter(NEEDED::contains)
                .map(path -> path.substring(path.lastIndexOf('/') + 1))
                .toList();
    }

    /** {@return what was left out of the objects, as a sentence; empty if nothing was} */
    public Optional<String> leftOut() {
        return copy.leftOut();
    }
}
