package dev.holdfast.operator.app;

import dev.holdfast.operator.api.SteadyClock;
import dev.holdfast.operator.ledger.WhenMissing;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Settings of an operator that come from the process, not from the configuration file.
 *
 * @param identity the unique name of this replica
 * @param httpAddress the address that serves probes and metrics
 * @param statusInterval the minimum time between two writes of one policy's status
 * @param whenLedgerMissing what to do if the ConfigMaps of the ledger do not exist
 * @param onFatal called when the operator can no longer work, with one line that names the failure; may be called more
 *     than once. The caller should then close the operator
 */
public record OperatorOptions(
        SteadyClock clock,
        String identity,
        String httpAddress,
        Duration statusInterval,
        WhenMissing whenLedgerMissing,
        Consumer<String> onFatal) {
    private static final Duration STATUS_INTERVAL = Duration.ofSeconds(10);

    /**
     * {@return options with a status interval of 10 s, for an operator that listens on loopback only and makes its
     * ledger if it may}
     */
    public static OperatorOptions embedded(SteadyClock clock, String identity, Consumer<String> onFatal) {
        return of(clock, identity, "127.0.0.1", WhenMissing.MAKE, onFatal);
    }

    /** {@return options with a status interval of 10 s} */
    public static OperatorOptions of(
            SteadyClock clock,
            String identity,
            String httpAddress,
            WhenMissing whenLedgerMissing,
            Consumer<String> onFatal) {
        return new OperatorOptions(clock, identity, httpAddress, STATUS_INTERVAL, whenLedgerMissing, onFatal);
    }

    /** {@return these options with another status interval} */
    public OperatorOptions withStatusInterval(Duration interval) {
        return new OperatorOptions(clock, identity, httpAddress, interval, whenLedgerMissing, onFatal);
    }
}
