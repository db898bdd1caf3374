package dev.holdfast.operator.app;

import dev.holdfast.operator.api.SteadyClock;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * What an operator is given by the process around it.
 *
 * @param identity this replica, unlike any other
 * @param httpAddress to listen on for probes and metrics
 * @param statusInterval between two writes of one policy's status
 * @param onFatal called, once or more, when the operator cannot go on: it does nothing any more, and should be closed
 */
public record OperatorOptions(
        SteadyClock clock, String identity, String httpAddress, Duration statusInterval, Consumer<String> onFatal) {
    private static final Duration STATUS_INTERVAL = Duration.ofSeconds(10);

    /** {@return the options of an operator inside another process: it listens on loopback only} */
    public static OperatorOptions embedded(SteadyClock clock, String identity, Consumer<String> onFatal) {
        return of(clock, identity, "127.0.0.1", onFatal);
    }

    /** {@return the options of an operator that writes statuses as often as is kind to an API server} */
    public static OperatorOptions of(SteadyClock clock, String identity, String httpAddress, Consumer<String> onFatal) {
        return new OperatorOptions(clock, identity, httpAddress, STATUS_INTERVAL, onFatal);
    }

    /** {@return the same with another interval between two writes of one policy's status} */
    public OperatorOptions withStatusInterval(Duration interval) {
        return new OperatorOptions(clock, identity, httpAddress, interval, onFatal);
    }
}
