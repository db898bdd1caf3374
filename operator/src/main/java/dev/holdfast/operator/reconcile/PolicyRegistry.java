package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.crds.v1alpha1.PolicySpec;
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
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiPredicate;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * All policies, each read once a generation and handed to the engine if it is valid. A generation that is not leaves
 * the last valid one in force, and other policies alone.
 */
public final class PolicyRegistry {
    private static final int REMEMBERED_GONE = 1_000;

    private final PolicyTranslator translator;
    private final Consumer<Event> engine;
    private final Consumer<PolicyId> onGone;
    private final InstantSource clock;

    /** Read by anybody, and without the lock: who is told of a change under it may be waited for by who asks. */
    private final Map<PolicyId, PolicyEntry> entries = new ConcurrentHashMap<>();

    /**
     * UIDs of the last deleted policies: a late event of one must not bring it back. Forgets the oldest first. A size-bound
     * Caffeine cache would not: it may drop the newest, whose late events are still to come.
     */
    private final Map<String, Boolean> gone = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Boolean> eldest) {
            return size() > REMEMBERED_GONE;
        }
    };

    /**
     * An empty book.
     *
     * @param engine takes PolicyChanged, PolicyAcknowledged and PolicyRemoved; must not block
     * @param onGone is told of a policy that is gone, after the engine
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

    /** {@return the policy as it stands, handed to the engine if this is new and valid; empty if it is gone already} */
    Optional<PolicyEntry> take(PlacementPolicy policy) {
        return take(id(policy), policy.getMetadata(), policy.getSpec(), () -> translator.translate(policy));
    }

    /** {@return the policy as it stands, handed to the engine if this is new and valid; empty if it is gone already} */
    Optional<PolicyEntry> take(ClusterPlacementPolicy policy) {
        return take(id(policy), policy.getMetadata(), policy.getSpec(), () -> translator.translate(policy));
    }

    private synchronized Optional<PolicyEntry> take(
            PolicyId id, ObjectMeta meta, @Nullable PolicySpec spec, Supplier<Translation> translate) {
        String uid = meta.getUid();
        if (gone.containsKey(uid)) {
            return Optional.empty();
        }
        long generation = Objects.requireNonNullElse(meta.getGeneration(), 0L);
        Optional<PolicyEntry> known = Optional.ofNullable(entries.get(id));
        Optional<PolicyEntry> earlier = known.filter(it -> it.uid().equals(uid));
        if (earlier.filter(it -> it.generation() >= generation).isPresent()) {
            return Optional.of(acknowledged(id, meta, earlier.get()));
        }
        if (known.isPresent() && earlier.isEmpty()) {
            forget(id, known.get());
        }
        Translation translation = translate.get();
        Optional<PolicyEntry.InForce> inForce =
                inForce(translation, spec).or(() -> earlier.flatMap(PolicyEntry::inForce));
        PolicyEntry entry = new PolicyEntry(
                uid,
                generation,
                translation,
                inForce,
                earlier.map(PolicyEntry::acknowledged).orElse(Set.of()),
                clock.instant());
        // The engine's answer may come at once, and is for a policy that is there.
        entries.put(id, entry);
        handOver(translation);
        return Optional.of(acknowledged(id, meta, entry));
    }

    /** {@return the entry with what annotations acknowledge now; the engine is told when that is something else} */
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

    private void handOver(Translation translation) {
        // While a translation is refused, what is in force stays so.
        translation
                .valid()
                .ifPresent(it -> engine.accept(new Event.PolicyChanged(it.policy(), it.disruptionControls())));
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

    /** Takes that a policy object is gone. */
    synchronized void gone(PolicyId id, String uid) {
        gone.put(uid, true);
        Optional.ofNullable(entries.get(id)).filter(it -> it.uid().equals(uid)).ifPresent(it -> forget(id, it));
    }

    /** Takes that all policies are gone that are not said to be there, by their id and UID. */
    synchronized void keepOnly(BiPredicate<PolicyId, String> there) {
        Map.copyOf(entries).forEach((id, entry) -> {
            if (!there.test(id, entry.uid())) {
                gone(id, entry.uid());
            }
        });
    }

    private void forget(PolicyId id, PolicyEntry entry) {
        entries.remove(id);
        if (entry.inForce().isPresent()) {
            engine.accept(new Event.PolicyRemoved(id));
        }
        onGone.accept(id);
    }

    /** {@return the UID of a policy; empty when it is gone} */
    public Optional<String> uid(PolicyId id) {
        return Optional.ofNullable(entries.get(id)).map(PolicyEntry::uid);
    }

    /** {@return whether there is such a policy} */
    public boolean has(PolicyId id) {
        return entries.containsKey(id);
    }

    /** {@return how many policies there are} */
    public int size() {
        return entries.size();
    }
}
