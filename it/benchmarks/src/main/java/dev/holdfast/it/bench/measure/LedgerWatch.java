package dev.holdfast.it.bench.measure;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;

/** A watch of the ConfigMaps of the ledger, which notes each write until it is closed. */
public final class LedgerWatch implements AutoCloseable {
    private static final double MILLIS_PER_MINUTE = 60_000;
    private static final double TENTHS = 10;

    private final InstantSource clock;
    private final List<Write> writes = new CopyOnWriteArrayList<>();
    private final Watch watch;
    private volatile Optional<String> end = Optional.empty();

    private LedgerWatch(KubernetesClient client, String namespace, InstantSource clock) {
        this.clock = clock;
        this.watch = client.configMaps().inNamespace(namespace).watch(new Notes());
    }

    /**
     * One write of a ConfigMap of the ledger.
     *
     * @param at when the watch read the new state
     * @param name the name of the ConfigMap
     * @param bytes the size of its data, as etcd stores it
     */
    public record Write(Instant at, String name, int bytes) {}

    /** Opens a watch of the ledger in the operator's namespace. */
    public static LedgerWatch open(KubernetesClient client, String namespace, InstantSource clock) {
        return new LedgerWatch(client, namespace, clock);
    }

    private final class Notes implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap map) {
            if (action == Action.MODIFIED && LedgerContents.isPart(map)) {
                String name = map.getMetadata().getName();
                writes.add(new Write(clock.instant(), name, LedgerContents.data(map).length));
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
     * @param to the end of the period, exclusive
     * @throws IllegalStateException if the watch has ended by itself
     */
    public List<Write> writes(Instant from, Instant to) {
        end.ifPresent(why -> {
            throw new IllegalStateException("the watch of the ledger is over: " + why);
        });
        return writes.stream()
                .filter(write -> !write.at().isBefore(from) && write.at().isBefore(to))
                .toList();
    }

    /**
     * {@return the number of writes a minute of the ConfigMap that is written most often, from its first to its last
     * write} Rounded to a tenth, because the times of a watch are inexact; 0 if no ConfigMap was written twice.
     *
     * <p>Example: one at 0 s, 6 s and 12 s, another at 0 s and 20 s: 10 a minute.
     */
    public static double mostOfOneAMinute(List<Write> writes) {
        double most = writes.stream().collect(Collectors.groupingBy(Write::name)).values().stream()
                .filter(ofOne -> ofOne.size() > 1)
                .mapToDouble(ofOne -> (ofOne.size() - 1)
                        * MILLIS_PER_MINUTE
                        / Duration.between(
                                        ofOne.getFirst().at(), ofOne.getLast().at())
                                .toMillis())
                .max()
                .orElse(0);
        return Math.round(most * TENTHS) / TENTHS;
    }

    @Override
    public void close() {
        watch.close();
    }
}
