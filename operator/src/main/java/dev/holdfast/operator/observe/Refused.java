package dev.holdfast.operator.observe;

import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Duration;

/** An answer of the API server, or of something before it, that is none of those asked for. */
final class Refused extends KubernetesClientException {
    private static final long serialVersionUID = 1;

    /** Whoever answers may ask for patience, but not for blindness. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Duration retryAfter;

    /**
     * A refusal.
     *
     * @param code of the HTTP answer
     * @param retryAfter what the answer's header asks for; zero if nothing
     */
    Refused(int code, String message, Duration retryAfter) {
        super(new StatusBuilder().withCode(code).withMessage(message).build());
        this.retryAfter = retryAfter.compareTo(LONGEST) < 0 ? retryAfter : LONGEST;
    }

    /** {@return how long to wait at least before asking again after this failure} */
    static Duration pause(Throwable failure) {
        return failure instanceof Refused refused ? refused.retryAfter : Duration.ZERO;
    }
}
