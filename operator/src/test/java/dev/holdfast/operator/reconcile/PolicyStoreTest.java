package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Tests that the store sends each change of a policy to the engine. */
class PolicyStoreTest {
    private static final PolicyId WEB = PolicyId.namespaced("shop", "web");

    private final List<String> told = new ArrayList<>();
    private final PolicyRegistry book = new PolicyRegistry(
            new PolicyTranslator(Duration.ofMinutes(5)), event -> told.add(words(event)), _ -> {}, () -> Instant.EPOCH);
    private final PolicyStore<PlacementPolicy> store = new PolicyStore<>(book, book::take);

    private static String words(Event event) {
        return switch (event) {
            case Event.PolicyChanged(var policy, var _, var _, var _) -> policy.id() + " " + policy.mode();
            case Event.PolicyRemoved(var policy) -> policy + " removed";
            case Event.PolicyAcknowledged(var policy, var ids) -> policy + " acknowledges " + ids;
            default -> throw new AssertionError(event);
        };
    }

    private static PlacementPolicy policy(String name, String uid, long generation, String mode) {
        return Serialization.unmarshal("""
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: %s, uid: %s, generation: %s}
            spec: {mode: "%s"}
            """.formatted(name, uid, generation, mode), PlacementPolicy.class);
    }

    private void put(PlacementPolicy policy) {
        store.put(store.getKey(policy), policy);
    }

    @Test
    void changesAndDeletionsAreToldAsTheyAreSeen() {
        put(policy("web", "a", 1, "Audit"));
        put(policy("web", "a", 2, "Disabled"));
        store.remove("shop/web");

        assertThat(told).containsExactly("shop/web AUDIT", "shop/web DISABLED", "shop/web removed");
    }

    @Test
    void theKeyIsTheOneThatTheInformerLooksUp() {
        PlacementPolicy web = policy("web", "a", 1, "Audit");
        put(web);

        assertThat(store.getKey(web)).isEqualTo("shop/web");
        assertThat(store.get("shop/web")).isSameAs(web);
        assertThat(store.has(WEB, "a")).isTrue();
        assertThat(store.has(WEB, "b")).isFalse();
    }

    @Test
    void aReconcilerThatComesLateFindsNothing() {
        PlacementPolicy web = policy("web", "a", 1, "Audit");
        put(web);
        store.remove("shop/web");

        assertThat(store.entry(web)).isEmpty();
        assertThat(book.has(WEB)).isFalse();
    }

    @Test
    void aReconcilerOfAnEarlierPolicyOfTheNameFindsNothing() {
        put(policy("web", "b", 1, "Audit"));

        assertThat(store.entry(policy("web", "a", 1, "Audit"))).isEmpty();
    }

    @Test
    void aThreadThatStillHasADeletedPolicyDoesNotReplaceTheNewOneOfItsName() {
        PlacementPolicy deleted = policy("web", "a", 1, "Audit");
        put(deleted);
        put(policy("web", "b", 1, "Disabled"));

        assertThat(book.take(deleted)).isEmpty();

        assertThat(told).last().isEqualTo("shop/web DISABLED");
        assertThat(book.has(WEB)).isTrue();
    }

    @Test
    void aReconcilerFindsTheNewestThatWasSeen() {
        put(policy("web", "a", 2, "Disabled"));

        assertThat(store.entry(policy("web", "a", 1, "Audit")))
                .map(PolicyEntry::generation)
                .isEqualTo(Optional.of(2L));
    }

    @Test
    void aPolicyThatVanishedUnseenIsGoneWhenAllAreHandedOver() {
        put(policy("web", "a", 1, "Audit"));
        put(policy("api", "b", 1, "Audit"));
        told.clear();

        store.deliverAll();
        book.keepOnly((policy, _) -> policy.equals(WEB));

        assertThat(told).containsExactly("shop/api removed");
        assertThat(book.has(WEB)).isTrue();
    }

    @Test
    void aChangeThatCannotBeTakenDoesNotBreakTheInformerAndIsTakenByTheReconciler() {
        List<String> tries = new ArrayList<>();
        PolicyStore<PlacementPolicy> failing = new PolicyStore<>(book, policy -> {
            tries.add(policy.getMetadata().getName());
            if (tries.size() == 1) {
                throw new IllegalStateException("a bug");
            }
            return book.take(policy);
        });
        PlacementPolicy web = policy("web", "a", 1, "Audit");
        failing.put("shop/web", web);

        assertThat(failing.entry(web)).isPresent();
        assertThat(told).containsExactly("shop/web AUDIT");
    }

    @Test
    void theSpecIsDroppedOnceItIsTranslated() {
        PlacementPolicy web = policy("web", "a", 1, "Audit");

        put(web);

        assertThat(web.getSpec()).isNull();
        assertThat(store.entry(web).flatMap(PolicyEntry::inForce)).isPresent();
        assertThat(told).containsExactly("shop/web AUDIT");
    }
}
