package dev.holdfast.operator.cli;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.envelope;
import static dev.holdfast.operator.decode.RecordedBodies.frame;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Body;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code holdfast check --watch} of a live cluster with one pod, which wants an SSD, and one node. */
@Timeout(60)
class LiveWatchTest {
    private static final String NODES = "/api/v1/nodes";
    private static final String PODS = "/api/v1/pods";
    private static final String POLICIES = "/apis/holdfast.dev/v1alpha1/placementpolicies";
    private static final String HEADER = "EVENT   TIME   NAMESPACE   POD   NODE   RULE   BREACH";
    private static final String OTHERS = "{\"apiVersion\": \"holdfast.dev/v1alpha1\", \"kind\": \"PlacementPolicy\","
            + " \"metadata\": {\"namespace\": \"shop\", \"name\": \"others\"},"
            + " \"spec\": {\"podSelector\": {\"matchLabels\": {\"app\": \"none\"}}}}";

    private static final String BREACH = "n1 does not match disk=ssd: it has disk=hdd";

    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);
    private final Map<String, Body> watches = new ConcurrentHashMap<>();
    private volatile String disk = "hdd";
    private volatile String policies = "";
    private volatile String forbidden = "none";

    @TempDir
    private Path folder;

    private Path kubeconfig = Path.of("");
    private CommandRun run = CommandRun.in(Path.of(""));
    private Thread command = Thread.currentThread();
    private volatile int exitCode = -1;

    @BeforeEach
    void writeKubeconfig() throws IOException {
        kubeconfig = Files.writeString(folder.resolve("kubeconfig"), server.kubeconfig());
    }

    @AfterEach
    void close() throws InterruptedException {
        if (!command.equals(Thread.currentThread())) {
            command.interrupt();
            command.join();
        }
        server.close();
    }

    private Reply answer(Request request) {
        String path = request.target().replaceAll("\\?.*", "");
        if (path.equals(forbidden)) {
            return new Reply.Says(
                    403,
                    "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"User \\\"me\\\" cannot"
                            + " list\",\"code\":403}");
        }
        if (request.isWatch()) {
            return new Reply.Streams(body -> watches.put(path, body));
        }
        return switch (path) {
            case "/api/v1/namespaces" -> list(message().part(1, metadata("shop", "")));
            case NODES -> list(node());
            case PODS -> list(pod("web-1"));
            case "/api/v1/configmaps" -> json("List", "");
            default ->
                path.startsWith("/apis/")
                        ? json("PlacementPolicyList", path.equals(POLICIES) ? policies : "")
                        : new Reply.Says(404, "404 page not found");
        };
    }

    private static Reply list(Message object) {
        return body(RecordedBodies.list("9", object));
    }

    private static Reply json(String kind, String items) {
        return body(("{\"kind\":\"" + kind + "\",\"apiVersion\":\"holdfast.dev/v1alpha1\","
                        + "\"metadata\":{\"resourceVersion\":\"9\"},\"items\":[" + items + "]}")
                .getBytes(UTF_8));
    }

    private static Reply body(byte[] bytes) {
        return new Reply.Streams(body -> {
            body.send(bytes);
            body.end();
        });
    }

    private static Message metadata(String name, String namespace) {
        return message().text(1, name).text(3, namespace).text(5, "uid-" + name).text(6, "5");
    }

    private static Message entry(String key, String value) {
        return message().text(1, key).text(2, value);
    }

    private Message node() {
        return message().part(1, metadata("n1", "").text(6, "1" + disk.length()).part(11, entry("disk", disk)));
    }

    private static Message pod(String name) {
        return message()
                .part(1, metadata(name, "shop").part(11, entry("app", "web")))
                .part(2, message().part(7, entry("disk", "ssd")).text(10, "n1"))
                .part(3, message().text(1, "Running"));
    }

    private void start(String... arguments) {
        run = CommandRun.in(folder);
        command = Thread.ofPlatform()
                .start(() -> exitCode = run.execute(
                        Stream.concat(Stream.of("check", "--kubeconfig", kubeconfig.toString()), Stream.of(arguments))
                                .toArray(String[]::new)));
    }

    /** Waits until the lines after the list are these. */
    private void printed(String... lines) {
        await().untilAsserted(() -> assertThat(
                        run.out().toString().replaceAll(" {4,}", "   ").lines())
                .as(run.err().toString())
                .endsWith(lines));
    }

    private void send(String path, byte[] bytes) throws IOException {
        await().until(() -> watches.containsKey(path));
        Objects.requireNonNull(watches.remove(path)).send(bytes);
    }

    /** Sends the only node, with a disk of another kind. */
    private void changeDisk(String kind) throws IOException {
        disk = kind;
        await().until(() -> watches.containsKey(NODES));
        Message changed = message()
                .part(
                        1,
                        message()
                                .text(1, "n1")
                                .text(5, "uid-n1")
                                .text(6, "2" + run.out().toString().length())
                                .part(11, entry("disk", kind)));
        Objects.requireNonNull(watches.get(NODES)).send(frame("MODIFIED", envelope("Node", changed)));
    }

    private static String line(String event, String breach) {
        return event + "   2026-11-20T12:00:00Z   shop   web-1   n1   NodeAffinity   " + breach;
    }

    @Test
    void theListIsFollowedByALineForEachChange() throws IOException {
        start("-w");
        printed("", HEADER);
        assertThat(run.out().toString())
                .startsWith("NAMESPACE   POD     NODE   RULE           BREACH\nshop        web-1");

        changeDisk("ssd");
        String ended = line("ENDED", "label disk of node n1 changed hdd -> ssd");
        printed("", HEADER, ended);

        changeDisk("hdd");
        printed("", HEADER, ended, line("BEGAN", BREACH));
        assertThat(run.err().toString())
                .contains("1 violation; 1 pod on 1 node")
                .doesNotContain("view");
    }

    @Test
    void anExpiredWatchIsSaidAndTellsNothingAgain() throws IOException {
        start("--watch-only", "-o", "json");
        send(
                PODS,
                frame("ERROR", envelope("Status", message().text(3, "too old").number(6, 410))));

        await().until(() -> run.err().toString().contains("holdfast: the view of pods is synced again\n"));
        assertThat(run.err().toString()).contains("holdfast: the view of pods is lost: ");
        assertThat(run.out().toString()).isEmpty();
        send(PODS, frame("ADDED", envelope("Pod", pod("web-2").part(1, message().text(6, "12")))));
        await().until(() -> run.out().toString().contains("\"event\" : \"Began\""));
        assertThat(run.out().toString()).contains("\"pod\" : \"web-2\"").doesNotContain("web-1");
    }

    @Test
    void policiesOfTheClusterAreFollowed() throws IOException {
        start("-w", "-n", "shop", "--no-headers");
        printed("shop   web-1   n1   NodeAffinity   " + BREACH);
        await().until(() -> watches.containsKey(POLICIES));
        policies = OTHERS;

        send(POLICIES, "{\"type\":\"BOOKMARK\"}\n{\"type\":\"ADDED\"}\n".getBytes(UTF_8));

        printed(line("ENDED", "other policies select the pod, or none does"));
    }

    @Test
    void aMissingRightIsOneMessage() throws InterruptedException {
        forbidden = PODS;
        start("-w");
        command.join();

        assertThat(exitCode).isEqualTo(ExitCode.COULD_NOT_RUN);
        assertThat(run.out().toString()).isEmpty();
        assertThat(run.err().toString().lines())
                .last()
                .isEqualTo("holdfast: the right to list pods is missing: grant it to User \"me\"");
    }

    @Test
    void itSendsNothingButListsAndWatchesOfWhatVerdictsDependOn() {
        start("-w", "-o", "name");
        await().until(() -> run.out().toString().equals("pod/web-1\n") && watches.size() == 5);

        assertThat(server.received())
                .allSatisfy(request -> assertThat(request.method()).isEqualTo("GET"))
                .extracting(request -> request.target().replaceAll("\\?.*|.*/", ""))
                .isSubsetOf(List.of(
                        "namespaces", "nodes", "pods", "placementpolicies", "clusterplacementpolicies", "configmaps"));
    }
}
