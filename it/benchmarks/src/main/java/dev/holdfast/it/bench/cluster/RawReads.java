package dev.holdfast.it.bench.cluster;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.concurrent.ExecutionException;

/** Reader of the bytes that kube-apiserver sends. */
record RawReads(KubernetesClient client) {
    /**
     * {@return the body of the answer to a GET; for an object in the media type in which kube-apiserver stores it,
     * these are the bytes that etcd has}
     *
     * @param path the API path, with the query if there is one
     * @throws UncheckedIOException with a message of one line, if kube-apiserver refuses
     */
    byte[] get(String path, String mediaType) throws InterruptedException {
        try {
            HttpResponse<byte[]> answer = client.getHttpClient()
                    .sendAsync(
                            client.getHttpClient()
                                    .newHttpRequestBuilder()
                                    .uri(URI.create(client.getConfiguration().getMasterUrl())
                                            .resolve(path))
                                    .header("Accept", mediaType)
                                    .header("Accept-Encoding", "identity")
                                    .build(),
                            byte[].class)
                    .get();
            if (!answer.isSuccessful()) {
                throw new IOException("the API server answered " + answer.code());
            }
            return answer.body();
        } catch (ExecutionException e) {
            throw new UncheckedIOException(
                    "cannot read " + path + ": " + e.getMessage(), new IOException(e.getCause()));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + path + ": " + e.getMessage(), e);
        }
    }
}
