package dev.holdfast.operator.log;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.core.filter.Filter;
import ch.qos.logback.core.spi.FilterReply;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.Optional;

/**
 * Drops what the Operator SDK logs about failed requests: a stack trace for each status that could not be written, and
 * all fail while the API server is away. The operator itself logs one line a minute about such failures. Other
 * exceptions, which are bugs, stay.
 */
final class FailedWrites extends Filter<ILoggingEvent> {
    private static final String PROCESSOR = "io.javaoperatorsdk.operator.processing.event.EventProcessor";

    /** The maximum number of causes to follow, so that a loop ends. */
    private static final int MOST_CAUSES = 10;

    @Override
    public FilterReply decide(ILoggingEvent event) {
        return event.getLoggerName().equals(PROCESSOR)
                        && isOfRequest(Optional.ofNullable(event.getThrowableProxy()), MOST_CAUSES)
                ? FilterReply.DENY
                : FilterReply.NEUTRAL;
    }

    private static boolean isOfRequest(Optional<IThrowableProxy> thrown, int causes) {
        return causes > 0
                && thrown.filter(it -> it.getClassName().equals(KubernetesClientException.class.getName())
                                || isOfRequest(Optional.ofNullable(it.getCause()), causes - 1))
                        .isPresent();
    }
}
