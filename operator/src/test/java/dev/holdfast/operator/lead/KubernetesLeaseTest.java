package dev.holdfast.operator.lead;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.api.LimitedRequests;
import dev.holdfast.operator.config.LeaseSettings;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import okhttp3.Interceptor;
import okhttp3.Protocol;
import okhttp3.Response;
import okhttp3.ResponseBody;
import okio.Buffer;
import okio.Okio;
import okio.Source;
import okio.Timeout;
import org.junit.jupiter.api.Test;

/** Tests that each request for the lease ends, so that the lease thread notices when it no longer leads. */
class KubernetesLeaseTest {
    private static final LeaseSettings SETTINGS =
            new LeaseSettings("hf", "holdfast", Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));

    private static final Duration LIMIT = Duration.ofSeconds(1);

    /** No request gets there. */
    private static final Config CONNECTION = new ConfigBuilder(Config.empty())
            .withMasterUrl("http://127.0.0.1:1")
            .build();

    private final CountDownLatch goesOn = new CountDownLatch(1);

    /** A response whose body no thread of the HTTP client ever reads to its end, even if the request is cancelled. */
    private final Interceptor endless = chain -> new Response.Builder()
            .request(chain.request())
            .protocol(Protocol.HTTP_1_1)
            .code(200)
            .message("OK")
            .body(ResponseBody.create(Okio.buffer(new Endless()), null, -1))
            .build();

    private final class Endless implements Source {
        @Override
        public long read(Buffer sink, long bytes) {
            boolean waits = true;
            while (waits) {
                try {
                    goesOn.await();
                    waits = false;
                } catch (InterruptedException _) {
                    // It ignores that, as a fault in a library may.
                }
            }
            return -1;
        }

        @Override
        public Timeout timeout() {
            return Timeout.NONE;
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    @Test
    void aRequestThatTheHttpClientNeverEndsIsARequestWithoutAnAnswer() {
        LimitedRequests requests =
                new LimitedRequests(ApiClients.intercepted(CONNECTION, Duration.ofSeconds(30), endless), LIMIT);
        try (KubernetesLease lease = new KubernetesLease(requests, SETTINGS)) {
            assertThat(lease.read())
                    .isEqualTo(
                            new LeaseAnswer.NoAnswer("cannot reach the API server to get leases.coordination.k8s.io: no"
                                    + " complete answer within 1000 ms"));
        } finally {
            goesOn.countDown();
        }
    }
}
