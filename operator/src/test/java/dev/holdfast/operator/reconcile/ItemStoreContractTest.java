package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Line;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.fabric8.kubernetes.client.informers.cache.BasicItemStore;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Tests what the informer of the client promises to its ItemStore. {@link PolicyStore} and {@link PauseStore} rely on
 * it: they are the way by which policies and pauses reach the engine. A client for which a row fails cannot be used.
 */
@Timeout(60)
class ItemStoreContractTest {
    private final BlockingQueue<String> calls = new LinkedBlockingQueue<>();
    private final AtomicInteger callers = new AtomicInteger();
    private final BlockingQueue<Line> watches = new LinkedBlockingQueue<>();
    private volatile String listed = policy("web", 1) + "," + policy("api", 1);
    private final WebSocketApiServer server = new WebSocketApiServer(request -> request.isWatch()
            ? new Reply.Opens(watches::add)
            : new Reply.Says(
                    200,
                    "{\"apiVersion\":\"holdfast.dev/v1alpha1\",\"kind\":\"PlacementPolicyList\",\"metadata\":"
                            + "{\"resourceVersion\":\"100\"},\"items\":[" + listed + "]}"));
    private final KubernetesClient client = ApiClients.watching(server.connection(), Duration.ofSeconds(5));
    private final SharedIndexInformer<PlacementPolicy> informer = client.resources(PlacementPolicy.class)
            .inAnyNamespace()
            .runnableInformer(0)
            .itemStore(new Recorder())
            .addEventHandler(new Handler());

    /** Records the calls, and fails if two come at once. */
    private final class Recorder extends BasicItemStore<PlacementPolicy> {
        Recorder() {
            super(Cache::metaNamespaceKeyFunc);
        }

        @Override
        public PlacementPolicy put(String key, PlacementPolicy policy) {
            record("put " + key + " " + policy.getMetadata().getGeneration());
            return super.put(key, policy);
        }

        @Override
        public PlacementPolicy remove(String key) {
            record("remove " + key);
            return super.remove(key);
        }

        private void record(String call) {
            String by = callers.incrementAndGet() == 1 ? call : "two calls at once: " + call;
            calls.add(by);
            callers.decrementAndGet();
        }
    }

    private final class Handler implements ResourceEventHandler<PlacementPolicy> {
        @Override
        public void onAdd(PlacementPolicy policy) {
            handled("added", policy);
        }

        @Override
        public void onUpdate(PlacementPolicy before, PlacementPolicy after) {
            handled("updated", after);
        }

        @Override
        public void onDelete(PlacementPolicy policy, boolean unknown) {
            handled("deleted", policy);
        }

        private void handled(String what, PlacementPolicy policy) {
            calls.add("handler: " + what + " " + policy.getMetadata().getName() + " "
                    + policy.getMetadata().getGeneration());
        }
    }

    private static String policy(String name, long generation) {
        return """
            {"apiVersion":"holdfast.dev/v1alpha1","kind":"PlacementPolicy","metadata":{"namespace":"shop",\
            "name":"%s","uid":"%s-uid","generation":%s,"resourceVersion":"%s"},"spec":{"mode":"Audit"}}\
            """.formatted(name, name, generation, 100 + generation);
    }

    private String next() throws InterruptedException {
        return Optional.ofNullable(calls.poll(20, TimeUnit.SECONDS)).orElse("nothing within 20 s");
    }

    private Line startAndWatch() throws Exception {
        informer.start().toCompletableFuture().get(20, TimeUnit.SECONDS);
        Line watch = Optional.ofNullable(watches.poll(20, TimeUnit.SECONDS)).orElseThrow();
        for (int i = 0; i < 4; i++) {
            next();
        }
        return watch;
    }

    @AfterEach
    void close() {
        informer.close();
        client.close();
        server.close();
    }

    @Test
    void allListedObjectsAreInTheStoreBeforeTheInformerHasSynced() throws Exception {
        informer.start().toCompletableFuture().get(20, TimeUnit.SECONDS);

        assertThat(informer.hasSynced()).isTrue();
        assertThat(calls).contains("put shop/web 1", "put shop/api 1");
    }

    @Test
    void eachChangeIsPutOrRemovedBeforeAnyHandlerHearsOfItAndInOrder() throws Exception {
        Line watch = startAndWatch();

        watch.send("MODIFIED", policy("web", 2));
        watch.send("MODIFIED", policy("web", 3));
        watch.send("DELETED", policy("web", 3));
        watch.send("ADDED", policy("web", 1));

        List<String> heard = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            heard.add(next());
        }
        // Handlers run on another thread, so the store may be further ahead of them, but never behind.
        List<String> stored = List.of("put shop/web 2", "put shop/web 3", "remove shop/web", "put shop/web 1");
        List<String> handled = List.of(
                "handler: updated web 2", "handler: updated web 3", "handler: deleted web 3", "handler: added web 1");
        assertThat(heard)
                .containsSubsequence(stored)
                .containsSubsequence(handled)
                .hasSize(8);
        for (int i = 0; i < 4; i++) {
            assertThat(heard).containsSubsequence(stored.get(i), handled.get(i));
        }
    }

    @Test
    void whatWasDeletedOrChangedWhileTheWatchWasDownIsRemovedAndPut() throws Exception {
        Line watch = startAndWatch();
        listed = policy("api", 5);

        watch.send("ERROR", """
            {"apiVersion":"v1","kind":"Status","status":"Failure","code":410,"message":"too old resource version"}\
            """);

        assertThat(new String[] {next(), next(), next(), next()})
                .filteredOn(call -> !call.startsWith("handler"))
                .containsExactlyInAnyOrder("put shop/api 5", "remove shop/web");
    }
}
