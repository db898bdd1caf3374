package dev.holdfast.it.bench.cluster;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Sender of label changes to the API server, one request after the other. */
public record ChangeCommitter(KubernetesClient client, InstantSource clock) {
    /**
     * How many later changes are made before a change is reverted. At 20 requests a second, a change is in effect for
     * half a second.
     */
    private static final int OVERLAP = 5;

    /**
     * How many consecutive changes must be independent (relabel different objects and break different rules), as they
     * may be in effect at the same time.
     */
    public static final int APART = OVERLAP + 2;

    private static final double NANOS = 1e9;
    private static final PatchContext MERGE = PatchContext.of(PatchType.JSON_MERGE);

    /**
     * The time slot in which one step of a label change is sent to the API server.
     *
     * @param at the number of the time slot, from 0; slots have equal lengths
     * @param change the number of the change, from 0
     */
    record Slot(int at, int change, ChangeStep step) {}

    /**
     * {@return the slots in which the changes are made and reverted, in time order} Changes are made in even slots and
     * reverted in odd slots, so that the rate is steady. Change 0 is made in slot 0 and reverted in slot 11.
     */
    static List<Slot> schedule(int changes) {
        List<Slot> slots = new ArrayList<>();
        for (int i = 0; i < changes; i++) {
            slots.add(new Slot(2 * i, i, ChangeStep.BREAK));
            slots.add(new Slot(2 * (i + OVERLAP) + 1, i, ChangeStep.HEAL));
        }
        slots.sort(Comparator.comparingInt(Slot::at));
        return List.copyOf(slots);
    }

    /**
     * Makes and reverts all label changes at a steady rate. Each change stays in effect while a few later ones are
     * made, and is then reverted.
     *
     * @param perSecond requests per second; each change takes two, one to make it and one to revert it
     * @return the accepted requests, in order
     */
    public List<CommittedChange> steadily(List<PlannedChange> changes, double perSecond) throws InterruptedException {
        List<CommittedChange> committed = new ArrayList<>();
        Instant start = clock.instant();
        for (Slot slot : schedule(changes.size())) {
            Instant at = start.plusNanos(Math.round(slot.at() / perSecond * NANOS));
            TimeUnit.NANOSECONDS.sleep(Duration.between(clock.instant(), at).toNanos());
            committed.add(plant(slot.change(), changes.get(slot.change()), slot.step()));
        }
        return List.copyOf(committed);
    }

    /** Makes or reverts one label change. */
    public CommittedChange plant(int number, PlannedChange change, ChangeStep step) {
        Instant sent = clock.instant();
        HasMetadata changed = switch (change.target()) {
            case PlannedChange.Target.OfNode(String name) ->
                client.nodes().withName(name).patch(MERGE, change.patch(step));
            case PlannedChange.Target.OfPod(String namespace, String name) ->
                client.pods().inNamespace(namespace).withName(name).patch(MERGE, change.patch(step));
        };
        String version = changed.getMetadata().getResourceVersion();
        return new CommittedChange(number, change, step, sent, clock.instant(), version);
    }
}
