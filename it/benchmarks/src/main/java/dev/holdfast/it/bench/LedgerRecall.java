package dev.holdfast.it.bench;

import dev.holdfast.it.bench.measure.LeaderLog;
import dev.holdfast.it.bench.measure.LedgerContents;
import dev.holdfast.it.controlplane.AuditRecord;
import dev.holdfast.it.scenario.OperatorProcess;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** When an operator recalled the ledger: read from its log and from the audit log. */
record LedgerRecall(BenchEnvironment environment, OperatorProcess operator) {
    /**
     * The times of one operator.
     *
     * @param recalled when the API server received the first write of the ledger after that. The operator writes only what
     * it has taken over, and does so at once
     */
    record Times(Instant leading, Instant read, Instant recalled) {}

    /** {@return the times of the operator; empty until it has recalled the ledger. No other may lead after it} */
    Optional<Times> times() {
        LeaderLog log = LeaderLog.of(operator.log(), "");
        if (log.leading().isEmpty() || log.read().isEmpty()) {
            return Optional.empty();
        }
        Instant leading = log.leading().get();
        Instant read = log.read().get();
        return firstWrite(environment.trail().records(), environment.chart().user(), leading)
                .map(recalled -> new Times(leading, read, recalled));
    }

    /** {@return when the API server received the first write of the ledger that succeeded, from an instant on} */
    static Optional<Instant> firstWrite(List<AuditRecord> records, String user, Instant from) {
        return records.stream()
                .filter(record -> record.user().equals(user)
                        && record.verb().equals("update")
                        && record.resource().equals("configmaps")
                        && LedgerContents.isPart(record.name())
                        && record.tookEffect())
                .map(AuditRecord::received)
                .filter(at -> !at.isBefore(from))
                .findFirst();
    }
}
