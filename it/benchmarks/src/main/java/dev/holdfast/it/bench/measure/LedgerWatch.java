package dev.holdfast.it.bench.measure;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/** A watch of the ConfigMaps of the ledger, which notes each write until it is closed. */
public final class LedgerWatch implements AutoCloseable {
    private final InstantSource clock;
    private final List<LedgerWrites.Write> writes = new CopyOnWriteArrayList<>();
    private final Watch watch;
    private volatile Optional<String> end = Optional.empty();

    private LedgerWatch(KubernetesClient client, String namespace, InstantSource clock) {
        this.clock = clock;
        this.watch = client.configMaps().inNamespace(namespace).watch(new Notes());
    }

    /** Opens a watch of the ledger in the operator's namespace. */
    public static LedgerWatch open(KubernetesClient client, String namespace, InstantSource clock) {
        return new LedgerWatch(client, namespace, clock);
    }

    private final class Notes implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap object) {
            String name = object.getMetadata().getName();
            if (action == Action.MODIFIED && LedgerContents.isPart(name)) {
                int bytes = LedgerContents.data(object).map(data -> data.length).orElse(0);
                writes.add(new LedgerWrites.Write(clock.instant(), name, bytes));
            }
        }

        @Override
        public void onClose(WatcherException cause) {
            end = Optional.of(cause.toString());
        }
    }

    /**
     * {@return the writes that the watch has seen in a period, in order}
     *
     * @throws IllegalStateException if the watch has ended by itself
     */
    public LedgerWrites writes(Instant from, Instant to) {
        end.ifPresent(why -> {
            throw new IllegalStateException("the watch of the ledger is over: " + why);
        });
        return LedgerWrites.of(writes, from, to);
    }

    @Override
    public void close() {
        watch.close();
    }
}
