package dev.holdfast.operator.api;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.Interceptor;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * Interceptor that fails watches over plain HTTP. The client falls back to plain HTTP when it cannot open a WebSocket,
 * and its plain HTTP watches corrupt non-ASCII text.
 */
final class PlainHttpWatchGuard implements Interceptor {
    /**
     * Throws if the request is a watch. The client calls this before every request, except when it opens a WebSocket.
     */
    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        String query = request.uri().getQuery();
        if (query != null && query.contains("watch=true")) {
            throw new KubernetesClientException(
                    "cannot open a WebSocket: the API server, or a proxy in front of it, answered 200 or 503, or did"
                            + " not answer in time; if this persists, make the proxy pass WebSocket upgrades");
        }
        return consumer;
    }
}
