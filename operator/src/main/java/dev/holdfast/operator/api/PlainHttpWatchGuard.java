package dev.holdfast.operator.api;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Fails a watch over plain HTTP. Where no WebSocket can be opened the client falls back to it by itself, and there it
 * breaks non-ASCII text.
 */
final class PlainHttpWatchGuard implements Interceptor {
    /** Asked before every request but the opening of a WebSocket. */
    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        String query = request.uri().getQuery();
        if (query != null && query.contains("watch=true")) {
            throw new KubernetesClientException(
                    "no WebSocket could be opened: the API server, or a proxy before it, answered 200 or 503, or not"
                            + " in time; if it stays so, let the proxy pass WebSocket upgrades");
        }
        return consumer;
    }
}
