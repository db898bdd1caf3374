package dev.holdfast.operator.app;

import dev.holdfast.operator.api.ApiClients;
import dev.holdfast.operator.config.OperatorConfig;
import dev.holdfast.operator.ledger.WhenMissing;
import dev.holdfast.operator.loop.EventQueue;
import dev.holdfast.operator.loop.ObservedEngine;
import dev.holdfast.policies.engine.Engine;
import dev.holdfast.policies.engine.protocol.EngineSettings;
import dev.holdfast.policies.rule.Mode;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;

/** The parts of the operator that all others use: configuration, client, engine, queue of events and metrics. */
final class CoreParts {
    final Config connection;
    final OperatorConfig config;
    final OperatorOptions options;
    final Failures failures;
    final EventQueue queue = new EventQueue();

    /** Takes the events of watches and informers, on their way to the queue. */
    final HistoryGuard historyGuard;

    final Engine engine;
    final ObservedEngine observedEngine;
    final HeapCheck heapCheck;
    final Telemetry telemetry;
    final KubernetesClient client;

    CoreParts(Config connection, OperatorConfig config, OperatorOptions options) {
        this.connection = connection;
        this.config = config;
        this.options = options;
        failures = new Failures(options.onFatal());
        historyGuard = new HistoryGuard(queue::offer, options.onFatal());
        engine = new Engine(engineSettings(config, options));
        observedEngine = new ObservedEngine(engine::step, engine::activity, engine::views);
        heapCheck = HeapCheck.ofThisProcess(options.clock(), options.onFatal(), failures::threadDied);
        telemetry = new Telemetry(options.clock());
        client = ApiClients.retrying(connection);
    }

    /**
     * {@return the settings of the engine} An operator of the chart that only audits keeps the ledger too, so that a
     * later one knows that no policy was enforced meanwhile.
     */
    private static EngineSettings engineSettings(OperatorConfig config, OperatorOptions options) {
        EngineSettings settings = config.engineSettings();
        boolean ofChart = options.whenLedgerMissing() == WhenMissing.HOLD;
        return ofChart || config.maxMode() == Mode.ENFORCE ? settings.withLedger() : settings;
    }

    /** {@return whether this replica could evict pods if it led: its mode permits it, and all views are synced} */
    boolean couldAct() {
        return config.maxMode() == Mode.ENFORCE && observedEngine.views().allSynced();
    }
}
