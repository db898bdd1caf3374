package dev.holdfast.operator.reconcile;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.holdfast.operator.api.ApiErrorText;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.cache.Cache;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs failed reconciliations, which are retried. At most one failed request per minute is logged, because all writes
 * fail while the API server is unreachable. Every other exception is logged.
 */
final class StatusErrors {
    private static final Logger LOG = LoggerFactory.getLogger(StatusErrors.class);

    private static final Duration SILENCE = Duration.ofMinutes(1);

    private final InstantSource clock;

    @GuardedBy("this")
    private Instant quietUntil = Instant.MIN;

    private volatile boolean ended;

    StatusErrors(InstantSource clock) {
        this.clock = clock;
    }

    /** Logs no failures from now on: writes that are in progress fail when their controllers stop. */
    void end() {
        ended = true;
    }

    /** Logs that the reconciliation of this object failed. */
    void report(HasMetadata object, Exception failure) {
        if (ended) {
            return;
        }
        if (failure instanceof KubernetesClientException) {
            report(
                    object,
                    ApiErrorText.of("patch", HasMetadata.getFullResourceName(object.getClass()) + "/status", failure));
        } else {
            LOG.atError()
                    .addKeyValue("object", name(object))
                    .setCause(failure)
                    .log("Failed to reconcile a status, will retry");
        }
    }

    private static String name(HasMetadata object) {
        return object.getKind() + " " + Cache.metaNamespaceKeyFunc(object);
    }

    private synchronized void report(HasMetadata object, String why) {
        Instant now = clock.instant();
        if (now.isBefore(quietUntil)) {
            return;
        }
        quietUntil = now.plus(SILENCE);
        LOG.atWarn()
                .addKeyValue("object", name(object))
                .addKeyValue("reason", why)
                .log("Failed to write a status, will retry; further failures are not logged for a minute");
    }
}
