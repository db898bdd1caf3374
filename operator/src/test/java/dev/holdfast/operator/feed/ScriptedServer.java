package dev.holdfast.operator.feed;

import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import dev.holdfast.operator.feed.WebSocketApiServer.Request;
import io.fabric8.kubernetes.client.Config;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedDeque;

/** Fake API server that answers lists and watches of one kind from a script. It repeats the last answer of each. */
final class ScriptedServer implements AutoCloseable {
    private final Queue<Reply> lists = new ConcurrentLinkedDeque<>();
    private final Queue<Reply> watches = new ConcurrentLinkedDeque<>();
    private final WebSocketApiServer server = new WebSocketApiServer(this::answer);
    private volatile Reply newest;

    /** @param newest the answer to a list with limit 1 */
    ScriptedServer(Reply newest) {
        this.newest = newest;
    }

    private Reply answer(Request request) {
        if (request.target().matches(".*[?&]limit=1")) {
            return newest;
        }
        Queue<Reply> left = request.isWatch() ? watches : lists;
        return Optional.ofNullable(left.size() > 1 ? left.poll() : left.peek())
                .orElseThrow(() -> new IllegalStateException("no answer for " + request));
    }

    void script(List<Reply> ofLists, List<Reply> ofWatches) {
        lists.addAll(ofLists);
        watches.addAll(ofWatches);
    }

    /** Replaces the answer to a list with limit 1. */
    void newest(Reply other) {
        newest = other;
    }

    Config connection() {
        return server.connection();
    }

    List<Request> received() {
        return server.received();
    }

    /** {@return the start versions of the opened watches, in order} */
    List<String> watchedFrom() {
        return server.received().stream()
                .filter(Request::isWatch)
                .map(it -> it.target().replaceAll(".*resourceVersion=([0-9]+).*", "$1"))
                .toList();
    }

    @Override
    public void close() {
        server.close();
    }
}
