package dev.holdfast.operator.loop;

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
 * The handlers of the engine's effects (the actions that the engine requests): one function for each kind of effect.
 *
 * @param confirm reads a pod, its node and its partners from the API server; each call has its own thread and may block
 * @param readClaim reads a PersistentVolumeClaim and its volume; each call has its own thread and may block
 * @param dryRun sends the dry run of an eviction; each call has its own thread and may block
 * @param evict sends an eviction; each call has its own thread and may block
 * @param readLedger reads the ledger; each call has its own thread and may block
 * @param writeLedger writes the ledger; each call has its own thread and may block
 * @param writeClocks writes clocks into the ledger; each call has its own thread and may block
 * @param report takes notifications, in order, on the loop's thread; must not block
 * @param publish takes reports of policies, in order, on the loop's thread; must not block
 * @param braked takes reports of evictions stopped because too many pods are affected at once (breakers and backlogs),
 *     in order, on the loop's thread; must not block
 * @param compared takes results of the cross-check, which evaluates some verdicts a second time; on the loop's thread,
 *     must not block
 * @param tooComplex takes pods that are too complex to be read in full; on the loop's thread, must not block
 */
public record EffectHandlers(
        Function<Effect.Confirm, Event> confirm,
        Function<Effect.ReadClaim, Event> readClaim,
        Function<EvictionRequest, EvictionAnswer> dryRun,
        Function<EvictionRequest, EvictionAnswer> evict,
        Function<Effect.ReadLedger, Event.LedgerRead> readLedger,
        Function<Effect.WriteLedger, Event> writeLedger,
        Function<Effect.WriteClocks, Event.ClocksWritten> writeClocks,
        Consumer<Notification> report,
        Consumer<PolicyReport> publish,
        Consumer<BrakeReport> braked,
        Consumer<Effect.Compared> compared,
        Consumer<Effect.FoundTooComplex> tooComplex,
        Consumer<Effect.FoundInvalidRules> invalidRules) {}
