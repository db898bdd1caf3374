package dev.holdfast.operator.app;

import dev.holdfast.crds.v1alpha1.status.PolicyLeader;
import dev.holdfast.operator.api.AdmissionDiscovery;
import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.api.ClusterReader;
import dev.holdfast.operator.api.InjectionSupport;
import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.evict.Evictor;
import dev.holdfast.operator.feed.ClusterFeed;
import dev.holdfast.operator.lead.AnnouncedLease;
import dev.holdfast.operator.lead.Leadership;
import dev.holdfast.operator.ledger.LedgerNote;
import dev.holdfast.operator.ledger.LedgerStorage;
import dev.holdfast.operator.ledger.WhenMissing;
import dev.holdfast.operator.loop.EffectHandlers;
import dev.holdfast.operator.loop.EngineLoop;
import dev.holdfast.operator.loop.EventQueue;
import dev.holdfast.operator.loop.EvictionAccessReview;
import dev.holdfast.operator.loop.ModeCeiling;
import dev.holdfast.operator.loop.ObservedEngine;
import dev.holdfast.operator.loop.ViewStatuses;
import dev.holdfast.operator.loop.WallClockStep;
import dev.holdfast.operator.publish.EventRecorder;
import dev.holdfast.operator.publish.Metrics;
import dev.holdfast.operator.reconcile.InstalledKinds;
import dev.holdfast.operator.reconcile.PolicyControllers;
import dev.holdfast.operator.reconcile.PolicyRegistry;
import dev.holdfast.operator.reconcile.PolicyReports;
import dev.holdfast.operator.reconcile.StatusScheduler;
import dev.holdfast.operator.serve.ApiReviews;
import dev.holdfast.operator.serve.HttpEndpoint;
import dev.holdfast.operator.serve.HttpReply;
import dev.holdfast.operator.serve.HttpsSettings;
import dev.holdfast.operator.serve.Probes;
import dev.holdfast.operator.serve.ReaderAccess;
import dev.holdfast.operator.serve.SharedReply;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole operator: watches one cluster, enforces its policies and reports violations, until it is closed.
 *
 * <p>Each part sends events to the engine's loop or carries out an action that the engine requests. This class only
 * connects the parts.
 */
public final class Operator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    /** The names of the ledger's ConfigMaps without their numbers; the chart makes them. */
    public static final String LEDGER = "holdfast-ledger";

    private final OperatorConfig config;
    private final OperatorOptions options;
    private final Failures failures;
    private final EventQueue queue = new EventQueue();
    private final Listener<Event> leadershipEvents = new Listener<>();
    private final Listener<Event> modeEvents = new Listener<>();
    private final Listener<PolicyId> deletedPolicies = new Listener<>();
    private final ObservedEngine observedEngine;
    private final Telemetry telemetry;

    private final KubernetesClient client;
    private final ApiReviews reviews;
    private final InstalledKinds kinds;
    private final Leadership leadership;
    private final AnnouncedLease announcedLease;
    private final LedgerStorage ledger;
    private final LedgerWarmUp ledgerWarmUp;
    private final ModeCeiling ceiling;
    private final AdmissionDiscovery discovery;
    private final ClusterFeed feed;
    private final ClusterReader reader;
    private final Evictor evictor;
    private final PolicyRegistry registry;
    private final PolicyReports reports = new PolicyReports();
    private final StatusScheduler statusScheduler;
    private final PolicyControllers controllers;
    private final EventRecorder eventRecorder;
    private final EffectReporter reporter;
    private final EngineLoop loop;
    private final HeapCheck heapCheck;
    private final HttpEndpoint probesEndpoint;
    private final HttpEndpoint metricsEndpoint;

    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean begun;

    private Operator(Config connection, OperatorConfig config, OperatorOptions options) throws StartException {
        this.config = config;
        this.options = options;
        SteadyClock clock = options.clock();
        failures = new Failures(options.onFatal());
        Engine engine = new Engine(engineSettings());
        ObservedEngine observing = new ObservedEngine(engine::step, engine::activity, engine::views);
        observedEngine = observing;
        boolean mayEnforce = config.maxMode() == Mode.ENFORCE;
        BooleanSupplier couldAct = () -> mayEnforce && observing.views().allSynced();
        HistoryGuard observed = new HistoryGuard(queue::offer, options.onFatal());
        heapCheck = HeapCheck.ofThisProcess(clock, options.onFatal(), failures::threadDied);
        telemetry = new Telemetry(clock);
        Metrics metrics = telemetry.metrics();
        client = ApiClients.retrying(connection);
        reviews = new ApiReviews(connection);
        kinds = new InstalledKinds(client);
        reader = new ClusterReader(connection);
        leadership = new Leadership(
                connection,
                config.lease(),
                options.identity(),
                couldAct,
                clock,
                leadershipEvents,
                failures::threadDied);
        evictor = new Evictor(connection, leadership);
        announcedLease = new AnnouncedLease(client, config.lease());
        ledger = new LedgerStorage(
                connection,
                config.brakes().namespace(),
                LEDGER,
                options.whenLedgerMissing(),
                leadership,
                new LedgerNote(leadership::notedLedger, leadership::noteLedger),
                leadership.comparison()::steadyAhead,
                clock);
        ledgerWarmUp = new LedgerWarmUp(couldAct, ledger, failures::threadDied);
        AdmissionDiscovery discovering = new AdmissionDiscovery(client, failures::threadDied);
        discovery = discovering;
        feed = new ClusterFeed(connection, clock, observed, failures::threadDied);
        registry = new PolicyRegistry(
                new PolicyTranslator(config.defaultForgiveness()), queue::offer, deletedPolicies, clock);
        statusScheduler = new StatusScheduler(
                reports,
                () -> leadership.leadingSince().map(since -> PolicyLeader.of(options.identity(), since)),
                () -> observing.views().missing().stream()
                        .map(why -> "view " + why)
                        .findFirst(),
                () -> injectionSupport(
                        discovering.support(), config.scheduling().enabled()),
                metrics,
                registry::uid,
                clock,
                options.statusInterval());
        ceiling = new ModeCeiling(
                new EvictionAccessReview(client).and(announcedLease::refusesEvictions),
                config.maxMode(),
                modeEvents,
                failures::threadDied);
        controllers = new PolicyControllers(
                connection,
                registry,
                reports,
                statusScheduler,
                observed,
                clock,
                leadership.comparison()::wallClock,
                failures::informerStopped);
        eventRecorder = EventRecorder.of(
                client,
                registry::uid,
                engine::controllerAbove,
                leadership::leads,
                clock,
                metrics::event,
                failures::threadDied);
        reporter = new EffectReporter(
                registry::whilePresent,
                leadership::leads,
                metrics,
                eventRecorder,
                reports,
                config.brakes().namespace(),
                config.metrics().byNamespace()
                        ? Optional.of(telemetry.byNamespace(leadership::leads))
                        : Optional.empty(),
                clock);
        EffectHandlers effectHandlers = new EffectHandlers(
                ceiling.checkedByReads(feed.checkedByFeeds(reader::confirm)),
                reader::volume,
                ceiling.checkedByAnswers(evictor::dryRun),
                ceiling.checkedByAnswers(evictor::evict),
                ledger::read,
                ledger::write,
                ledger::writeClocks,
                reporter::report,
                reporter::publish,
                reporter::braked,
                reporter::compared,
                reporter::tooComplex,
                reporter::invalidRules);
        loop = new EngineLoop(
                queue,
                new WallClockStep(observedEngine, leadership.comparison()::wallClock),
                engine::handOver,
                clock,
                effectHandlers,
                failures::engineFailed,
                failures::threadDied);
        probesEndpoint = probes();
        try {
            metricsEndpoint = metrics();
        } catch (StartException e) {
            probesEndpoint.close();
            throw e;
        }
    }

    /**
     * {@return the settings of the engine} An operator of the chart that only audits keeps the ledger too, so that a
     * later one knows that no policy was enforced meanwhile.
     */
    private EngineSettings engineSettings() {
        EngineSettings settings = config.engineSettings();
        boolean ofChart = options.whenLedgerMissing() == WhenMissing.HOLD;
        return ofChart || config.maxMode() == Mode.ENFORCE ? settings.withLedger() : settings;
    }

    /**
     * Starts an operator. Returns once the CRDs of all policy kinds are found and the watches are started. Waits while
     * the API server is unreachable or refuses the requests.
     *
     * @param connection the client configuration for the API server
     * @throws StartException if a CRD is not installed, or the operator cannot listen on the HTTP address or use the
     *     certificate for metrics
     */
    public static Operator start(Config connection, OperatorConfig config, OperatorOptions options)
            throws StartException, InterruptedException {
        Operator operator = new Operator(connection, config, options);
        boolean started = false;
        try {
            operator.begin();
            started = true;
            return operator;
        } catch (InstalledKinds.MissingException e) {
            throw new StartException(String.valueOf(e.getMessage()));
        } finally {
            if (!started) {
                operator.close();
            }
        }
    }

    private HttpEndpoint probes() throws StartException {
        Probes probes = new Probes(loop::state, observedEngine::views, leadership::leads, this::waitedFor);
        return listen(
                HttpEndpoint.Purpose.PROBES,
                config.httpPort(),
                Map.of("/livez", probes::live, "/readyz", probes::ready),
                Optional.empty());
    }

    private HttpEndpoint metrics() throws StartException {
        return listen(
                HttpEndpoint.Purpose.METRICS,
                config.metrics().port(),
                Map.of(
                        "/metrics",
                        new SharedReply(() -> telemetry.scrape(registry::has, leadership.leads()), options.clock())),
                config.metrics().secure() ? Optional.of(https()) : Optional.empty());
    }

    private HttpsSettings https() throws StartException {
        ReaderAccess access = new ReaderAccess(reviews, options.clock());
        Optional<Path> folder = config.metrics().certificateFolder();
        if (folder.isEmpty()) {
            return HttpsSettings.withOwnCertificate(access);
        }
        try {
            return HttpsSettings.withCertificateIn(folder.get(), options.clock(), access);
        } catch (IOException e) {
            closeParts();
            throw new StartException("cannot serve metrics by HTTPS: " + e.getMessage());
        }
    }

    private HttpEndpoint listen(
            HttpEndpoint.Purpose purpose,
            int port,
            Map<String, Supplier<HttpReply>> paths,
            Optional<HttpsSettings> https)
            throws StartException {
        try {
            return HttpEndpoint.start(
                    purpose, new InetSocketAddress(options.httpAddress(), port), paths, https, failures::threadDied);
        } catch (IOException e) {
            closeParts();
            throw new StartException(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> waitedFor() {
        return begun ? Optional.empty() : Optional.of(kinds.waitedFor());
    }

    private void begin() throws StartException, InstalledKinds.MissingException, InterruptedException {
        leadershipEvents.to(this::leadershipChanged);
        modeEvents.to(this::capped);
        deletedPolicies.to(this::forget);
        telemetry.bind(loop::state, observedEngine::views, leadership::leadingSince, this::lastHeard);
        telemetry.metrics().clock(leadership.comparison()::aheadSeconds);
        telemetry
                .operatorMetrics()
                .activity(observedEngine::activity, config.engineSettings().operatorLimits());
        telemetry.operatorMetrics().feeds(feed::counts);
        telemetry.operatorMetrics().ledger(ledger::lastWrite);
        long policies = kinds.await();
        Optional<String> beside = announcedLease.refusesStart();
        if (beside.isPresent()) {
            throw new StartException(beside.get());
        }
        Banner.log(config, options, probesEndpoint.port(), metricsEndpoint.port(), policies);
        begun = true;
        heapCheck.start();
        loop.start();
        eventRecorder.start();
        reporter.start(failures::threadDied);
        ceiling.start();
        discovery.start();
        leadership.start();
        ledgerWarmUp.start();
        feed.start();
        controllers.start();
    }

    /** {@return whether the API server can inject rules} A server that cannot is named first: it needs an upgrade. */
    private static InjectionSupport injectionSupport(InjectionSupport served, boolean installed) {
        return served == InjectionSupport.NOT_SERVED || installed ? served : InjectionSupport.NOT_INSTALLED;
    }

    private Optional<Instant> lastHeard(View view) {
        return controllers
                .lastFollowing(view)
                .or(() -> Optional.ofNullable(feed.lastHeard().get(view)));
    }

    private void forget(PolicyId policy) {
        telemetry.metrics().forget(policy);
        reports.forget(policy);
        statusScheduler.forget(policy);
        reporter.forget(policy);
    }

    private void leadershipChanged(Event event) {
        queue.offer(event);
        telemetry.operatorMetrics().leadershipChanged();
        if (event instanceof Event.LeadershipGained || event instanceof Event.LeadershipRegained) {
            statusScheduler.takeOver();
            controllers.takeOver();
            ceiling.recheck();
        }
    }

    private void capped(Event event) {
        if (event instanceof Event.ModeCapped(Mode mode, String why, var _)) {
            telemetry.operatorMetrics().capped(mode);
            statusScheduler.capped(mode == Mode.ENFORCE ? Optional.empty() : Optional.of(why));
        }
        queue.offer(event);
    }

    /** {@return the port that serves probes} */
    public int httpPort() {
        return probesEndpoint.port();
    }

    /** {@return the port that serves metrics} */
    public int metricsPort() {
        return metricsEndpoint.port();
    }

    /** {@return whether each watched kind of objects is synced} */
    public ViewStatuses views() {
        return observedEngine.views();
    }

    /** {@return whether this replica leads now} */
    public boolean leads() {
        return leadership.leads();
    }

    /**
     * Stops evicting, writes the remaining reports, releases the lease and closes all parts. Takes at most a few
     * seconds unless a request is in progress. A second call does nothing.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (begun) {
            LOG.info("Holdfast stopping");
        }
        // First, so that the kubelet restarts the pod if another part never ends.
        probesEndpoint.close();
        closeParts();
        metricsEndpoint.close();
        if (begun) {
            LOG.info("Holdfast stopped");
        }
    }

    /** Closes all parts, even those that were never started: most open a connection when they are created. */
    private void closeParts() {
        inOrder(
                heapCheck,
                loop,
                eventRecorder,
                reporter,
                // The last statuses are written while this replica leads, so that they replace none of the next leader.
                // The reconcilers have 2 s for that.
                controllers,
                leadership,
                feed,
                ceiling,
                discovery,
                evictor,
                ledgerWarmUp,
                ledger,
                reader,
                reviews,
                client,
                telemetry);
    }

    private static void inOrder(AutoCloseable... parts) {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.atWarn()
                        .setCause(e)
                        .log("Failed to close {}", part.getClass().getSimpleName());
            }
        }
    }
}
