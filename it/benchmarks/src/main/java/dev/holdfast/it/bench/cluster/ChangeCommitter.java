package dev.holdfast.it.bench.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sender of label changes to the API server, one request after the other. */
public record ChangeCommitter(KubernetesClient client, InstantSource clock) {
    /**
     * How many later changes are made before a change is reverted. At 20 requests a second, a change is in effect for
     * half a second.
     */
    private static final int OVERLAP = 5;

    private static final double NANOS = 1e9;
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /**
     * One request that made or reverted a label change, and that the API server accepted.
     *
     * @param sent when the request was sent, which is before etcd committed the change
     * @param version the resource version of the changed object after the commit
     */
    public record Committed(PlannedChange change, PlannedChange.Step step, Instant sent, String version) {}

    /**
     * Makes and reverts label changes at a steady rate. Each stays in effect while a few later ones are made, and is
     * then reverted: change 0 is made in slot 0 and reverted in slot 11. Slots have equal lengths.
     *
     * @param changes independent changes, which are made again and again: at least seven, as up to six are in effect at
     *     the same time
     * @param count how many changes are made
     * @param perSecond requests per second; each change takes two, one to make it and one to revert it
     * @return the accepted requests, in order
     */
    public List<Committed> steadily(List<PlannedChange> changes, int count, double perSecond)
            throws InterruptedException {
        if (changes.size() < OVERLAP + 2) {
            throw new IllegalArgumentException("too few changes are independent: give more --nodes and --pods");
        }
        List<Committed> committed = new ArrayList<>();
        Instant start = clock.instant();
        for (int slot = 0; slot < 2 * (count + OVERLAP); slot++) {
            boolean breaks = slot % 2 == 0;
            int number = breaks ? slot / 2 : slot / 2 - OVERLAP;
            if (number >= 0 && number < count) {
                Instant at = start.plusNanos(Math.round(slot / perSecond * NANOS));
                TimeUnit.NANOSECONDS.sleep(Duration.between(clock.instant(), at).toNanos());
                PlannedChange change = changes.get(number % changes.size());
                committed.add(commit(change, breaks ? PlannedChange.Step.BREAK : PlannedChange.Step.HEAL));
            }
        }
        return committed;
    }

    /** Makes or reverts one label change. */
    public Committed commit(PlannedChange change, PlannedChange.Step step) {
        Instant sent = clock.instant();
        String name = change.target().name();
        HasMetadata changed = change.target()
                .namespace()
                .<HasMetadata>map(namespace ->
                        client.pods().inNamespace(namespace).withName(name).patch(MERGE, change.patch(step)))
                .orElseGet(() -> client.nodes().withName(name).patch(MERGE, change.patch(step)));
        return new Committed(change, step, sent, changed.getMetadata().getResourceVersion());
    }
}
