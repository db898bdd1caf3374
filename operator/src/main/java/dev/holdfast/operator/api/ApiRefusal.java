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

/** An answer of the API server, or of something before it, that is none of those asked for. */
public final class ApiRefusal extends KubernetesClientException {
    private static final long serialVersionUID = 1;

    /** Whoever answers may ask for patience, but not for blindness. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    /** As the status of a Status says that it is none of success. */
    static final String FAILURE = "Failure";

    private final Duration retryAfter;

    private ApiRefusal(int code, String status, String message, Duration retryAfter) {
        super(new StatusBuilder()
                .withCode(code)
                .withStatus(status)
                .withMessage(message)
                .build());
        this.retryAfter = retryAfter.compareTo(LONGEST) < 0 ? retryAfter : LONGEST;
    }

    /**
     * {@return a refusal by the API server}
     *
     * @param code of the HTTP answer
     * @param retryAfter what the answer's header asks for; zero if nothing
     */
    public static ApiRefusal byServer(int code, String message, Duration retryAfter) {
        return new ApiRefusal(code, FAILURE, message, retryAfter);
    }

    /** {@return a refusal by whoever sends this body: the API server, if it is a Status in protobuf or JSON} */
    static ApiRefusal of(int code, byte[] body, Duration retryAfter) {
        return statusMessage(body)
                .map(message -> byServer(code, message, retryAfter))
                .orElseGet(() -> new ApiRefusal(code, "", new String(body, StandardCharsets.UTF_8), retryAfter));
    }

    private static Optional<String> statusMessage(byte[] body) {
        try {
            return Optional.of(StatusDecoder.ofBody(body).message());
        } catch (MalformedException _) {
            return jsonMessage(body);
        }
    }

    private static Optional<String> jsonMessage(byte[] body) {
        try {
            JsonNode json = new ObjectMapper().readTree(body);
            return json.path("kind").asText().equals("Status")
                    ? Optional.of(json.path("message").asText())
                    : Optional.empty();
        } catch (IOException _) {
            return Optional.empty();
        }
    }

    /** {@return how long to wait at least before asking again after this failure} */
    public static Duration pause(Throwable failure) {
        return failure instanceof ApiRefusal apiRefusal ? apiRefusal.retryAfter : Duration.ZERO;
    }
}
