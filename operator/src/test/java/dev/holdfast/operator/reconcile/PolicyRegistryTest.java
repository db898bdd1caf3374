package dev.holdfast.operator.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.awaitility.Awaitility.await;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.publish.Samples;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.PolicyScheduling;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Tests which events the engine gets for created, changed and deleted policies. */
class PolicyRegistryTest {
    private static final PolicyId WEB = PolicyId.namespaced("shop", "web");
    private static final String VALID = "{}";

    /** A thread per task: the common pool of a small machine has one, which a blocked task would take. */
    private static final Executor THREADS = task -> Thread.ofVirtual().start(task);

    private static final String INVALID = "{forgivenessSeconds: -1}";

    private final List<String> told = new ArrayList<>();
    private final List<Mode> modes = new ArrayList<>();
    private final List<PolicyScheduling> scheduling = new ArrayList<>();
    private final PolicyRegistry book = new PolicyRegistry(
            new PolicyTranslator(Duration.ofMinutes(5)),
            this::tell,
            policy -> told.add("gone " + policy),
            () -> Instant.EPOCH);

    private void tell(Event event) {
        told.add(words(event));
        if (event instanceof Event.PolicyChanged changed) {
            modes.add(changed.policy().mode());
            scheduling.add(changed.policy().scheduling());
        }
    }

    private static String words(Event event) {
        return switch (event) {
            case Event.PolicyChanged(var policy, var _, var _, var _) ->
                "changed " + policy.id() + " " + policy.generation();
            case Event.PolicyRemoved(var policy) -> "removed " + policy;
            case Event.PolicyAcknowledged(var policy, var ids) ->
                "acknowledged " + policy + " " + ids.stream().sorted().toList();
            default -> throw new AssertionError(event);
        };
    }

    private static PlacementPolicy web(String uid, long generation, String spec) {
        return Serialization.unmarshal("""
            apiVersion: holdfast.dev/v1alpha1
            kind: PlacementPolicy
            metadata: {namespace: shop, name: web, uid: %s, generation: %s}
            spec: %s
            """.formatted(uid, generation, spec), PlacementPolicy.class);
    }

    @Test
    void aValidPolicyIsHandedOverOnceAGeneration() {
        book.take(web("a", 1, VALID));
        book.take(web("a", 1, VALID));
        book.take(web("a", 2, VALID));

        assertThat(told).containsExactly("changed shop/web 1", "changed shop/web 2");
    }

    @Test
    void anAnnotationThatAcknowledgesIsToldOnceWithTheGenerationAndWithoutOne() {
        book.take(acknowledging(web("a", 1, VALID), "backlog@1"));
        book.take(acknowledging(web("a", 1, VALID), "backlog@1"));
        book.take(acknowledging(web("a", 1, VALID), "backlog@1,backlog@2"));
        book.take(acknowledging(web("a", 2, VALID), "backlog@1,backlog@2"));
        book.take(web("a", 2, VALID));

        assertThat(told)
                .containsExactly(
                        "changed shop/web 1",
                        "acknowledged shop/web [backlog@1]",
                        "acknowledged shop/web [backlog@1, backlog@2]",
                        "changed shop/web 2",
                        "acknowledged shop/web []");
    }

    private static PlacementPolicy acknowledging(PlacementPolicy policy, String ids) {
        policy.getMetadata().setAnnotations(Map.of("holdfast.dev/acknowledge", ids));
        return policy;
    }

    @Test
    void anOlderGenerationThatComesLateIsLeftOut() {
        book.take(web("a", 2, VALID));

        assertThat(book.take(web("a", 1, VALID)))
                .get()
                .extracting(PolicyEntry::generation)
                .isEqualTo(2L);
        assertThat(told).containsExactly("changed shop/web 2");
    }

    @Test
    void afterAnInvalidEditTheLastValidGenerationIsAuditedUntilTheNextValidOne() {
        String enforced = "{mode: Enforce, podSelector: {}, forgivenessSeconds: 7}";
        book.take(web("a", 1, enforced));
        PolicyEntry entry = book.take(web("a", 2, INVALID)).orElseThrow();
        book.take(web("a", 3, INVALID));
        book.take(web("a", 4, enforced));

        assertThat(told).containsExactly("changed shop/web 1", "changed shop/web 1", "changed shop/web 4");
        assertThat(modes).containsExactly(Mode.ENFORCE, Mode.AUDIT, Mode.ENFORCE);
        assertThat(entry.generation()).isEqualTo(2);
        assertThat(entry.translation()).isInstanceOf(Translation.Refused.class);
        assertThat(entry.inForce()).contains(new PolicyEntry.InForce(1, Mode.ENFORCE, Duration.ofSeconds(7)));
    }

    /** The API server reads the latest spec, whatever the operator makes of it. */
    @Test
    void afterAnInvalidEditTheLatestSpecSaysWhetherRulesAreInjected() {
        String injecting = "{mode: Enforce, podSelector: {}, scheduling: Inject%s}";
        book.take(web("a", 1, injecting.formatted("")));
        book.take(web("a", 2, injecting.formatted(", forgivenessSeconds: -1")));
        book.take(web("a", 3, "{mode: Audit, podSelector: {}, scheduling: Inject}"));
        book.take(web("a", 4, INVALID));
        book.take(web("a", 5, injecting.formatted(", forgivenessSeconds: -2")));

        assertThat(told)
                .containsExactly(
                        "changed shop/web 1", "changed shop/web 1", "changed shop/web 1", "changed shop/web 1");
        assertThat(modes).containsExactly(Mode.ENFORCE, Mode.AUDIT, Mode.AUDIT, Mode.AUDIT);
        assertThat(scheduling)
                .containsExactly(
                        PolicyScheduling.INJECT,
                        PolicyScheduling.INJECT,
                        PolicyScheduling.NONE,
                        PolicyScheduling.INJECT);
    }

    @Test
    void anInvalidPolicyThatNeverWasValidIsOnlyRemoved() {
        assertThat(book.take(web("a", 1, INVALID)))
                .get()
                .extracting(PolicyEntry::inForce)
                .isEqualTo(Optional.empty());
        book.gone(WEB, "a");

        assertThat(told)
                .as("the engine may have got an acknowledgement")
                .containsExactly("removed shop/web", "gone shop/web");
    }

    @Test
    void aPolicyThatIsRepairedIsHandedOver() {
        book.take(web("a", 1, INVALID));
        book.take(web("a", 2, VALID));

        assertThat(told).containsExactly("changed shop/web 2");
    }

    @Test
    void aDeletedPolicyIsRemovedAndForgotten() {
        book.take(web("a", 1, VALID));
        book.gone(WEB, "a");

        assertThat(told).containsExactly("changed shop/web 1", "removed shop/web", "gone shop/web");
        assertThat(book.has(WEB)).isFalse();
        assertThat(book.uid(WEB)).isEmpty();
    }

    @Test
    void aLateWordOfADeletedPolicyDoesNotBringItBack() {
        book.take(web("a", 1, VALID));
        book.gone(WEB, "a");

        assertThat(book.take(web("a", 1, VALID))).isEmpty();
        assertThat(book.has(WEB)).isFalse();
    }

    @Test
    void anotherPolicyUnderTheSameNameReplacesTheFirst() {
        book.take(web("a", 5, VALID));
        book.take(web("b", 1, VALID));
        book.gone(WEB, "a");

        assertThat(told)
                .containsExactly("changed shop/web 5", "removed shop/web", "gone shop/web", "changed shop/web 1");
        assertThat(book.uid(WEB)).contains("b");
    }

    @Test
    void anInvalidPolicyUnderTheNameOfAValidOneInheritsNothing() {
        book.take(web("a", 1, VALID));
        PolicyEntry entry = book.take(web("b", 1, INVALID)).orElseThrow();

        assertThat(entry.inForce()).isEmpty();
        assertThat(told).containsExactly("changed shop/web 1", "removed shop/web", "gone shop/web");
    }

    @Test
    void aNamespacedAndAClusterPolicyOfTheSameNameAreTwo() {
        ClusterPlacementPolicy cluster = Serialization.unmarshal("""
            apiVersion: holdfast.dev/v1alpha1
            kind: ClusterPlacementPolicy
            metadata: {name: web, uid: c, generation: 1}
            spec: {}
            """, ClusterPlacementPolicy.class);
        book.take(web("a", 1, VALID));
        book.take(cluster);
        book.gone(WEB, "a");

        assertThat(told).containsExactly("changed shop/web 1", "changed web 1", "removed shop/web", "gone shop/web");
        assertThat(book.size()).isEqualTo(1);
    }

    @Test
    void whatANewerVersionHasWrittenKeepsTheModeThatWasAskedFor() {
        PolicyEntry entry = book.take(web("a", 1, "{mode: Enforce, podSelector: {}, weather: []}"))
                .orElseThrow();

        assertThat(entry.translation()).isInstanceOf(Translation.InPart.class);
        assertThat(entry.inForce())
                .get()
                .extracting(PolicyEntry.InForce::requested)
                .isEqualTo(Mode.ENFORCE);
        assertThat(told).containsExactly("changed shop/web 1");
    }

    /**
     * Otherwise there is a deadlock: the metrics read the registry, and the callback for a deleted policy waits for
     * them.
     */
    @Test
    void whileAPolicyIsForgottenOthersMayAskForIt() {
        List<Boolean> there = new ArrayList<>();
        AtomicReference<PolicyRegistry> asked = new AtomicReference<>(book);
        PolicyRegistry busy = new PolicyRegistry(
                new PolicyTranslator(Duration.ofMinutes(5)),
                _ -> {},
                policy -> there.add(CompletableFuture.supplyAsync(
                                () -> asked.get().has(policy)
                                        || asked.get().uid(policy).isPresent(),
                                THREADS)
                        .orTimeout(10, TimeUnit.SECONDS)
                        .join()),
                () -> Instant.EPOCH);
        asked.set(busy);
        busy.take(web("a", 1, VALID));

        busy.gone(WEB, "a");

        assertThat(there).containsExactly(false);
    }

    /** A callback for a deleted policy that blocks until it may go on. */
    private static final class SlowCallback {
        private final CountDownLatch begun = new CountDownLatch(1);
        private final CountDownLatch goesOn = new CountDownLatch(1);

        void gone(List<String> told, PolicyId policy) {
            begun.countDown();
            await(goesOn);
            told.add("gone " + policy);
        }

        private static void await(CountDownLatch latch) {
            try {
                assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    /** {@return a registry whose callback for a deleted policy takes its time} */
    private static PolicyRegistry registry(List<String> events, SlowCallback slow) {
        return new PolicyRegistry(
                new PolicyTranslator(Duration.ofMinutes(5)),
                event -> events.add(words(event)),
                policy -> slow.gone(events, policy),
                () -> Instant.EPOCH);
    }

    /** Creates a policy and deletes it. Returns the deletion, whose callback has begun. */
    private static CompletableFuture<Void> deleted(PolicyRegistry busy, SlowCallback slow) {
        busy.take(web("a", 1, VALID));
        CompletableFuture<Void> deletion = CompletableFuture.runAsync(() -> busy.gone(WEB, "a"), THREADS);
        SlowCallback.await(slow.begun);
        return deletion;
    }

    @Test
    void whileADeletedPolicyIsForgottenAnotherIsDisabledAtOnce() {
        SlowCallback slow = new SlowCallback();
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        PolicyRegistry busy = registry(events, slow);
        CompletableFuture<Void> deletion = deleted(busy, slow);

        PlacementPolicy other = web("o", 1, "{mode: Disabled}");
        other.getMetadata().setName("other");
        CompletableFuture.runAsync(() -> busy.take(other), THREADS)
                .orTimeout(10, TimeUnit.SECONDS)
                .join();

        assertThat(deletion).isNotDone();
        slow.goesOn.countDown();
        deletion.join();
        assertThat(events)
                .containsExactly("changed shop/web 1", "removed shop/web", "changed shop/other 1", "gone shop/web");
    }

    /** Otherwise the callback would drop what the engine reports about the new policy. */
    @Test
    void aNewPolicyOfTheSameNameWaitsUntilTheDeletedOneIsForgotten() {
        SlowCallback slow = new SlowCallback();
        List<String> events = Collections.synchronizedList(new ArrayList<>());
        PolicyRegistry busy = registry(events, slow);
        CompletableFuture<Void> deletion = deleted(busy, slow);
        Thread creation = Thread.ofPlatform().start(() -> busy.take(web("b", 1, VALID)));
        await("the new policy waits").until(() -> creation.getState() == Thread.State.WAITING);

        slow.goesOn.countDown();
        deletion.join();

        await("the new policy is taken").until(() -> events.size() == 4);
        assertThat(events)
                .containsExactly("changed shop/web 1", "removed shop/web", "gone shop/web", "changed shop/web 1");
    }

    /** The engine may report on a policy while the informer deletes it. */
    @Test
    void aDeletionWaitsForAnActionAndDropsWhatItStored() throws InterruptedException {
        PolicyReports reports = new PolicyReports();
        PolicyRegistry registry = new PolicyRegistry(
                new PolicyTranslator(Duration.ofMinutes(5)), _ -> {}, reports::forget, () -> Instant.EPOCH);
        registry.take(web("a", 1, VALID));
        Thread deletion = Thread.ofPlatform().unstarted(() -> registry.gone(WEB, "a"));

        boolean stored = registry.whilePresent(WEB, uid -> {
            deletion.start();
            await("the deletion waits, or has ended")
                    .until(() -> deletion.getState() == Thread.State.BLOCKED || !deletion.isAlive());
            reports.store(Samples.report(WEB));
            return uid.equals("a");
        });
        deletion.join();

        assertThat(stored).isTrue();
        assertThat(registry.has(WEB)).isFalse();
        assertThat(reports.takeLatest(WEB)).isEmpty();
    }

    @Test
    void anActionAboutADeletedPolicyDoesNotRun() {
        book.take(web("a", 1, VALID));
        book.gone(WEB, "a");

        assertThat(book.whilePresent(WEB, _ -> told.add("action"))).isFalse();
        assertThat(told).doesNotContain("action");
    }

    @Test
    void aPolicyIsTakenAfterTheCallbackForItsPredecessorFailed() {
        PolicyRegistry failing = new PolicyRegistry(
                new PolicyTranslator(Duration.ofMinutes(5)),
                event -> told.add(words(event)),
                _ -> {
                    throw new IllegalStateException("planted");
                },
                () -> Instant.EPOCH);
        failing.take(web("a", 1, VALID));

        assertThatIllegalStateException().isThrownBy(() -> failing.gone(WEB, "a"));
        failing.take(web("b", 1, VALID));

        assertThat(told).containsExactly("changed shop/web 1", "removed shop/web", "changed shop/web 1");
    }
}
