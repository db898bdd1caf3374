package dev.holdfast.operator.offline.check.watch;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.holdfast.operator.api.ApiErrorText;
import dev.holdfast.operator.api.ApiRefusal;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.DumpFile;
import dev.holdfast.operator.offline.dump.DumpReader;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Follows the policies of one kind. Policies are few, so a watch only says that one has changed, and all of its kind
 * are listed again. So an expired watch needs no care.
 */
final class PolicyWatch implements AutoCloseable {
    private static final String GROUP = "/apis/holdfast.dev/v1alpha1/";
    private static final String JSON = "application/json";
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    /** How long a watch is requested for, and the longest silence in it. A list follows each watch. */
    private static final Duration LENGTH = Duration.ofMinutes(4);

    /** The pause before each list: the operator writes the status of a policy in quick succession. */
    private static final Duration PAUSE = Duration.ofSeconds(1);

    /** The pause after a list or a watch that failed. */
    private static final Duration FAILED_PAUSE = Duration.ofSeconds(5);

    private final String plural;
    private final ApiServer server;
    private final Listener listener;
    private final Thread thread;
    private final ObjectMapper json = new ObjectMapper();
    private final CountDownLatch closing = new CountDownLatch(1);

    /** Whether any list succeeded. Read and written by the thread of this watch. */
    private boolean listed;

    /** Is called by the thread of the watch. */
    interface Listener {
        /** All policies of the kind, as they are written. */
        void read(String plural, List<ObjectNode> policies);

        /** Changes may be missed from now on. */
        void lost(String plural, String why);

        /** The policies were read, and a watch after them is open. */
        void synced(String plural);
    }

    /** @param plural the kind as API paths have it */
    PolicyWatch(String plural, ApiServer server, Listener listener, Thread.UncaughtExceptionHandler onDeath) {
        this.plural = plural;
        this.server = server;
        this.listener = listener;
        thread = Thread.ofVirtual()
                .name("watch of " + plural)
                .uncaughtExceptionHandler(onDeath)
                .unstarted(this::follow);
    }

    void start() {
        thread.start();
    }

    private void follow() {
        try {
            Duration pause = Duration.ZERO;
            while (!closing.await(pause.toMillis(), TimeUnit.MILLISECONDS)) {
                pause = listAndWatch();
            }
        } catch (InterruptedException _) {
            // Only close() interrupts.
        }
    }

    /** {@return how long to wait before the next list} */
    private Duration listAndWatch() throws InterruptedException {
        String verb = "list";
        try {
            String version = list();
            listed = true;
            verb = "watch";
            await(version);
            return PAUSE;
        } catch (ApiRefusal e) {
            if (e.getCode() == NOT_FOUND) {
                // The kind is not installed, or not any more.
                listener.read(plural, List.of());
                listener.synced(plural);
            } else if (listed || e.getCode() != FORBIDDEN) {
                listener.lost(plural, ApiErrorText.of(verb, resource(), e));
            }
        } catch (IOException | DumpException | RuntimeException e) {
            listener.lost(plural, ApiErrorText.of(verb, resource(), e));
        }
        return FAILED_PAUSE;
    }

    private String resource() {
        return plural + ".holdfast.dev";
    }

    /** {@return the version of the list} */
    private String list() throws InterruptedException, IOException, DumpException {
        try (StreamedResponse body = server.get(GROUP + plural, JSON, PATIENCE, PATIENCE)) {
            byte[] list = body.readAllBytes();
            DumpReader reader = new DumpReader(_ -> {});
            String _ = reader.readPage(new DumpFile(plural, () -> new ByteArrayInputStream(list)));
            listener.read(plural, reader.read(List.of()).policies());
            return json.readTree(list).at("/metadata/resourceVersion").asText();
        }
    }

    /** Returns when a policy has changed, or when the watch ends for another reason. */
    private void await(String version) throws InterruptedException, IOException {
        String query = "?watch=true&allowWatchBookmarks=true&resourceVersion=" + version + "&timeoutSeconds="
                + LENGTH.toSeconds();
        try (StreamedResponse body = server.get(GROUP + plural + query, JSON, PATIENCE, LENGTH)) {
            listener.synced(plural);
            BufferedReader lines = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8));
            String line = lines.readLine();
            while (line != null && isBookmark(json.readTree(line))) {
                line = lines.readLine();
            }
        }
    }

    private static boolean isBookmark(JsonNode event) {
        return event.path("type").asText().equals("BOOKMARK");
    }

    @Override
    public void close() {
        closing.countDown();
        thread.interrupt();
    }
}
