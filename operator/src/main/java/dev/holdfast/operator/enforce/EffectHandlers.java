package dev.holdfast.operator.enforce;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.report.BrakeReport;
import dev.holdfast.policies.engine.report.Notification;
import dev.holdfast.policies.engine.report.PolicyReport;
import dev.holdfast.policies.plan.move.EvictionAnswer;
import dev.holdfast.policies.plan.move.EvictionRequest;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Those who carry out what the engine wants done.
 *
 * @param confirm makes consistent reads; called on a thread of its own, may block
 * @param readClaim reads a claim and its volume; called on a thread of its own, may block
 * @param rehearse asks for an eviction as a dry run; called on a thread of its own, may block
 * @param evict asks for an eviction for real; called on a thread of its own, may block
 * @param tell takes what happened, in order, on the loop's thread; must not block
 * @param publish takes reports of policies, in order, on the loop's thread; must not block
 * @param braked takes brakes that were put on or released, in order, on the loop's thread; must not block
 * @param compared takes what came of comparing verdicts, on the loop's thread; must not block
 */
public record EffectHandlers(
        Function<Effect.Confirm, Event> confirm,
        Function<Effect.ReadClaim, Event> readClaim,
        Function<EvictionRequest, EvictionAnswer> rehearse,
        Function<EvictionRequest, EvictionAnswer> evict,
        Consumer<Notification> tell,
        Consumer<PolicyReport> publish,
        Consumer<BrakeReport> braked,
        Consumer<Effect.Compared> compared) {}
