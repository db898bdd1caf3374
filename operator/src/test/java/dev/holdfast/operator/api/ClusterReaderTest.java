package dev.holdfast.operator.api;

import static dev.holdfast.operator.decode.Message.message;
import static dev.holdfast.operator.decode.RecordedBodies.envelope;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.NodeDecoder;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.model.LabelSelector;
import dev.holdfast.policies.model.Labels;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import dev.holdfast.policies.model.Requirement;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests of the reads of single objects before an eviction, with all errors and invalid bodies. */
@Timeout(60)
class ClusterReaderTest {
    private static final String POD = "/api/v1/namespaces/shop/pods/web-1";
    private static final String NODE = "/api/v1/nodes/n1.example";
    private static final byte[] WEB = envelope("Pod", pod("web-1", "shop", 7));
    private static final Effect.Confirm ASKED =
            new Effect.Confirm("p", new NamespacedName("shop", "web-1"), "n1.example", List.of());

    private final Map<String, Reply> replies = new ConcurrentHashMap<>(Map.of(
            POD,
            says(WEB),
            NODE,
            says(envelope("Node", node())),
            "/api/v1/namespaces/other/pods/cache-0",
            says(envelope("Pod", pod("cache-0", "other", 9)))));
    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);
    private final ClusterReader reader = new ClusterReader(server.connection(), Duration.ofSeconds(20));

    private Reply answer(Request request) {
        return replies.getOrDefault(request.target(), new Reply.Refuses(404, "", status(404, "not found")));
    }

    private static Reply says(byte[] body) {
        return new Reply.Refuses(200, "", body);
    }

    private static byte[] status(int code, String message) {
        return envelope("Status", message().text(2, "Failure").text(3, message).number(6, code));
    }

    private static Message pod(String name, String namespace, long version) {
        return message()
                .part(
                        1,
                        message()
                                .text(1, name)
                                .text(3, namespace)
                                .text(5, "uid-" + name)
                                .text(6, Long.toString(version))
                                .entry(11, "app", name)
                                .part(8, message().number(1, 60)))
                .part(
                        2,
                        message()
                                .part(
                                        1,
                                        message()
                                                .text(1, "v")
                                                .part(
                                                        2,
                                                        message()
                                                                .part(
                                                                        10,
                                                                        message()
                                                                                .text(1, "data"))))
                                .part(
                                        2,
                                        message()
                                                .text(1, "c")
                                                .part(6, message().number(2, 80))
                                                .part(8, message().part(2, amount("cpu", "250m"))))
                                .entry(7, "disk", name)
                                .text(10, "n1.example"))
                .part(
                        3,
                        message()
                                .text(1, "Running")
                                .part(2, message().text(1, "Ready").text(2, "True")));
    }

    private static Message node() {
        return message()
                .part(
                        1,
                        message()
                                .text(1, "n1.example")
                                .text(5, "uid-n1")
                                .text(6, "3")
                                .part(8, message().number(1, 9)))
                .part(
                        3,
                        message()
                                .part(2, amount("cpu", "4"))
                                .part(
                                        4,
                                        message()
                                                .text(1, "Ready")
                                                .text(2, "True")
                                                .part(4, message().number(1, 50))));
    }

    private static Message amount(String name, String quantity) {
        return message().text(1, name).part(2, message().text(1, quantity));
    }

    @AfterEach
    void close() {
        reader.close();
        server.close();
    }

    private static Pod decoded(Message pod) {
        try {
            return new PodDecoder().decode(new ByteSlice(pod.bytes()));
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }

    private static Event failed(Reason reason, String message) {
        return new Event.ConfirmFailed("p", reason, message);
    }

    @Test
    void whatStandsThereIsToldAsTheFeedTellsIt() throws MalformedException {
        Pod pod = decoded(pod("web-1", "shop", 7));
        Node node = new NodeDecoder().decode(new ByteSlice(node().bytes()));

        Event event = reader.confirm(new Effect.Confirm(
                "p",
                new NamespacedName("shop", "web-1"),
                "n1.example",
                List.of(new NamespacedName("other", "gone"), new NamespacedName("other", "cache-0"))));

        assertThat(event)
                .isEqualTo(new Event.Confirmed(
                        "p", Optional.of(pod), Optional.of(node), List.of(decoded(pod("cache-0", "other", 9)))));
        assertThat(pod.podRequirements().requests().milliCpu()).isEqualTo(250);
        assertThat(pod.podRequirements().claims()).containsExactly("data");
        assertThat(node.allocatable().milliCpu()).isEqualTo(4_000);
        assertThat(server.received())
                .extracting(it ->
                        it.method() + " " + it.target() + " " + it.headers().getOrDefault("accept", ""))
                .containsExactly(
                        "GET " + POD + " application/vnd.kubernetes.protobuf",
                        "GET " + NODE + " application/vnd.kubernetes.protobuf",
                        "GET /api/v1/namespaces/other/pods/gone application/vnd.kubernetes.protobuf",
                        "GET /api/v1/namespaces/other/pods/cache-0 application/vnd.kubernetes.protobuf");
    }

    static Stream<Arguments> counted() {
        LabelSelector all = new LabelSelector(
                Labels.of("app", "web"),
                List.of(
                        new Requirement("tier", "NotIn", List.of("test", "dev")),
                        new Requirement("zone", "Exists", List.of()),
                        new Requirement("canary", "DoesNotExist", List.of()),
                        new Requirement("hash", "In", List.of("7f", ""))));
        return Stream.of(
                argumentSet(
                        "of one namespace, all of them",
                        new Effect.Counted(Optional.of("shop"), new LabelSelector(Labels.of("app", "web"), List.of())),
                        "/api/v1/namespaces/shop/pods?limit=500&labelSelector=app+in+%28web%29",
                        "",
                        true),
                argumentSet(
                        "of all namespaces, and there are more",
                        new Effect.Counted(Optional.empty(), all),
                        "/api/v1/pods?limit=500&labelSelector=app+in+%28web%29%2Ctier+notin+%28test%2Cdev%29%2Czone%2C"
                                + "%21canary%2Chash+in+%287f%2C%29",
                        "more",
                        false));
    }

    @ParameterizedTest
    @MethodSource("counted")
    void podsThatARuleCountsAreListedInOneRequest(
            Effect.Counted counted, String target, String continueToken, boolean complete) {
        Message metadata = message().text(2, "40").text(3, continueToken);
        replies.put(target, says(envelope("PodList", message().part(1, metadata).part(2, pod("web-9", "shop", 8)))));

        Event event = reader.confirm(asking(counted));

        assertThat(event)
                .isInstanceOfSatisfying(
                        Event.Confirmed.class,
                        confirmed -> assertThat(confirmed.counted())
                                .contains(new Event.CountedPods(
                                        List.of(decoded(pod("web-9", "shop", 8))), 40, complete)));
    }

    @Test
    void aListOfCountedPodsThatIsNotThereIsAFailedRead() {
        Effect.Counted counted =
                new Effect.Counted(Optional.of("shop"), new LabelSelector(Labels.of("app", "web"), List.of()));

        assertThat(reader.confirm(asking(counted)))
                .isEqualTo(failed(Reason.API_ERROR, "the API server does not serve pods and nodes"));
    }

    private static Effect.Confirm asking(Effect.Counted counted) {
        return new Effect.Confirm(ASKED.planId(), ASKED.pod(), ASKED.node(), List.of(), Set.of(), Optional.of(counted));
    }

    @Test
    void aNodeWithMoreLabelsThanHoldfastReadsIsUnread() throws MalformedException {
        Message metadata = message().text(1, "n1.example").text(5, "uid-n1").text(6, "3");
        for (int i = 0; i < 5_000; i++) {
            metadata.entry(11, "k" + i, "");
        }
        replies.put(NODE, says(envelope("Node", message().part(1, metadata))));

        assertThat(reader.confirm(ASKED))
                .isInstanceOfSatisfying(
                        Event.Confirmed.class,
                        confirmed -> assertThat(confirmed.node().flatMap(Node::tooComplex))
                                .contains("it has 5,000 labels, and Holdfast reads at most 1,024"));
    }

    @Test
    void aPodWithMoreLabelsThanHoldfastReadsIsTooComplex() {
        Message labels = message();
        for (int i = 0; i < 64; i++) {
            labels.entry(11, "k" + i, "");
        }
        replies.put(
                POD,
                says(envelope(
                        "Pod",
                        message()
                                .part(
                                        1,
                                        message()
                                                .text(1, "web-1")
                                                .text(3, "shop")
                                                .text(5, "u-1")
                                                .text(6, "7")
                                                .entry(11, "app", "web")
                                                .raw(labels.bytes())))));

        assertThat(reader.confirm(ASKED))
                .isInstanceOfSatisfying(
                        Event.Confirmed.class,
                        confirmed -> assertThat(confirmed
                                        .pod()
                                        .flatMap(it -> it.scheduling().tooComplex()))
                                .contains("it has 65 labels, and Holdfast reads at most 64"));
    }

    @Test
    void whatIsGoneIsAbsent() {
        replies.clear();

        assertThat(reader.confirm(ASKED))
                .isEqualTo(new Event.Confirmed("p", Optional.empty(), Optional.empty(), List.of()));
    }

    static Stream<Arguments> refusals() {
        return Stream.of(
                argumentSet(
                        "a right that is missing",
                        403,
                        Reason.FORBIDDEN,
                        "the right to get pods and nodes is missing: grant it to User \"nobody\""),
                argumentSet(
                        "too many requests",
                        429,
                        Reason.THROTTLED,
                        "the API server answered 429 to get pods and nodes: no, User \"nobody\""),
                argumentSet(
                        "an error",
                        500,
                        Reason.API_ERROR,
                        "the API server answered 500 to get pods and nodes: no, User \"nobody\""),
                argumentSet(
                        "expired credentials",
                        401,
                        Reason.API_ERROR,
                        "the API server does not accept our credentials (401) to get pods and nodes"));
    }

    @ParameterizedTest
    @MethodSource("refusals")
    void aRefusalIsNamed(int code, Reason reason, String message) {
        Reply refusal = new Reply.Refuses(code, "", status(code, "no, User \"nobody\""));
        replies.put(POD, refusal);
        assertThat(reader.confirm(ASKED)).isEqualTo(failed(reason, message));

        replies.put(POD, says(WEB));
        replies.put(NODE, refusal);
        assertThat(reader.confirm(ASKED)).isEqualTo(failed(reason, message));
    }

    @ParameterizedTest
    @ValueSource(ints = {403, 404})
    void thePageOfAProxySaysNeitherThatARightIsMissingNorThatThePodIsGone(int code) {
        replies.put(POD, new Reply.Says(code, "<html>no</html>"));

        assertThat(reader.confirm(ASKED))
                .isEqualTo(failed(
                        Reason.API_ERROR,
                        "the API server, or a proxy in front of it, answered " + code
                                + " to get pods and nodes: <html>no</html>"));
    }

    @Test
    void anObjectThatIsCutIsNoObjectThoughHttpEndsItWell() {
        // The last four bytes are two empty strings after the object.
        for (int length = 0; length < WEB.length - 4; length++) {
            replies.put(POD, says(Arrays.copyOf(WEB, length)));

            assertThat(reader.confirm(ASKED))
                    .as("cut after %d bytes", length)
                    .isInstanceOfSatisfying(Event.ConfirmFailed.class, failed -> {
                        assertThat(failed.reason()).isEqualTo(Reason.API_ERROR);
                        assertThat(failed.message())
                                .startsWith("cannot get pods and nodes: the answer cannot be read: byte ");
                    });
        }
    }

    @Test
    void anObjectWhoseConnectionIsCutIsNoObject() {
        replies.put(POD, new Reply.Streams(body -> {
            body.send(WEB);
            body.cut();
        }));

        assertThat(reader.confirm(ASKED))
                .isInstanceOfSatisfying(
                        Event.ConfirmFailed.class,
                        failed -> assertThat(failed.message())
                                .startsWith("cannot reach the API server to get pods and nodes: the connection broke"));
    }

    static Stream<Arguments> otherThings() {
        String unread = "cannot get pods and nodes: the answer cannot be read: byte 0: ";
        return Stream.of(
                argumentSet(
                        "the page of a proxy",
                        "<html>log in</html>".getBytes(StandardCharsets.UTF_8),
                        unread + "this is not protobuf of an API server: it begins with \"<html>log in</html>\""),
                argumentSet(
                        "an error with status 200",
                        status(500, "no"),
                        unread + "expected a Pod, but this is of kind \"Status\""),
                argumentSet(
                        "another kind of object",
                        envelope("Node", node()),
                        unread + "expected a Pod, but this is of kind \"Node\""),
                argumentSet(
                        "a list",
                        RecordedBodies.list("9", pod("web-1", "shop", 7)),
                        unread + "expected a Pod, but this is of kind \"PodList\""),
                argumentSet(
                        "an object without a kind",
                        message()
                                .raw('k', '8', 's', 0)
                                .part(2, pod("web-1", "shop", 7))
                                .bytes(),
                        unread + "expected a Pod, but this is of kind \"\""),
                argumentSet("an empty envelope", envelope("Pod", message()), "byte"),
                argumentSet(
                        "a body above the limit",
                        new byte[(16 << 20) + 1],
                        "cannot get pods and nodes: the answer cannot be read: byte 16777216:"
                                + " an object of more than 16777216 bytes"));
    }

    @ParameterizedTest
    @MethodSource("otherThings")
    void whatIsNoPodIsNotTakenForOne(byte[] body, String message) {
        replies.put(POD, says(body));

        assertThat(reader.confirm(ASKED))
                .isInstanceOfSatisfying(
                        Event.ConfirmFailed.class,
                        failed -> assertThat(failed.message()).contains(message));
    }

    @ParameterizedTest(name = "\"{0}\"")
    @ValueSource(strings = {"", ".", "..", "../nodes/n1", "a/b", "a%2fb", "a?b", "a b", "a#b", "Ä", "-a", "a\n"})
    void whatIsNoNameDoesNotGetIntoAPath(String name) {
        String message = "cannot get pods and nodes: \"" + name.replace('\n', ' ') + "\" is not a valid object name";
        NamespacedName web = new NamespacedName("shop", "web-1");

        assertThat(reader.confirm(new Effect.Confirm("p", new NamespacedName("shop", name), "n1", List.of())))
                .isEqualTo(failed(Reason.API_ERROR, message));
        assertThat(reader.confirm(new Effect.Confirm("p", new NamespacedName(name, "web-1"), "n1", List.of())))
                .isEqualTo(failed(Reason.API_ERROR, message));
        assertThat(reader.confirm(new Effect.Confirm("p", web, name, List.of())))
                .isEqualTo(failed(Reason.API_ERROR, message));
        assertThat(server.received()).extracting(Request::target).containsOnly(POD);
    }

    @Test
    void anAnswerThatComesByteByByteIsNotWaitedForForEver() {
        replies.put(POD, new Reply.Streams(this::trickle));

        try (ClusterReader hasty = new ClusterReader(server.connection(), Duration.ofMillis(500))) {
            assertThat(hasty.confirm(ASKED))
                    .isEqualTo(failed(
                            Reason.API_ERROR,
                            "cannot reach the API server to get pods and nodes: no complete answer within 500 ms"));
        }
    }

    private final CountDownLatch never = new CountDownLatch(1);

    private void trickle(WebSocketApiServer.Body body) throws IOException {
        try {
            for (int at = 0; !never.await(100, TimeUnit.MILLISECONDS); at++) {
                body.send(new byte[] {WEB[at % WEB.length]});
            }
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    @Test
    void whoIsInterruptedWhileHeWaitsIsToldSo() {
        replies.put(POD, new Reply.StaysSilent());
        CompletableFuture<Event> confirmed = new CompletableFuture<>();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread asking = Thread.ofVirtual().start(() -> {
            confirmed.complete(reader.confirm(ASKED));
            interrupted.complete(Thread.currentThread().isInterrupted());
        });
        awaitRequest();

        asking.interrupt();

        assertThat(confirmed.join()).isEqualTo(failed(Reason.API_ERROR, "the operator stops"));
        assertThat(interrupted.join()).isTrue();
    }

    @Test
    void whatIsUnderWayEndsWhenItIsClosed() {
        replies.put(POD, new Reply.StaysSilent());
        CompletableFuture<Event> confirmed = CompletableFuture.supplyAsync(() -> reader.confirm(ASKED));
        awaitRequest();

        reader.close();

        assertThat(confirmed.join())
                .isEqualTo(failed(
                        Reason.API_ERROR, "cannot reach the API server to get pods and nodes: the operator stops"));
        assertThat(reader.confirm(ASKED)).isInstanceOf(Event.ConfirmFailed.class);
    }

    private void awaitRequest() {
        while (server.received().isEmpty()) {
            Thread.onSpinWait();
        }
    }

    @Test
    void manyAskAtOnceAndEachGetsWhatHeAskedFor() throws MalformedException {
        List<NamespacedName> names = IntStream.range(0, 8)
                .mapToObj(i -> new NamespacedName("shop", "web-" + "x".repeat(20 * i) + i))
                .toList();
        for (NamespacedName name : names) {
            replies.put(
                    "/api/v1/namespaces/shop/pods/" + name.name(), says(envelope("Pod", pod(name.name(), "shop", 7))));
        }
        List<CompletableFuture<Void>> all = new ArrayList<>();
        for (NamespacedName name : names) {
            Pod expected = decoded(pod(name.name(), "shop", 7));
            CompletableFuture<Void> asked = new CompletableFuture<>();
            all.add(asked);
            Thread.ofPlatform().start(() -> {
                try {
                    for (int i = 0; i < 100; i++) {
                        assertThat(reader.confirm(new Effect.Confirm("p", name, "n1.example", List.of())))
                                .isInstanceOfSatisfying(
                                        Event.Confirmed.class,
                                        it -> assertThat(it.pod()).contains(expected));
                    }
                    asked.complete(null);
                } catch (RuntimeException | Error e) {
                    asked.completeExceptionally(e);
                }
            });
        }

        all.forEach(CompletableFuture::join);
    }
}
