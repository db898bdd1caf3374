package dev.holdfast.it.bench.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.net.URI;
import java.util.concurrent.ExecutionException;

/** Reader of objects as kube-apiserver stores them in etcd. */
record StoredObjects(KubernetesClient client) {
    /**
     * {@return the bytes of an object}
     *
     * @param path its API path
     * @param encoding the media type in which it is stored
     */
    byte[] of(String path, String encoding) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.getHttpClient()
                    .sendAsync(
                            client.getHttpClient()
                                    .newHttpRequestBuilder()
                                    .uri(URI.create(client.getConfiguration().getMasterUrl())
                                            .resolve(path))
                                    .header("Accept", encoding)
                                    .build(),
                            byte[].class)
                    .get();
            if (!answer.isSuccessful()) {
                throw new IOException("the API server answered " + answer.code() + " to a read of " + path);
            }
            return answer.body();
        } catch (ExecutionException | IOException e) {
            throw new IllegalStateException("cannot read " + path, e);
        }
    }
}
