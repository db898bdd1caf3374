package dev.holdfast.operator.app;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.loop.ViewStatuses;
import dev.holdfast.operator.reconcile.InstalledKinds;
import dev.holdfast.operator.serve.ApiReviews;
import dev.holdfast.operator.serve.HttpEndpoint;
import dev.holdfast.operator.serve.HttpReply;
import dev.holdfast.operator.serve.HttpsSettings;
import dev.holdfast.operator.serve.Probes;
import dev.holdfast.operator.serve.ReaderAccess;
import dev.holdfast.operator.serve.SharedReply;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole operator: watches one cluster, enforces its policies and reports violations, until it is closed.
 *
 * <p>Each part sends events to the engine's loop or carries out an action that the engine requests. Four groups of
 * parts are created one after the other. This class starts and closes them, and serves probes and metrics.
 */
public final class Operator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    /** The names of the ledger's ConfigMaps without their numbers; the chart makes them. */
    public static final String LEDGER = "holdfast-ledger";

    private final CoreParts core;
    private final LeaderParts leader;
    private final PolicyParts policies;
    private final EffectParts effects;
    private final ApiReviews reviews;
    private final InstalledKinds kinds;
    private final HttpEndpoint probesEndpoint;
    private final HttpEndpoint metricsEndpoint;

    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean begun;

    private Operator(Config connection, OperatorConfig config, OperatorOptions options) throws StartException {
        core = new CoreParts(connection, config, options);
        leader = new LeaderParts(core);
        policies = new PolicyParts(core, leader.leadership);
        effects = new EffectParts(core, leader, policies);
        reviews = new ApiReviews(connection);
        kinds = new InstalledKinds(core.client);
        probesEndpoint = probes();
        try {
            metricsEndpoint = metrics();
        } catch (StartException e) {
            probesEndpoint.close();
            throw e;
        }
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
        Probes probes =
                new Probes(effects.loop::state, core.observedEngine::views, leader.leadership::leads, this::waitedFor);
        return listen(
                HttpEndpoint.Purpose.PROBES,
                core.config.httpPort(),
                Map.of("/livez", probes::live, "/readyz", probes::ready),
                Optional.empty());
    }

    private HttpEndpoint metrics() throws StartException {
        return listen(
                HttpEndpoint.Purpose.METRICS,
                core.config.metrics().port(),
                Map.of(
                        "/metrics",
                        new SharedReply(
                                () -> core.telemetry.scrape(policies.registry::has, leader.leadership.leads()),
                                core.options.clock())),
                core.config.metrics().secure() ? Optional.of(https()) : Optional.empty());
    }

    private HttpsSettings https() throws StartException {
        ReaderAccess access = new ReaderAccess(reviews, core.options.clock());
        Optional<Path> folder = core.config.metrics().certificateFolder();
        if (folder.isEmpty()) {
            return HttpsSettings.withOwnCertificate(access);
        }
        try {
            return HttpsSettings.withCertificateIn(folder.get(), core.options.clock(), access);
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
                    purpose,
                    new InetSocketAddress(core.options.httpAddress(), port),
                    paths,
                    https,
                    core.failures::threadDied);
        } catch (IOException e) {
            closeParts();
            throw new StartException(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> waitedFor() {
        return begun ? Optional.empty() : Optional.of(kinds.waitedFor());
    }

    private void begin() throws StartException, InstalledKinds.MissingException, InterruptedException {
        leader.leadershipEvents.to(this::leadershipChanged);
        leader.modeEvents.to(this::capped);
        policies.deletedPolicies.to(this::forget);
        core.telemetry.bind(
                effects.loop::state, core.observedEngine::views, leader.leadership::leadingSince, this::lastHeard);
        core.telemetry.metrics().clock(leader.leadership.comparison()::aheadSeconds);
        core.telemetry
                .operatorMetrics()
                .activity(
                        core.observedEngine::activity,
                        core.config.engineSettings().operatorLimits());
        core.telemetry.operatorMetrics().feeds(effects.feed::counts);
        core.telemetry.operatorMetrics().ledger(leader.ledger::lastWrite);
        long found = kinds.await();
        Optional<String> beside = leader.announcedLease.refusesStart();
        if (beside.isPresent()) {
            throw new StartException(beside.get());
        }
        Banner.log(core.config, core.options, probesEndpoint.port(), metricsEndpoint.port(), found);
        begun = true;
        core.heapCheck.start();
        effects.loop.start();
        effects.eventRecorder.start();
        effects.reporter.start(core.failures::threadDied);
        leader.ceiling.start();
        policies.discovery.start();
        leader.leadership.start();
        leader.ledgerWarmUp.start();
        effects.feed.start();
        policies.controllers.start();
    }

    private Optional<Instant> lastHeard(View view) {
        return policies.controllers
                .lastFollowing(view)
                .or(() -> Optional.ofNullable(effects.feed.lastHeard().get(view)));
    }

    private void forget(PolicyId policy) {
        core.telemetry.metrics().forget(policy);
        policies.reports.forget(policy);
        policies.statusScheduler.forget(policy);
        effects.reporter.forget(policy);
    }

    private void leadershipChanged(Event event) {
        core.queue.offer(event);
        core.telemetry.operatorMetrics().leadershipChanged();
        if (event instanceof Event.LeadershipGained || event instanceof Event.LeadershipRegained) {
            policies.statusScheduler.takeOver();
            policies.controllers.takeOver();
            leader.ceiling.recheck();
        }
    }

    private void capped(Event event) {
        if (event instanceof Event.ModeCapped(Mode mode, String why, var _)) {
            core.telemetry.operatorMetrics().capped(mode);
            policies.statusScheduler.capped(mode == Mode.ENFORCE ? Optional.empty() : Optional.of(why));
        }
        core.queue.offer(event);
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
        return core.observedEngine.views();
    }

    /** {@return whether this replica leads now} */
    public boolean leads() {
        return leader.leadership.leads();
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
                core.heapCheck,
                effects.loop,
                effects.eventRecorder,
                effects.reporter,
                // The last statuses are written while this replica leads, so that they replace none of the next leader.
                // The reconcilers have 2 s for that.
                policies.controllers,
                leader.leadership,
                effects.feed,
                leader.ceiling,
                policies.discovery,
                effects.evictor,
                leader.ledgerWarmUp,
                leader.ledger,
                effects.reader,
                reviews,
                core.client,
                core.telemetry);
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
