package dev.holdfast.operator.app;

import dev.holdfast.operator.api.ClusterReader;
import dev.holdfast.operator.evict.Evictor;
import dev.holdfast.operator.feed.ClusterFeed;
import dev.holdfast.operator.lead.Leadership;
import dev.holdfast.operator.loop.EffectHandlers;
import dev.holdfast.operator.loop.EngineLoop;
import dev.holdfast.operator.loop.WallClockStep;
import dev.holdfast.operator.publish.EventRecorder;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import java.util.Optional;
import java.util.function.Function;

/** The parts of the operator that bring cluster events to the engine and carry out its effects. */
final class EffectParts {
    final ClusterFeed feed;
    final ClusterReader reader;
    final Evictor evictor;
    final EventRecorder eventRecorder;
    final EffectReporter reporter;
    final EngineLoop loop;

    EffectParts(CoreParts core, LeaderParts leader, PolicyParts policies) {
        Leadership leadership = leader.leadership;
        feed = new ClusterFeed(core.connection, core.options.clock(), core.historyGuard, core.failures::threadDied);
        reader = new ClusterReader(core.connection);
        evictor = new Evictor(core.connection, leadership);
        eventRecorder = EventRecorder.of(
                core.client,
                policies.registry::uid,
                core.engine::controllerAbove,
                leadership::leads,
                core.options.clock(),
                core.telemetry.metrics()::event,
                core.failures::threadDied);
        reporter = reporter(core, leadership, policies, eventRecorder);
        loop = new EngineLoop(
                core.queue,
                new WallClockStep(core.observedEngine, leadership.comparison()::wallClock),
                core.engine::handOver,
                core.options.clock(),
                handlers(leader, feed, reader, evictor, reporter),
                core.failures::engineFailed,
                core.failures::threadDied);
    }

    private static EffectReporter reporter(
            CoreParts core, Leadership leadership, PolicyParts policies, EventRecorder eventRecorder) {
        return new EffectReporter(
                policies.registry::whilePresent,
                leadership::leads,
                core.telemetry.metrics(),
                eventRecorder,
                policies.reports,
                core.config.brakes().namespace(),
                core.config.metrics().byNamespace()
                        ? Optional.of(core.telemetry.byNamespace(leadership::leads))
                        : Optional.empty(),
                core.options.clock());
    }

    private static EffectHandlers handlers(
            LeaderParts leader, ClusterFeed feed, ClusterReader reader, Evictor evictor, EffectReporter reporter) {
        // A forbidden read or request makes the ceiling check the right to evict.
        Function<Effect.Confirm, Event> confirm = leader.ceiling.checkedByReads(feed.checkedByFeeds(reader::confirm));
        Function<EvictionRequest, EvictionAnswer> dryRun = leader.ceiling.checkedByAnswers(evictor::dryRun);
        Function<EvictionRequest, EvictionAnswer> evict = leader.ceiling.checkedByAnswers(evictor::evict);
        return new EffectHandlers(
                confirm,
                reader::volume,
                dryRun,
                evict,
                leader.ledger::read,
                leader.ledger::write,
                leader.ledger::writeClocks,
                reporter::report,
                reporter::publish,
                reporter::braked,
                reporter::compared,
                reporter::tooComplex,
                reporter::invalidRules);
    }
}
