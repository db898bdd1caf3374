package dev.holdfast.operator.reconcile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.PolicySpec;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.operator.translate.Translation;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.model.DisruptionAnnotations;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.Policy;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The registry of all policies. The registry translates each generation of a policy once, and sends a valid one to the
 * engine. After an invalid generation, the last valid generation of the policy is audited only.
 */
public final class PolicyRegistry {
    private static final int REMEMBERED_GONE = 1_000;

    private final PolicyTranslator translator;
    private final Consumer<Event> engine;
    private final Consumer<PolicyId> onGone;
    private final InstantSource clock;

    /**
     * The entry of each policy. Readers take no lock: a scrape of metrics waits for no policy.
     */
    private final Map<PolicyId, PolicyEntry> entries = new ConcurrentHashMap<>();

    /** The last translation of each policy that the engine got; absent if no generation was ever valid. */
    @GuardedBy("this")
    private final Map<PolicyId, Translation.Valid> lastValid = new HashMap<>();

    /**
     * UIDs of the last 1000 deleted policies, because a late event must not restore a deleted policy. The map drops the
     * oldest UID first; a Caffeine cache would not do, because it may drop the newest one.
     */
    @GuardedBy("this")
    private final Map<String, Boolean> gone = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED_GONE;
        }
    };

    /**
     * The deleted policies whose callback runs now. A new policy of the same name waits for it, because the callback
     * would drop what the engine reports about the new one. Policies of other names do not wait.
     */
    @GuardedBy("this")
    private final Set<PolicyId> leaving = new HashSet<>();

    /**
     * Creates an empty registry.
     *
     * @param engine takes the events PolicyChanged, PolicyAcknowledged and PolicyRemoved; must not block
     * @param onGone takes the id of each deleted policy, after the engine got PolicyRemoved. May block: only a new
     *     policy of the same name waits for this call
     */
    public PolicyRegistry(
            PolicyTranslator translator, Consumer<Event> engine, Consumer<PolicyId> onGone, InstantSource clock) {
        this.translator = translator;
        this.engine = engine;
        this.onGone = onGone;
        this.clock = clock;
    }

    /** {@return the id of a policy object} */
    static PolicyId id(HasMetadata policy) {
        ObjectMeta meta = policy.getMetadata();
        return policy instanceof PlacementPolicy
                ? PolicyId.namespaced(meta.getNamespace(), meta.getName())
                : PolicyId.cluster(meta.getName());
    }

    /**
     * Takes a policy as the informer shows it. Sends a new, valid generation to the engine. Returns the policy's entry;
     * empty if the policy is deleted.
     */
    Optional<PolicyEntry> take(PlacementPolicy policy) {
        return take(id(policy), policy.getMetadata(), policy.getSpec(), () -> translator.translate(policy));
    }

    /**
     * Takes a policy as the informer shows it. Sends a new, valid generation to the engine. Returns the policy's entry;
     * empty if the policy is deleted.
     */
    Optional<PolicyEntry> take(ClusterPlacementPolicy policy) {
        return take(id(policy), policy.getMetadata(), policy.getSpec(), () -> translator.translate(policy));
    }

    private Optional<PolicyEntry> take(
            PolicyId id, ObjectMeta meta, @Nullable PolicySpec spec, Supplier<Translation> translate) {
        String uid = meta.getUid();
        while (true) {
            synchronized (this) {
                awaitLeft(id);
                if (gone.containsKey(uid)) {
                    return Optional.empty();
                }
                Optional<PolicyEntry> known = Optional.ofNullable(entries.get(id));
                if (known.filter(it -> !it.uid().equals(uid)).isEmpty()) {
                    return Optional.of(taken(id, meta, spec, translate, known));
                }
                remove(id);
            }
            callBack(id);
        }
    }

    /** @param earlier the entry of an earlier generation of the same policy */
    @GuardedBy("this")
    private PolicyEntry taken(
            PolicyId id,
            ObjectMeta meta,
            @Nullable PolicySpec spec,
            Supplier<Translation> translate,
            Optional<PolicyEntry> earlier) {
        long generation = Objects.requireNonNullElse(meta.getGeneration(), 0L);
        if (earlier.filter(it -> it.generation() >= generation).isPresent()) {
            return acknowledged(id, meta, earlier.get());
        }
        Translation translation = translate.get();
        Optional<PolicyEntry.InForce> inForce =
                inForce(translation, spec).or(() -> earlier.flatMap(PolicyEntry::inForce));
        PolicyEntry entry = new PolicyEntry(
                meta.getUid(),
                generation,
                translation,
                inForce,
                earlier.map(PolicyEntry::acknowledged).orElse(Set.of()),
                clock.instant());
        // The engine may report at once, so the entry must exist before.
        entries.put(id, entry);
        handOver(id, translation, earlier, meta.getUid());
        return acknowledged(id, meta, entry);
    }

    /**
     * Stores in the entry the ids of breakers and backlogs that the policy's annotation acknowledges. Sends changed ids
     * to the engine. Returns the entry.
     */
    @GuardedBy("this")
    private PolicyEntry acknowledged(PolicyId id, ObjectMeta meta, PolicyEntry entry) {
        Set<String> ids =
                DisruptionAnnotations.acknowledged(Objects.requireNonNullElse(meta.getAnnotations(), Map.of()));
        if (ids.equals(entry.acknowledged())) {
            return entry;
        }
        PolicyEntry other = entry.acknowledging(ids);
        entries.put(id, other);
        engine.accept(new Event.PolicyAcknowledged(id, ids));
        return other;
    }

    @GuardedBy("this")
    private void handOver(PolicyId id, Translation translation, Optional<PolicyEntry> earlier, String uid) {
        switch (translation) {
            case Translation.Valid valid -> {
                lastValid.put(id, valid);
                engine.accept(new Event.PolicyChanged(valid.policy(), valid.disruptionControls(), uid));
            }
            case Translation.Refused refused -> {
                // The object asks for something else, which the API server may inject already.
                boolean known = earlier.map(PolicyEntry::translation)
                        .filter(it ->
                                it instanceof Translation.Refused before && before.scheduling() == refused.scheduling())
                        .isPresent();
                Translation.Valid valid = lastValid.get(id);
                if (valid != null && !known) {
                    engine.accept(new Event.PolicyChanged(valid.audited(refused), valid.disruptionControls(), uid));
                }
            }
        }
    }

    private Optional<PolicyEntry.InForce> inForce(Translation translation, @Nullable PolicySpec spec) {
        return translation.valid().map(it -> inForce(it.policy(), spec));
    }

    private PolicyEntry.InForce inForce(Policy policy, @Nullable PolicySpec spec) {
        Duration forgiveness = Optional.ofNullable(spec)
                .map(PolicySpec::forgivenessSeconds)
                .map(Duration::ofSeconds)
                .orElse(translator.defaultForgiveness());
        Mode asked = spec != null && spec.mode() == dev.holdfast.crds.v1alpha1.choice.Mode.ENFORCE
                ? Mode.ENFORCE
                : policy.mode();
        return new PolicyEntry.InForce(policy.generation(), asked, forgiveness);
    }

    /** Removes a deleted policy, and remembers its UID. */
    void gone(PolicyId id, String uid) {
        synchronized (this) {
            awaitLeft(id);
            gone.put(uid, true);
            Optional<PolicyEntry> entry =
                    Optional.ofNullable(entries.get(id)).filter(it -> it.uid().equals(uid));
            if (entry.isEmpty()) {
                return;
            }
            remove(id);
        }
        callBack(id);
    }

    /**
     * Removes the policies that no longer exist.
     *
     * @param there whether the policy with this id and UID exists
     */
    void keepOnly(BiPredicate<PolicyId, String> there) {
        Map.copyOf(entries).forEach((id, entry) -> {
            if (!there.test(id, entry.uid())) {
                gone(id, entry.uid());
            }
        });
    }

    /** Removes the entry. The caller must call {@link #callBack} after it has released the lock. */
    @GuardedBy("this")
    private void remove(PolicyId id) {
        entries.remove(id);
        lastValid.remove(id);
        leaving.add(id);
        // Also without a valid generation: the engine may have got an acknowledgement.
        engine.accept(new Event.PolicyRemoved(id));
    }

    /** Calls the callback for a deleted policy, without the lock. */
    private void callBack(PolicyId id) {
        try {
            onGone.accept(id);
        } finally {
            synchronized (this) {
                leaving.remove(id);
                notifyAll();
            }
        }
    }

    /** Waits until no callback for a deleted policy of this name runs. */
    @GuardedBy("this")
    private void awaitLeft(PolicyId id) {
        boolean interrupted = false;
        while (leaving.contains(id)) {
            try {
                wait();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /** {@return the UID of a policy; empty if the registry does not have the policy} */
    public Optional<String> uid(PolicyId id) {
        return Optional.ofNullable(entries.get(id)).map(PolicyEntry::uid);
    }

    /** {@return whether the registry has the policy} */
    public boolean has(PolicyId id) {
        return entries.containsKey(id);
    }

    /**
     * Runs an action about a policy while the registry has it, and returns what the action returns. Returns false,
     * without running it, if the registry does not have the policy. A deletion waits for the action, so the callback
     * for deleted policies drops all that the action stored.
     *
     * @param action gets the UID of the policy; must be short, and must not use the registry
     */
    public boolean whilePresent(PolicyId id, Predicate<String> action) {
        boolean[] result = {false};
        entries.computeIfPresent(id, (_, entry) -> {
            result[0] = action.test(entry.uid());
            return entry;
        });
        return result[0];
    }

    /** {@return the number of policies, valid and invalid} */
    public int size() {
        return entries.size();
    }
}
