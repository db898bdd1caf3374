package dev.holdfast.operator.app;

import dev.holdfast.operator.lead.AnnouncedLease;
import dev.holdfast.operator.lead.Leadership;
import dev.holdfast.operator.ledger.LedgerNote;
import dev.holdfast.operator.ledger.LedgerStorage;
import dev.holdfast.operator.loop.EvictionAccessReview;
import dev.holdfast.operator.loop.ModeCeiling;
import dev.holdfast.policies.engine.protocol.Event;

/** The parts of the operator that decide whether this replica may act: the lease, the ledger and the mode ceiling. */
final class LeaderParts {
    final Listener<Event> leadershipEvents = new Listener<>();
    final Listener<Event> modeEvents = new Listener<>();
    final Leadership leadership;
    final AnnouncedLease announcedLease;
    final LedgerStorage ledger;
    final LedgerWarmUp ledgerWarmUp;
    final ModeCeiling ceiling;

    LeaderParts(CoreParts core) {
        leadership = new Leadership(
                core.connection,
                core.config.lease(),
                core.options.identity(),
                core::couldAct,
                core.options.clock(),
                leadershipEvents,
                core.failures::threadDied);
        announcedLease = new AnnouncedLease(core.client, core.config.lease());
        ledger = new LedgerStorage(
                core.connection,
                core.config.brakes().namespace(),
                Operator.LEDGER,
                core.options.whenLedgerMissing(),
                leadership,
                new LedgerNote(leadership::notedLedger, leadership::noteLedger),
                leadership.comparison()::steadyAhead,
                core.options.clock());
        ledgerWarmUp = new LedgerWarmUp(core::couldAct, ledger, core.failures::threadDied);
        ceiling = new ModeCeiling(
                new EvictionAccessReview(core.client).and(announcedLease::refusesEvictions),
                core.config.maxMode(),
                modeEvents,
                core.failures::threadDied);
    }
}
