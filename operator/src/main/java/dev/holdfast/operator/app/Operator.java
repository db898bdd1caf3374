package dev.holdfast.operator.app;

import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.enforce.ClusterEvictionRight;
import dev.holdfast.operator.enforce.EngineLoop;
import dev.holdfast.operator.enforce.Hands;
import dev.holdfast.operator.enforce.LoopState;
import dev.holdfast.operator.enforce.ModeCeiling;
import dev.holdfast.operator.evict.Evictor;
import dev.holdfast.operator.lead.Leadership;
import dev.holdfast.operator.observe.ClusterFeed;
import dev.holdfast.operator.observe.ClusterReader;
import dev.holdfast.operator.observe.OneShotClient;
import dev.holdfast.operator.publish.AuditLog;
import dev.holdfast.operator.publish.Events;
import dev.holdfast.operator.publish.Meters;
import dev.holdfast.operator.publish.OccurrenceLog;
import dev.holdfast.operator.reconcile.InstalledKinds;
import dev.holdfast.operator.reconcile.PolicyBook;
import dev.holdfast.operator.reconcile.PolicyControllers;
import dev.holdfast.operator.reconcile.PolicyReports;
import dev.holdfast.operator.reconcile.StatusDesk;
import dev.holdfast.operator.serve.Answer;
import dev.holdfast.operator.serve.HttpFace;
import dev.holdfast.operator.serve.Probes;
import dev.holdfast.operator.translate.PolicyTranslator;
import dev.holdfast.policies.engine.BrakeReport;
import dev.holdfast.policies.engine.BreakerReport;
import dev.holdfast.policies.engine.Effect;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.Event;
import dev.holdfast.policies.engine.Occurrence;
import dev.holdfast.policies.engine.PolicyReport;
import dev.holdfast.policies.engine.View;
import dev.holdfast.policies.evaluate.Reason;
import dev.holdfast.policies.plan.EvictionAnswer;
import dev.holdfast.policies.plan.EvictionRequest;
import dev.holdfast.policies.plan.Limits;
import dev.holdfast.policies.rule.Mode;
import dev.holdfast.policies.rule.PolicyId;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The whole operator: sees one cluster, holds its pods to the policies in it, and tells of it, until it is closed.
 *
 * <p>Each part hands events to the engine's loop, or carries out what the engine wants done; this class only joins them.
 */
public final class Operator implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger("holdfast");

    private final OperatorConfig config;
    private final OperatorOptions options;

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    private boolean distrusted;
    private final Meters meters;
    private final AuditLog audit;
    private final OccurrenceLog log;

    private final KubernetesClient client;
    private final InstalledKinds kinds;
    private final EngineLoop loop;
    private final Leadership leadership;
    private final ModeCeiling ceiling;
    private final ClusterFeed feed;
    private final ClusterReader reader;
    private final Evictor evictor;
    private final PolicyBook book;
    private final PolicyReports reports = new PolicyReports();
    private final StatusDesk desk;
    private final PolicyControllers controllers;
    private final Events events;
    private final HttpFace http;

    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile boolean begun;

    /** What follows another past is nothing to act on, not even in the moment until the process ends. */
    private volatile boolean ending;

    private Operator(Config connection, OperatorConfig config, OperatorOptions options) throws StartException {
        this.config = config;
        this.options = options;
        this.meters = new Meters(registry, options.clock());
        this.audit = new AuditLog(options.clock());
        this.log = new OccurrenceLog(options.clock());
        this.client = OneShotClient.retrying(connection);
        this.kinds = new InstalledKinds(client);
        this.reader = new ClusterReader(connection);
        Engine engine = new Engine(config.engineSettings());
        this.loop = new EngineLoop(
                engine::step,
                options.clock(),
                new Hands(
                        this::confirm,
                        reader::volume,
                        this::rehearse,
                        this::evict,
                        this::tell,
                        this::publish,
                        this::braked,
                        this::compared),
                (event, bug) -> {
                    LOG.atError().addKeyValue("event", event).setCause(bug).log("The engine has a bug and stops");
                    options.onFatal().accept("the engine has a bug: " + bug);
                });
        this.leadership = new Leadership(
                connection, config.lease(), options.identity(), options.clock(), this::leadershipChanged, this::died);
        this.evictor = new Evictor(connection, leadership);
        this.ceiling = new ModeCeiling(new ClusterEvictionRight(client), config.maxMode(), this::capped, this::died);
        this.feed = new ClusterFeed(connection, config.compressLists(), options.clock(), this::seen, this::died);
        this.book = new PolicyBook(
                new PolicyTranslator(config.defaultForgiveness()), loop::offer, this::forget, options.clock());
        this.desk = new StatusDesk(
                reports,
                leadership::leads,
                () -> loop.state().missing(),
                meters,
                options.clock(),
                options.statusInterval());
        this.controllers = new PolicyControllers(
                connection,
                book,
                reports,
                desk,
                this::seen,
                options.clock(),
                failure -> options.onFatal().accept("a watch of policies or pauses has ended for good: " + failure));
        this.events = Events.of(client, book::uid, leadership::leads, options.clock(), meters::event, this::died);
        this.http = http();
    }

    /**
     * Starts an operator. Returns when it has seen that the policy kinds are installed and has begun to read the
     * cluster; an API server that cannot be reached, or refuses to answer, is waited for.
     *
     * @param connection how to reach the API server
     * @throws StartException if a kind is not installed, or the port is taken
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

    private HttpFace http() throws StartException {
        Probes probes = new Probes(loop::state, leadership::leads, this::waitedFor);
        InetSocketAddress address = new InetSocketAddress(options.httpAddress(), config.httpPort());
        try {
            return HttpFace.start(
                    address,
                    Map.of(
                            "/livez", probes::live,
                            "/readyz", probes::ready,
                            "/metrics", this::metrics));
        } catch (IOException e) {
            closeParts();
            throw new StartException(String.valueOf(e.getMessage()));
        }
    }

    private Optional<String> waitedFor() {
        return begun ? Optional.empty() : Optional.of(kinds.waitedFor());
    }

    private Answer metrics() {
        meters.refresh(book::has);
        return Answer.metrics(registry.scrape());
    }

    private void begin() throws InstalledKinds.MissingException, InterruptedException {
        measure();
        long policies = kinds.await();
        sayWhatIsInForce(policies);
        begun = true;
        loop.start();
        events.start();
        ceiling.start();
        leadership.start();
        feed.start();
        controllers.start();
    }

    private void measure() {
        meters.build(BuildVersion.get(), Runtime.version().toString());
        meters.leader(leadership::leads);
        meters.engine(_ -> loop.state().queued(), _ -> seconds(loop.state().stepRunning()));
        for (View view : View.values()) {
            meters.view(view, it -> state(it).synced() ? 1 : 0, it -> seconds(quiet(it)));
        }
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
    }

    private LoopState.ViewState state(View view) {
        return Optional.ofNullable(loop.state().views().get(view))
                .orElse(new LoopState.ViewState(false, Duration.ZERO, "not known"));
    }

    /** A view in which nothing changes is heard of all the same: the API server says so about once a minute. */
    private Duration quiet(View view) {
        return controllers
                .lastFollowing(view)
                .or(() -> Optional.ofNullable(feed.heard().get(view)))
                .map(at -> Duration.between(at, options.clock().instant()))
                .orElseGet(() -> state(view).quiet());
    }

    private static double seconds(Duration duration) {
        return duration.toMillis() / 1_000.0;
    }

    private void sayWhatIsInForce(long policies) {
        Limits limits = config.limits();
        LOG.atInfo()
                .addKeyValue("version", BuildVersion.get())
                .addKeyValue("maxMode", config.maxMode().label())
                .addKeyValue("policies", policies)
                .addKeyValue("defaultForgiveness", config.defaultForgiveness())
                .addKeyValue("inFlight", limits.cluster())
                .addKeyValue("inFlightPerNamespace", limits.perNamespace())
                .addKeyValue("inFlightPerNode", limits.perNode())
                .addKeyValue("inFlightPerWorkload", limits.perWorkload())
                .addKeyValue("perHour", limits.perHour())
                .addKeyValue(
                        "protectedNamespaces",
                        config.protectedNamespaces().stream().sorted().toList())
                .addKeyValue("identity", options.identity())
                .addKeyValue("http", options.httpAddress() + ":" + http.port())
                .log("Holdfast starts");
    }

    /** The chart grants the reads together with the right to evict: where one is missing the other is in doubt. */
    private Event confirm(Effect.Confirm asked) {
        Event answer = reader.confirm(asked);
        if (answer instanceof Event.ConfirmFailed(var _, Reason reason, var _) && reason == Reason.FORBIDDEN) {
            ceiling.doubt();
        }
        return answer;
    }

    private EvictionAnswer rehearse(EvictionRequest request) {
        return heard(evictor.rehearse(request));
    }

    /** What a thread leaves behind that nobody else takes over cannot be worked around. */
    private void died(Thread thread, Throwable why) {
        LOG.atError().addKeyValue("thread", thread.getName()).setCause(why).log("A thread has died");
        options.onFatal().accept("the thread \"" + thread.getName() + "\" has died: " + why);
    }

    private EvictionAnswer evict(EvictionRequest request) {
        return heard(evictor.evict(request));
    }

    private EvictionAnswer heard(EvictionAnswer answer) {
        ceiling.heard(answer);
        return answer;
    }

    private void tell(Occurrence occurrence) {
        quietly(() -> {
            if (book.has(occurrence.violation().policy())) {
                meters.tell(occurrence);
            }
        });
        quietly(() -> audit.tell(occurrence));
        quietly(() -> log.tell(occurrence));
        quietly(() -> events.tell(occurrence));
    }

    private void braked(BrakeReport report) {
        if (report instanceof BreakerReport breaker) {
            quietly(() -> meters.turned(breaker));
        }
        quietly(() -> log.tell(report));
        quietly(() -> events.tell(report, config.brakes().namespace()));
    }

    /** On the engine's thread alone. */
    private void compared(Effect.Compared compared) {
        quietly(() -> meters.compared(compared));
        if (compared.difference().isPresent() && !distrusted) {
            distrusted = true;
            LOG.atError()
                    .addKeyValue("difference", compared.difference().get())
                    .log("A verdict was found wrong: nothing is evicted until the operator is restarted; please"
                            + " report it");
        }
    }

    private void publish(PolicyReport report) {
        if (book.has(report.policy())) {
            quietly(() -> meters.publish(report));
            quietly(() -> reports.publish(report));
        }
    }

    /** Telling must never stop the engine. */
    private static void quietly(Runnable telling) {
        try {
            telling.run();
        } catch (RuntimeException e) {
            LOG.error("Cannot tell what happened", e);
        }
    }

    private void forget(PolicyId policy) {
        meters.forget(policy);
        reports.forget(policy);
        desk.forget(policy);
        events.forget(policy);
    }

    private void seen(Event event) {
        boolean anotherPast = event instanceof Event.ViewLost lost && lost.ofAnotherPast();
        if (anotherPast) {
            ending = true;
        }
        if (ending && event instanceof Event.ViewSynced) {
            return;
        }
        loop.offer(event);
        // The informers of the policies cannot be told that what they have seen never was.
        if (event instanceof Event.ViewLost(var _, String why, var _) && anotherPast) {
            options.onFatal().accept(why);
        }
    }

    private void leadershipChanged(Event event) {
        loop.offer(event);
        if (event instanceof Event.LeadershipGained) {
            desk.takeOver();
            controllers.takeOver();
            ceiling.doubt();
        }
    }

    private void capped(Event event) {
        if (event instanceof Event.ModeCapped(Mode mode, String why)) {
            desk.capped(mode == Mode.ENFORCE ? Optional.empty() : Optional.of(why));
        }
        loop.offer(event);
    }

    /** {@return the port on which probes and metrics are served} */
    public int httpPort() {
        return http.port();
    }

    /** {@return how the engine and its views stand} */
    public LoopState state() {
        return loop.state();
    }

    /** {@return whether this replica leads now} */
    public boolean leads() {
        return leadership.leads();
    }

    /**
     * Stops acting, says what is left to say, gives the lease back, and closes everything. Takes a few seconds at most
     * unless a request is under way. Does nothing the second time.
     */
    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        if (begun) {
            LOG.info("Holdfast stops");
        }
        closeParts();
        inOrder(http);
        if (begun) {
            LOG.info("Holdfast has stopped");
        }
    }

    /** All that was made, begun or not: most have connections of their own from the first. */
    private void closeParts() {
        inOrder(loop, events, leadership, controllers, feed, ceiling, evictor, reader, client);
    }

    private static void inOrder(AutoCloseable... parts) {
        for (AutoCloseable part : parts) {
            try {
                part.close();
            } catch (Exception e) {
                LOG.atWarn().setCause(e).log("Cannot close {}", part.getClass().getSimpleName());
            }
        }
    }
}
