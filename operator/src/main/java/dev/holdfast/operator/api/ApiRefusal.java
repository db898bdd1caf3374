package dev.holdfast.operator.api;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.protobuf.StatusDecoder;
import io.fabric8.kubernetes.api.model.StatusBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/** An HTTP error response of the API server, or of a proxy in front of it. */
public final class ApiRefusal extends KubernetesClientException {
    private static final long serialVersionUID = 1;

    /**
     * The longest wait that a {@code Retry-After} can cause: if it says two minutes, the wait is one minute. The
     * operator misses changes of objects while it waits to list or watch them.
     */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** The value of the field {@code status} in a Kubernetes {@code Status} that reports an error. */
    static final String FAILURE = "Failure";

    private final Duration retryAfter;
    private final String continueToken;

    private ApiRefusal(int code, String status, String message, Duration retryAfter, String continueToken) {
        super(new StatusBuilder()
                .withCode(code)
                .withStatus(status)
                .withMessage(message)
                .build());
        this.retryAfter = retryAfter.compareTo(LONGEST) < 0 ? retryAfter : LONGEST;
        this.continueToken = continueToken;
    }

    /**
     * {@return a refusal by the API server}
     *
     * @param code the HTTP status code
     * @param message the message of the API server
     * @param retryAfter the time in the response header {@code Retry-After}; zero if absent
     */
    public static ApiRefusal byServer(int code, String message, Duration retryAfter) {
        return new ApiRefusal(code, FAILURE, message, retryAfter, "");
    }

    /**
     * {@return a refusal with this response body} If the body is a {@code Status} in protobuf or JSON, the API server
     * sent it; otherwise a proxy did.
     *
     * @param code the HTTP status code
     * @param retryAfter the time in the response header {@code Retry-After}; zero if absent
     */
    public static ApiRefusal of(int code, byte[] body, Duration retryAfter) {
        return inProtobuf(code, body, retryAfter)
                .or(() -> inJson(code, body, retryAfter))
                .orElseGet(() -> new ApiRefusal(code, "", new String(body, StandardCharsets.UTF_8), retryAfter, ""));
    }

    private static Optional<ApiRefusal> inProtobuf(int code, byte[] body, Duration retryAfter) {
        try {
            return Optional.of(new ApiRefusal(
                    code,
                    FAILURE,
                    StatusDecoder.ofBody(body).message(),
                    retryAfter,
                    StatusDecoder.continueToken(body)));
        } catch (MalformedException _) {
            return Optional.empty();
        }
    }

    private static Optional<ApiRefusal> inJson(int code, byte[] body, Duration retryAfter) {
        try {
            JsonNode json = new ObjectMapper().readTree(body);
            return json.path("kind").asText().equals("Status")
                    ? Optional.of(new ApiRefusal(
                            code,
                            FAILURE,
                            json.path("message").asText(),
                            retryAfter,
                            json.at("/metadata/continue").asText()))
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /**
     * {@return the token with which the rest of an expired list can be read as it is now, not as it was at its first
     * page; empty if the API server gave none}
     */
    public String continueToken() {
        return continueToken;
    }

    /**
     * {@return the minimum wait before the next request after this failure} The wait is the {@code Retry-After} of the
     * response, at most a minute; zero without that header.
     */
    public static Duration pause(Throwable failure) {
        return failure instanceof ApiRefusal apiRefusal ? apiRefusal.retryAfter : Duration.ZERO;
    }
}
