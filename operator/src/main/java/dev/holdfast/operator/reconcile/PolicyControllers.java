package dev.holdfast.operator.reconcile;

import dev.holdfast.crds.v1alpha1.ClusterPlacementPolicy;
import dev.holdfast.crds.v1alpha1.PlacementPolicy;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
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
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The controllers of both policy kinds and of pauses. An API server that goes away is waited for. */
public final class PolicyControllers implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PolicyControllers.class);

    private static final int THREADS = 4;

    /** For a page of a list, or a status: who writes one does not look after others meanwhile. */
    private static final Duration REQUEST_TIMEOUT = Duration.ofSeconds(5);

    private static final long PAGE = 200;
    private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(20);
    private static final Duration LAST_RECONCILIATIONS = Duration.ofSeconds(2);

    /** Nothing is asked of the API server by these: they only make up for a bell that was lost. */
    private static final Duration LOOK_AT_LEAST_EACH = Duration.ofMinutes(10);

    private static final Duration LONGEST_RETRY = Duration.ofMinutes(1);

    private final PolicyRegistry book;
    private final StatusScheduler desk;
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
    private final Thread looks;

    /**
     * Controllers that are not started yet.
     *
     * @param connection how to reach the API server
     * @param reports whose bell calls them
     * @param engine takes changes of pauses, ViewSynced and ViewLost
     * @param clock that of the engine
     * @param onStopped called when a watch has ended for good: the process should end with an error
     */
    public PolicyControllers(
            Config connection,
            PolicyRegistry book,
            PolicyReports reports,
            StatusScheduler desk,
            Consumer<Event> engine,
            InstantSource clock,
            Consumer<Throwable> onStopped) {
        this(ApiClients.watching(connection, REQUEST_TIMEOUT), book, reports, desk, engine, clock, onStopped);
    }

    PolicyControllers(
            KubernetesClient client,
            PolicyRegistry book,
            PolicyReports reports,
            StatusScheduler desk,
            Consumer<Event> engine,
            InstantSource clock,
            Consumer<Throwable> onStopped) {
        this.client = client;
        this.book = book;
        this.desk = desk;
        namespacedPolicies = new PolicyStore<>(book, book::take);
        clusterPolicies = new PolicyStore<>(book, book::take);
        StatusErrors trouble = new StatusErrors(clock);
        namespaced = new PlacementPolicyReconciler(namespacedPolicies, desk, trouble);
        cluster = new ClusterPolicyReconciler(clusterPolicies, desk, trouble);
        pauses = new PauseStore(engine);
        pauseStatuses = new PauseReconciler(pauses, desk::leads, clock, trouble);
        // The lambda is run more than once: nothing may be created in it.
        operator = new Operator(overrider -> overrider
                .withKubernetesClient(client)
                // It would not where it was never started.
                .withCloseClientOnStop(false)
                .withConcurrentReconciliationThreads(THREADS)
                .withStopOnInformerErrorDuringStartup(false)
                .withCacheSyncTimeout(SYNC_TIMEOUT)
                .withReconciliationTerminationTimeout(LAST_RECONCILIATIONS)
                .withUseSSAToPatchPrimaryResource(true)
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
        reports.onRing(this::ring);
        looks = Thread.ofPlatform()
                .daemon()
                .name("holdfast-policy-view")
                .uncaughtExceptionHandler((_, death) -> onStopped.accept(death))
                .unstarted(this::run);
        watches.put(
                View.POLICIES,
                new InformerViewWatch(View.POLICIES, () -> state(ofPolicies), this::handOver, engine, clock));
        watches.put(
                View.PAUSES, new InformerViewWatch(View.PAUSES, () -> state(ofPauses), pauses::tellAll, engine, clock));
    }

    /** A pool for timed tasks that is made without a thread of its own looks a hundred times a second whether one is due. */
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
                // A status that somebody else wrote over is repaired as soon as that is seen.
                .withGenerationAware(false)
                .withRetry(new GenericRetry()
                        .setInitialInterval(Duration.ofSeconds(1))
                        .setMaxInterval(LONGEST_RETRY.toMillis())
                        .withoutMaxAttempts())
                .withReconciliationMaxInterval(LOOK_AT_LEAST_EACH);
    }

    /** Starts. Returns when all policies are listed, or could not be listed for a while and are waited for. */
    public void start() {
        operator.start();
        looks.start();
    }

    /**
     * {@return when the watches of a view were last seen open, or the start when they never were; empty for views that
     * others see}
     */
    public Optional<Instant> lastFollowing(View view) {
        return Optional.ofNullable(watches.get(view)).map(InformerViewWatch::lastFollowing);
    }

    /** Calls for a look at every status of a pause, since this replica leads now. */
    public void takeOver() {
        pauseStatuses.takeOver();
    }

    /** Looks often until the policies are there the first time, then once a second. */
    private void run() {
        try {
            do {
                look();
            } while (!closed.await(untilNextLook().toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException _) {
            LOG.debug("Interrupted while looking after the watches of the policies");
        }
    }

    private Duration untilNextLook() {
        return watches.values().stream()
                .map(InformerViewWatch::untilNextLook)
                .min(Comparator.naturalOrder())
                .orElseThrow();
    }

    private void look() {
        try {
            watches.values().forEach(InformerViewWatch::look);
            desk.look();
        } catch (RuntimeException e) {
            LOG.error("Cannot look after the watches of the policies", e);
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
        namespacedPolicies.tellAll();
        clusterPolicies.tellAll();
        book.keepOnly((policy, uid) -> policy.namespace().isPresent()
                ? namespacedPolicies.has(policy, uid)
                : clusterPolicies.has(policy, uid));
    }

    private void ring(PolicyId policy) {
        if (policy.namespace().isPresent()) {
            namespaced.body().ring(policy);
        } else {
            cluster.body().ring(policy);
        }
    }

    /** Stops, with two seconds for statuses that are being written. */
    @Override
    public void close() {
        closed.countDown();
        try {
            operator.stop();
        } finally {
            client.close();
        }
    }
}
