package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.status.PolicyStatus;
import dev.holdfast.operator.reconcile.status.PolicyEntry;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The informer's store of one policy kind. The store sends each change to the registry on the informer's thread. So a
 * deletion or a switch to Disabled reaches the engine at once, without waiting for a reconciler that writes a status.
 *
 * <p>The registry keeps the translation of each spec. So the store drops the spec itself, which may have a megabyte.
 */
final class PolicyStore<P extends CustomResource<?, PolicyStatus>> implements ItemStore<P> {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyStore.class);

    private final PolicyRegistry registry;
    private final Function<P, Optional<PolicyEntry>> take;
    private final Map<String, P> policies = new ConcurrentHashMap<>();

    /**
     * Creates an empty store.
     *
     * @param registry gets each deletion of a policy
     * @param take sends a policy to the registry and returns its entry; empty if the policy is deleted
     */
    PolicyStore(PolicyRegistry registry, Function<P, Optional<PolicyEntry>> take) {
        this.registry = registry;
        this.take = take;
    }

    @Override
    public String getKey(P policy) {
        return Cache.metaNamespaceKeyFunc(policy);
    }

    @Override
    public @Nullable P put(String key, P policy) {
        P before = policies.put(key, policy);
        if (before != null
                && !before.getMetadata().getUid().equals(policy.getMetadata().getUid())) {
            // Otherwise a thread that still has the deleted policy could send it after the new one.
            deliverGone(before);
        }
        deliver(policy, () -> {
            var _ = take.apply(policy);
            // Not reached after an exception: the next delivery needs the spec.
            policy.setSpec(null);
        });
        return before;
    }

    @Override
    public @Nullable P remove(String key) {
        P before = policies.remove(key);
        if (before != null) {
            deliverGone(before);
        }
        return before;
    }

    private void deliverGone(P policy) {
        deliver(
                policy,
                () -> registry.gone(
                        PolicyRegistry.id(policy), policy.getMetadata().getUid()));
    }

    /** Sends all policies in the store to the registry. */
    void deliverAll() {
        policies.values()
                .forEach(policy -> deliver(policy, () -> {
                    var _ = take.apply(policy);
                }));
    }

    /**
     * Runs the delivery. Catches and logs an exception, which must not reach the informer. The change is not lost: the
     * reconciler delivers it again.
     */
    private static void deliver(HasMetadata policy, Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException e) {
            LOG.atError()
                    .addKeyValue("policy", PolicyRegistry.id(policy))
                    .setCause(e)
                    .log("Failed to process a policy change");
        }
    }

    /**
     * Sends the latest version of the policy to the registry, and returns the policy's entry; empty if the policy is
     * deleted, or if another policy has its name now.
     */
    Optional<PolicyEntry> entry(P policy) {
        return Optional.ofNullable(policies.get(getKey(policy)))
                .filter(it -> uid(it).equals(uid(policy)))
                .flatMap(take);
    }

    /** {@return whether the store has the policy with this id and UID} */
    boolean has(PolicyId policy, String uid) {
        String key = Cache.namespaceKeyFunc(policy.namespace().orElse(""), policy.name());
        return Optional.ofNullable(policies.get(key))
                .filter(it -> uid(it).equals(uid))
                .isPresent();
    }

    private static String uid(HasMetadata policy) {
        return policy.getMetadata().getUid();
    }

    @Override
    public Stream<String> keySet() {
        return policies.keySet().stream();
    }

    @Override
    public Stream<P> values() {
        return policies.values().stream();
    }

    @Override
    public int size() {
        return policies.size();
    }

    @Override
    public @Nullable P get(String key) {
        return policies.get(key);
    }
}
