package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.EnforcementPause;
import dev.holdfast.policies.engine.protocol.Event;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests that the store sends each change of a pause to the engine. */
class PauseStoreTest {
    private final List<String> told = new ArrayList<>();
    private final PauseStore store = new PauseStore(event -> told.add(words(event)));

    private static String words(Event event) {
        return switch (event) {
            case Event.PauseChanged(var pause) -> pause.name() + ": " + pause.reason();
            case Event.PauseRemoved(String pause) -> pause + " removed";
            default -> throw new AssertionError(event);
        };
    }

    static EnforcementPause pause(String name, String uid, String more) {
        return Serialization.unmarshal("""
            apiVersion: holdfast.dev/v1alpha1
            kind: EnforcementPause
            metadata: {name: %s, uid: %s, generation: 3}
            %s
            """.formatted(name, uid, more), EnforcementPause.class);
    }

    private void put(EnforcementPause pause) {
        store.put(store.getKey(pause), pause);
    }

    @Test
    void changesAndDeletionsAreToldAsTheyAreSeen() {
        put(pause("freeze", "a", "spec: {reason: first}"));
        put(pause("freeze", "a", "spec: {reason: second}"));
        store.remove("freeze");
        store.remove("freeze");

        assertThat(told).containsExactly("freeze: first", "freeze: second", "freeze removed");
        assertThat(store.size()).isZero();
    }

    @Test
    void aStatusIsNoChange() {
        put(pause("freeze", "a", "spec: {reason: first}"));
        put(pause("freeze", "a", "spec: {reason: first}\nstatus: {observedGeneration: 3}"));

        assertThat(told).containsExactly("freeze: first");
        assertThat(store.get("freeze"))
                .extracting(it -> it.getStatus().observedGeneration())
                .isEqualTo(3L);
    }

    @Test
    void anotherOneOfTheSameNameIsToldThoughItSaysTheSame() {
        put(pause("freeze", "a", "spec: {reason: first}"));
        put(pause("freeze", "b", "spec: {reason: first}"));

        assertThat(told).containsExactly("freeze: first", "freeze: first");
    }

    @Test
    void oneThatCannotBeReadIsToldAsAPauseOfEverything() {
        put(pause("freeze", "a", "spec: {}"));

        assertThat(told)
                .containsExactly("freeze: all evictions are paused, since this pause is invalid: spec.reason: must be"
                        + " given: the message of each hold shows it");
    }

    @Test
    void theReadingOfASpecStaysAndTheSpecIsDropped() {
        EnforcementPause freeze = pause("freeze", "a", "spec: {reason: first}");
        put(freeze);

        assertThat(store.get("freeze")).extracting(EnforcementPause::getSpec).isNull();
        assertThat(store.reading(freeze)).map(it -> it.pause().reason()).contains("first");
        assertThat(store.reading(pause("freeze", "b", ""))).isEmpty();
        EnforcementPause later = pause("freeze", "a", "");
        later.getMetadata().setGeneration(4L);
        assertThat(store.reading(later)).isEmpty();
        store.remove("freeze");
        assertThat(store.reading(freeze)).isEmpty();
    }

    @Test
    void allThatAreThereAreHandedOver() {
        put(pause("freeze", "a", "spec: {reason: first}"));
        put(pause("other", "b", "spec: {reason: second}"));
        store.remove("freeze");
        told.clear();

        store.deliverAll();

        assertThat(told).containsExactly("other: second");
    }
}
