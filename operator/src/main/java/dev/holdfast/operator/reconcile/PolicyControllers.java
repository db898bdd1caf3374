package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.plan.controls.WallClock;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.health.InformerHealthIndicator;
import io.javaoperatorsdk.operator.health.InformerWrappingEventSourceHealthIndicator;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The controllers of both policy kinds and of pauses. When the API server becomes unreachable, the controllers retry
 * until it is back.
 */
public final class PolicyControllers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyControllers.class);

    private static final int THREADS = 4;

    /**
     * The timeout of one request, which lists a page or writes a status. A request may block a reconciler thread for
     * this long.
     */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private static final long PAGE = 10;
    private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LAST_RECONCILIATIONS = Duration.ofSeconds(2);

    /**
     * The longest time between two reconciliations of an object, in case a trigger was lost. Such a reconciliation
     * sends no read to the API server.
     */
    private static final Duration LOOK_AT_LEAST_EACH = Duration.ofMinutes(10);

    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

    private final PolicyRegistry registry;
    private final StatusScheduler statusScheduler;
    private final StatusErrors statusErrors;
    private final StatusWriter writer;
    private final PolicyStore<PlacementPolicy> namespacedPolicies;
    private final PolicyStore<ClusterPlacementPolicy> clusterPolicies;
    private final KubernetesClient client;
    private final Operator operator;
    private final PlacementPolicyReconciler namespaced;
    private final ClusterPolicyReconciler cluster;
    private final PauseStore pauses;
    private final PauseReconciler pauseStatuses;
    private final Map<View, InformerViewWatch> watches = new EnumMap<>(View.class);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final Thread checks;

    /** Whether this replica began to lead since the last check. */
    private final AtomicBoolean takenOver = new AtomicBoolean();

    /**
     * Creates the controllers without starting them.
     *
     * @param connection the client configuration for the API server
     * @param registry gets each policy, and each deletion of one
     * @param reports the engine's reports; a changed report triggers the reconciliation of its policy
     * @param statusScheduler decides when a policy's status is written
     * @param engine takes the events PauseChanged, PauseRemoved, ViewSynced and ViewLost; must not block
     * @param clock the engine's clock
     * @param wallClock reads the wall clock, for the statuses of pauses
     * @param onStopped called when a watch or the checking thread has ended permanently; the process should then end
     *     with an error
     */
    public PolicyControllers(
            Config connection,
            PolicyRegistry registry,
            PolicyReports reports,
            StatusScheduler statusScheduler,
            Consumer<Event> engine,
            InstantSource clock,
            Supplier<WallClock> wallClock,
            Consumer<Throwable> onStopped) {
        this(
                ApiClients.watching(connection, REQUEST_TIMEOUT),
                new StatusWriter(ApiClients.writingStatus(connection, REQUEST_TIMEOUT)),
                registry,
                reports,
                statusScheduler,
                engine,
                clock,
                wallClock,
                onStopped);
    }

    PolicyControllers(
            KubernetesClient client,
            StatusWriter writer,
            PolicyRegistry registry,
            PolicyReports reports,
            StatusScheduler statusScheduler,
            Consumer<Event> engine,
            InstantSource clock,
            Supplier<WallClock> wallClock,
            Consumer<Throwable> onStopped) {
        this.client = client;
        this.writer = writer;
        this.registry = registry;
        this.statusScheduler = statusScheduler;
        namespacedPolicies = new PolicyStore<>(registry, registry::take);
        clusterPolicies = new PolicyStore<>(registry, registry::take);
        statusErrors = new StatusErrors(clock);
        namespaced = new PlacementPolicyReconciler(namespacedPolicies, statusScheduler, writer, statusErrors);
        cluster = new ClusterPolicyReconciler(clusterPolicies, statusScheduler, writer, statusErrors);
        pauses = new PauseStore(engine);
        pauseStatuses = new PauseReconciler(pauses, statusScheduler::leads, clock, wallClock, writer, statusErrors);
        // The lambda runs more than once, so it must not create objects.
        operator = new Operator(overrider -> overrider
                .withKubernetesClient(client)
                // The operator would close the client only if it was started.
                .withCloseClientOnStop(false)
                .withConcurrentReconciliationThreads(THREADS)
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(SYNC_TIMEOUT)
                .withReconciliationTerminationTimeout(LAST_RECONCILIATIONS)
                .withInformerStoppedHandler((_, failure) -> {
                    if (failure != null) {
                        onStopped.accept(failure);
                    }
                }));
        giveAThread(
                operator.getConfigurationService().getExecutorServiceManager().scheduledExecutorService());
        List<RegisteredController<?>> ofPolicies = List.of(
                operator.register(namespaced, overrider -> configure(overrider, namespacedPolicies)),
                operator.register(cluster, overrider -> configure(overrider, clusterPolicies)));
        List<RegisteredController<?>> ofPauses =
                List.of(operator.register(pauseStatuses, overrider -> configure(overrider, pauses)));
        reports.onChange(this::notifyChanged);
        checks = Thread.ofPlatform()
                .daemon()
                .name("holdfast-policy-view")
                .uncaughtExceptionHandler((_, death) -> onStopped.accept(death))
                .unstarted(this::run);
        watches.put(
                View.POLICIES,
                new InformerViewWatch(View.POLICIES, () -> state(ofPolicies), this::handOver, engine, clock));
        watches.put(
                View.PAUSES,
                new InformerViewWatch(View.PAUSES, () -> state(ofPauses), pauses::deliverAll, engine, clock));
    }

    /**
     * Gives the pool one core thread. Without one, a scheduled pool looks for due tasks a hundred times a second.
     */
    private static void giveAThread(ScheduledExecutorService pool) {
        if (pool instanceof ScheduledThreadPoolExecutor timed) {
            timed.setCorePoolSize(1);
        }
    }

    private static <P extends HasMetadata> void configure(
            ControllerConfigurationOverrider<P> overrider, ItemStore<P> store) {
        overrider
                .withItemStore(store)
                .withInformerListLimit(PAGE)
                // A status that another client overwrote is repaired as soon as the watch shows it.
                .withGenerationAware(false)
                .withRetry(new GenericRetry()
                        .setInitialInterval(Duration.ofSeconds(1))
                        .setMaxInterval(LONGEST_RETRY.toMillis())
                        .withoutMaxAttempts())
                .withReconciliationMaxInterval(LOOK_AT_LEAST_EACH);
    }

    /** Starts the controllers. Returns when all policies and pauses are listed, or after the sync timeout. */
    public void start() {
        operator.start();
        checks.start();
    }

    /**
     * {@return when a check last found all watches of this view open; before the first such check, when these
     * controllers were created; empty for views other than POLICIES and PAUSES}
     */
    public Optional<Instant> lastFollowing(View view) {
        return Optional.ofNullable(watches.get(view)).map(InformerViewWatch::lastFollowing);
    }

    /**
     * Lets the next check trigger a reconciliation of every pause, so that a new leader writes the statuses that it did
     * not write as a standby. Runs no code of the Operator SDK: the calling thread must renew the lease.
     */
    public void takeOver() {
        takenOver.set(true);
    }

    /** Runs the checks until these controllers close: once a second, and more often while a view is not synced. */
    private void run() {
        try {
            do {
                check();
            } while (!closed.await(untilNextLook().toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            LOG.debug("Interrupted while checking the watches of policies and pauses");
        }
    }

    private Duration untilNextLook() {
        return watches.values().stream()
                .map(InformerViewWatch::untilNextLook)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void check() {
        try {
            watches.values().forEach(InformerViewWatch::check);
            statusScheduler.check();
            if (takenOver.getAndSet(false)) {
                pauseStatuses.takeOver();
            }
        } catch (RuntimeException e) {
            LOG.error("Failed to check the watches of policies and pauses", e);
        }
    }

    private static InformerState state(List<RegisteredController<?>> controllers) {
        return controllers.stream().allMatch(PolicyControllers::follows)
                ? InformerState.FOLLOWING
                : InformerState.BEHIND;
    }

    private static boolean follows(RegisteredController<?> controller) {
        for (InformerWrappingEventSourceHealthIndicator<?> source : controller
                .getControllerHealthInfo()
                .informerEventSourceHealthIndicators()
                .values()) {
            for (InformerHealthIndicator informer :
                    source.informerHealthIndicators().values()) {
                if (!informer.hasSynced() || !informer.isWatching()) {
                    return false;
                }
            }
        }
        return true;
    }

    private void handOver() {
        namespacedPolicies.deliverAll();
        clusterPolicies.deliverAll();
        registry.keepOnly((policy, uid) -> policy.namespace().isPresent()
                ? namespacedPolicies.has(policy, uid)
                : clusterPolicies.has(policy, uid));
    }

    private void notifyChanged(PolicyId policy) {
        if (policy.namespace().isPresent()) {
            namespaced.body().notifyChanged(policy);
        } else {
            cluster.body().notifyChanged(policy);
        }
    }

    /** Stops the controllers. Waits up to two seconds for statuses that are being written. */
    @Override
    public void close() {
        closed.countDown();
        statusErrors.end();
        try {
            operator.stop();
        } finally {
            writer.close();
            client.close();
        }
    }
}
