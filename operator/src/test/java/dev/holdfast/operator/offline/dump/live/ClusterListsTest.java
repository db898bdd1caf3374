package dev.holdfast.operator.offline.dump.live;

import static dev.holdfast.operator.decode.Message.message;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.api.StreamingRequests;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import dev.holdfast.operator.offline.dump.Dump;
import dev.holdfast.operator.offline.dump.DumpException;
import dev.holdfast.operator.offline.dump.UnreadableKind;
import dev.holdfast.operator.offline.dump.live.ClusterLists.Depth;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Namespace;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** A cluster of five namespaces and five policies that is listed in pages. */
@Timeout(60)
class ClusterListsTest {
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String POLICIES = "/apis/holdfast.dev/v1alpha1/placementpolicies";
    private static final String EXPIRED =
            "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"The provided continue parameter is too old\"}";
    private static final String EXPIRED_WITH_TOKEN =
            EXPIRED.replace("{\"kind", "{\"metadata\":{\"continue\":\"3+/=\"},\"kind");
    private static final String REFUSED = "{\"kind\":\"Status\",\"status\":\"Failure\",\"message\":\"no\"}";

    /** The names of the objects, by the path of the list. */
    private final Map<String, List<String>> names = new ConcurrentHashMap<>(
            Map.of(NAMESPACES, List.of("a", "b", "c", "d", "e"), POLICIES, List.of("k", "l", "m", "n", "o")));

    /** Answers that the server gives instead, by the path and query. */
    private final Map<String, Queue<Reply>> instead = new ConcurrentHashMap<>();

    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);
    private final StreamingRequests requests = new StreamingRequests(server.connection());

    @AfterEach
    void close() {
        requests.close();
        server.close();
    }

    private Reply answer(Request request) {
        Queue<Reply> others = instead.getOrDefault(request.target(), new ConcurrentLinkedQueue<>());
        return others.isEmpty() ? page(request) : others.remove();
    }

    private void answer(String target, Reply reply) {
        instead.computeIfAbsent(target, _ -> new ConcurrentLinkedQueue<>()).add(reply);
    }

    private Reply page(Request request) {
        String[] target = request.target().split("\\?", 2);
        Map<String, String> query = Arrays.stream((target.length > 1 ? target[1] : "").split("&"))
                .map(part -> part.split("=", 2))
                .filter(part -> part.length == 2)
                .collect(Collectors.toMap(part -> part[0], part -> URLDecoder.decode(part[1], StandardCharsets.UTF_8)));
        List<String> all = names.getOrDefault(target[0], List.of());
        int from = Integer.parseInt(query.getOrDefault("continue", "0").replace("+/=", ""));
        int to = Math.min(all.size(), from + Integer.parseInt(query.getOrDefault("limit", "100")));
        String token = to == all.size() ? "" : to + "+/=";
        boolean json = "application/json".equals(request.headers().get("accept"));
        return says(json ? json(all.subList(from, to), token) : protobuf(all.subList(from, to), token));
    }

    private static byte[] json(List<String> names, String token) {
        return names.stream()
                .map(name -> """
                    {"apiVersion": "holdfast.dev/v1alpha1", "kind": "PlacementPolicy", "metadata": {"name": "%s"}}\
                    """.formatted(name))
                .collect(Collectors.joining(
                        ",",
                        "{\"kind\":\"PlacementPolicyList\",\"apiVersion\":\"holdfast.dev/v1alpha1\",\"metadata\":{\"continue\":\""
                                + token + "\"},\"items\":[",
                        "]}"))
                .getBytes(StandardCharsets.UTF_8);
    }

    private static byte[] protobuf(List<String> names, String token) {
        Message list = message().part(1, message().text(2, "9").text(3, token));
        names.forEach(name -> list.part(
                2,
                message()
                        .part(
                                1,
                                message()
                                        .text(1, name)
                                        .text(3, "shop")
                                        .text(5, "uid-" + name)
                                        .text(6, "5"))));
        return RecordedBodies.envelope("NamespaceList", list);
    }

    private static Reply says(byte[] body) {
        return new Reply.Streams(answer -> {
            answer.send(body);
            answer.end();
        });
    }

    private Dump read(int chunkSize, Depth depth) throws DumpException, InterruptedException {
        return new ClusterLists(requests, chunkSize, _ -> {}, Optional.empty()).read(depth);
    }

    private static List<String> namespaces(Dump dump) {
        List<String> names = new ArrayList<>();
        for (ClusterEvent event : dump.objects()) {
            if (event instanceof ClusterEvent.NamespaceChanged(Namespace namespace)) {
                names.add(namespace.name());
            }
        }
        return names;
    }

    private static List<String> policies(Dump dump) {
        return dump.policies().stream()
                .map(policy -> policy.at("/metadata/name").asText())
                .toList();
    }

    private List<String> requested(String path) {
        return server.received().stream()
                .map(Request::target)
                .filter(target -> target.startsWith(path))
                .map(target -> target.substring(path.length()))
                .toList();
    }

    static Stream<Arguments> sizes() {
        return Stream.of(
                argumentSet(
                        "pages of two: 2 + 2 + 1",
                        2,
                        List.of("?limit=2", "?limit=2&continue=2%2B%2F%3D", "?limit=2&continue=4%2B%2F%3D")),
                argumentSet("a page that is large enough is the whole list", 5, List.of("?limit=5")),
                argumentSet("size 0 asks for no pages", 0, List.of("")));
    }

    @ParameterizedTest
    @MethodSource("sizes")
    void eachKindIsReadPageByPage(int chunkSize, List<String> queries) throws Exception {
        Dump dump = read(chunkSize, Depth.VERDICTS);

        assertThat(namespaces(dump)).containsExactly("a", "b", "c", "d", "e");
        assertThat(policies(dump)).containsExactly("k", "l", "m", "n", "o");
        assertThat(dump.count("Namespace")).isEqualTo(5);
        assertThat(requested(NAMESPACES)).isEqualTo(queries);
        assertThat(requested(POLICIES)).isEqualTo(queries);
    }

    @Test
    void aListWithASelectorIsReadInPagesToo() throws Exception {
        read(2, Depth.HISTORY);

        assertThat(requested("/api/v1/events")).containsExactly("?fieldSelector=source%3Dholdfast&limit=2");
    }

    static Stream<Arguments> paths() {
        return Stream.of(argumentSet("protobuf", NAMESPACES), argumentSet("JSON", POLICIES));
    }

    /** What was read before belongs to another moment, so an object that is gone by then must go. */
    @ParameterizedTest
    @MethodSource("paths")
    void aListWhosePageHasExpiredIsReadAgainFromItsFirstPage(String path) throws Exception {
        answer(path + "?limit=2", page(path, "k", "l", "2+/="));
        answer(path + "?limit=2", page(path, path.equals(POLICIES) ? "k" : "a", path.equals(POLICIES) ? "p" : "f", ""));
        answer(path + "?limit=2&continue=2%2B%2F%3D", new Reply.Says(410, EXPIRED_WITH_TOKEN));

        Dump dump = read(2, Depth.VERDICTS);

        assertThat(requested(path)).containsExactly("?limit=2", "?limit=2&continue=2%2B%2F%3D", "?limit=2");
        assertThat(path.equals(POLICIES) ? policies(dump) : namespaces(dump))
                .isEqualTo(path.equals(POLICIES) ? List.of("k", "p") : List.of("a", "f"));
        assertThat(dump.count("Namespace")).isEqualTo(path.equals(POLICIES) ? 5 : 2);
        assertThat(dump.warnings()).isEmpty();
    }

    private static Reply page(String path, String one, String other, String token) {
        List<String> names = List.of(one, other);
        return says(path.equals(POLICIES) ? json(names, token) : protobuf(names, token));
    }

    static Stream<Arguments> statuses() {
        Message status = message()
                .part(1, message().text(3, "3+/="))
                .text(2, "Failure")
                .text(3, "The provided continue parameter is too old");
        return Stream.of(
                argumentSet(
                        "a Status in protobuf",
                        NAMESPACES,
                        new Reply.Refuses(410, "", RecordedBodies.envelope("Status", status))),
                argumentSet("a Status in JSON", NAMESPACES, new Reply.Says(410, EXPIRED_WITH_TOKEN)),
                argumentSet("a Status in JSON, for a list in JSON", POLICIES, new Reply.Says(410, EXPIRED_WITH_TOKEN)));
    }

    @ParameterizedTest
    @MethodSource("statuses")
    void aListThatExpiresAgainIsReadToItsEndAsItIsThen(String path, Reply expired) throws Exception {
        answer(path + "?limit=2&continue=2%2B%2F%3D", expired);
        answer(path + "?limit=2&continue=2%2B%2F%3D", expired);

        Dump dump = read(2, Depth.VERDICTS);

        assertThat(requested(path))
                .containsExactly(
                        "?limit=2",
                        "?limit=2&continue=2%2B%2F%3D",
                        "?limit=2",
                        "?limit=2&continue=2%2B%2F%3D",
                        "?limit=2&continue=3%2B%2F%3D");
        assertThat(path.equals(POLICIES) ? policies(dump) : namespaces(dump))
                .isEqualTo(path.equals(POLICIES) ? List.of("k", "l", "n", "o") : List.of("a", "b", "d", "e"));
        assertThat(dump.warnings())
                .containsExactly("the list of " + path
                        + " took so long that the API server forgot its first moment, so the list may lack objects that"
                        + " were created or replaced meanwhile; a larger --chunk-size is faster");
    }

    @Test
    void aTokenForTheRestThatExpiresTooGivesNoAnswer() {
        answer(NAMESPACES + "?limit=2&continue=2%2B%2F%3D", new Reply.Says(410, EXPIRED));
        answer(NAMESPACES + "?limit=2&continue=2%2B%2F%3D", new Reply.Says(410, EXPIRED_WITH_TOKEN));
        answer(NAMESPACES + "?limit=2&continue=3%2B%2F%3D", new Reply.Says(410, EXPIRED_WITH_TOKEN));

        assertThatThrownBy(() -> read(2, Depth.VERDICTS))
                .isInstanceOf(DumpException.class)
                .hasMessage("cannot list " + NAMESPACES + ": The provided continue parameter is too old");
    }

    static Stream<Arguments> failures() {
        return Stream.of(paths().map(it -> (String) it.get()[0]).toList())
                .flatMap(List::stream)
                .flatMap(path -> Stream.of(
                        argumentSet(
                                path + ": the pages expire twice, without a token for the rest",
                                path,
                                List.of(new Reply.Says(410, EXPIRED), new Reply.Says(410, EXPIRED)),
                                "cannot list " + path + ": The provided continue parameter is too old"),
                        argumentSet(
                                path + ": a page is refused",
                                path,
                                List.of(new Reply.Says(500, REFUSED)),
                                "cannot list " + path + ": no"),
                        argumentSet(
                                path + ": a page is cut in the middle",
                                path,
                                List.of(new Reply.Streams(body -> {
                                    body.send(Arrays.copyOf(
                                            path.equals(POLICIES)
                                                    ? json(List.of("m", "n"), "")
                                                    : protobuf(List.of("c", "d"), ""),
                                            40));
                                    body.cut();
                                })),
                                "cannot list " + path + ": the connection broke"),
                        argumentSet(
                                path + ": a page ends early, though HTTP ends it well",
                                path,
                                List.of(says(Arrays.copyOf(
                                        path.equals(POLICIES)
                                                ? json(List.of("m", "n"), "")
                                                : protobuf(List.of("c", "d"), ""),
                                        40))),
                                "")));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void aPageThatFailsGivesNoAnswer(String path, List<Reply> replies, String message) {
        answer(path + "?limit=2&continue=2%2B%2F%3D", replies.getFirst());
        replies.stream().skip(1).forEach(reply -> answer(path + "?limit=2&continue=2%2B%2F%3D", reply));

        assertThatThrownBy(() -> read(2, Depth.VERDICTS))
                .isInstanceOf(DumpException.class)
                .hasMessageStartingWith(message)
                .hasMessageContaining(path);
    }

    @Test
    void kindsThatCannotBeListedAreNamed() throws Exception {
        String budgets = "/apis/policy/v1/poddisruptionbudgets";
        answer(budgets + "?limit=2", new Reply.Says(403, REFUSED));
        answer("/api/v1/persistentvolumeclaims?limit=2", new Reply.Says(403, REFUSED));
        answer(POLICIES + "?limit=2", new Reply.Says(404, "404 page not found"));

        Dump dump = read(2, Depth.PLANS);

        assertThat(dump.unreadable())
                .containsExactly(
                        new UnreadableKind(
                                budgets,
                                "Forbidden",
                                "the right to list " + budgets + " is missing, so plans do not know these objects"),
                        new UnreadableKind(POLICIES, "NotFound", "the API server does not serve " + POLICIES),
                        new UnreadableKind(
                                "/api/v1/persistentvolumeclaims",
                                "Forbidden",
                                "the right to list /api/v1/persistentvolumeclaims is missing, so these objects do not"
                                        + " count"));
        assertThat(dump.warnings())
                .as("CRDs that are not installed are nothing to warn of")
                .isEqualTo(IntStream.of(0, 2)
                        .mapToObj(place -> dump.unreadable().get(place).message())
                        .toList());
    }

    /** The first page has two of five objects. */
    @Test
    void aKindThatMayNotBeListedAfterItsFirstPageIsNotRead() throws Exception {
        String budgets = "/apis/policy/v1/poddisruptionbudgets";
        names.put(budgets, List.of("a", "b", "c", "d", "e"));
        answer(budgets + "?limit=2&continue=2%2B%2F%3D", new Reply.Says(403, REFUSED));

        Dump dump = read(2, Depth.PLANS);

        assertThat(dump.count("PodDisruptionBudget")).isZero();
        assertThat(dump.objects()).noneMatch(ClusterEvent.BudgetChanged.class::isInstance);
        assertThat(dump.unreadable()).extracting(UnreadableKind::path).containsExactly(budgets);
    }

    @Test
    void podsThatCannotBeListedGiveNoAnswer() {
        answer("/api/v1/pods?limit=2", new Reply.Says(403, REFUSED));

        assertThatThrownBy(() -> read(2, Depth.VERDICTS)).hasMessage("cannot list /api/v1/pods: no");
    }
}
