package dev.holdfast.operator.evict;

import dev.holdfast.policies.plan.move.EvictionAnswer;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.api.model.StatusDetails;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Reads what the API server replied to an eviction as exactly one answer. It goes by the body: a 201 can carry a
 * failure, a 429 can mean three things.
 */
final class EvictionAnswerReader {
    /** What admission writes in front of a refusal, whatever status code the webhook or policy chose. */
    private static final Pattern ADMISSION = Pattern.compile(
            "admission webhook \".*\" denied the request|ValidatingAdmissionPolicy '.*' denied request");

    private static final String NO_DRY_RUN = "does not support dry run";
    private static final String NOT_ALLOWED = "cannot create resource \"pods/eviction\"";
    private static final String SEVERAL = "more than one PodDisruptionBudget";
    private static final String WEBHOOK_DOWN = "failed calling webhook";
    private static final int FIRST_ERROR = 400;
    private static final int FIRST_BREAKDOWN = 500;

    private final KubernetesSerialization json;

    EvictionAnswerReader(KubernetesSerialization json) {
        this.json = json;
    }

    EvictionAnswer read(RequestMode requestMode, EvictionReply evictionReply) {
        Optional<Status> status = status(evictionReply.body());
        if (evictionReply.code() >= FIRST_ERROR) {
            return status.map(it -> refusal(requestMode, evictionReply.code(), evictionReply.retryAfter(), it))
                    .orElseGet(() -> wordless(requestMode, evictionReply));
        }
        return status.map(it -> accepted(requestMode, it))
                .orElseGet(
                        () -> lost(requestMode, "reply " + evictionReply.code() + " with a body that is not a Status"));
    }

    private static EvictionAnswer accepted(RequestMode requestMode, Status status) {
        if (!"Failure".equals(status.getStatus())) {
            return new EvictionAnswer.Evicted();
        }
        // The Eviction API hides several budgets under a 201; nothing else is known to.
        int code = status.getCode() == null ? FIRST_BREAKDOWN : status.getCode();
        return refusal(requestMode, code, Optional.empty(), status);
    }

    private static EvictionAnswer refusal(
            RequestMode requestMode, int code, Optional<Duration> retryAfter, Status status) {
        String message = message(status);
        if (message.contains(NO_DRY_RUN)) {
            return new EvictionAnswer.DryRunUnsupported(message);
        }
        if (ADMISSION.matcher(message).find()) {
            return new EvictionAnswer.RefusedByAdmission(message);
        }
        return switch (code) {
            case 403 -> forbidden(status, message);
            case 404 ->
                // A proxy or an API server without the Eviction API also says 404, but of no object.
                isOf(status, "pods") || isOf(status, "namespaces") ? new EvictionAnswer.Gone() : failed(code, message);
            case 409 -> new EvictionAnswer.Conflict(message);
            case 429 -> tooMany(retryAfter, status);
            default -> code >= FIRST_BREAKDOWN ? breakdown(requestMode, code, message) : failed(code, message);
        };
    }

    /** The API server broke down: but for what comes before the deletion, it may have deleted the pod all the same. */
    private static EvictionAnswer breakdown(RequestMode requestMode, int code, String message) {
        if (message.contains(SEVERAL)) {
            return new EvictionAnswer.SeveralBudgets(message);
        }
        boolean atAdmission = message.contains(WEBHOOK_DOWN);
        boolean atTheBudget = code == 504 && message.contains("PodDisruptionBudget");
        return atAdmission || atTheBudget ? failed(code, message) : lost(requestMode, code + ": " + message);
    }

    private static EvictionAnswer forbidden(Status status, String message) {
        if (cause(status, "NamespaceTerminating").isPresent()) {
            return new EvictionAnswer.NamespaceTerminating();
        }
        if (cause(status, "DisruptionBudget").isPresent() || isOf(status, "poddisruptionbudgets")) {
            return new EvictionAnswer.OutOfBudget(message, Optional.empty());
        }
        return message.contains(NOT_ALLOWED)
                ? new EvictionAnswer.Forbidden(message)
                : new EvictionAnswer.RefusedByAdmission(message);
    }

    private static EvictionAnswer tooMany(Optional<Duration> header, Status status) {
        Optional<Duration> retryAfter = Optional.ofNullable(status.getDetails())
                .map(StatusDetails::getRetryAfterSeconds)
                .filter(seconds -> seconds > 0)
                .map(Duration::ofSeconds)
                .or(() -> header);
        return cause(status, "DisruptionBudget")
                .<EvictionAnswer>map(budget -> new EvictionAnswer.OutOfBudget(budget, retryAfter))
                .orElseGet(() -> new EvictionAnswer.Throttled(retryAfter));
    }

    /** The reply of something that does not speak Status: throttling by the API server, or a proxy before it. */
    private static EvictionAnswer wordless(RequestMode requestMode, EvictionReply evictionReply) {
        if (evictionReply.code() == 429) {
            return new EvictionAnswer.Throttled(evictionReply.retryAfter());
        }
        String text = evictionReply.code() + " "
                + evictionReply.body().lines().findFirst().orElse("");
        return evictionReply.code() >= FIRST_BREAKDOWN ? lost(requestMode, text) : new EvictionAnswer.Failed(text);
    }

    /** {@return what it means when it is not known whether a request was carried out} */
    static EvictionAnswer lost(RequestMode requestMode, String how) {
        return switch (requestMode) {
            case DRY_RUN -> new EvictionAnswer.Failed("dry run: " + how + "; nothing was sent for real");
            case REAL -> new EvictionAnswer.Unknown(how);
        };
    }

    private static EvictionAnswer failed(int code, String message) {
        return new EvictionAnswer.Failed(code + ": " + message);
    }

    private Optional<Status> status(String body) {
        try {
            Status status = json.unmarshal(body, Status.class);
            return Optional.ofNullable(status).filter(it -> "Status".equals(it.getKind()));
        } catch (RuntimeException _) {
            return Optional.empty();
        }
    }

    private static boolean isOf(Status status, String resource) {
        StatusDetails details = status.getDetails();
        // The Eviction API itself says poddisruptionbudget, without the s.
        return details != null && (resource.equals(details.getKind()) || resource.equals(details.getKind() + "s"));
    }

    /** {@return the message of the first cause with this reason; the whole message when that has none} */
    private static Optional<String> cause(Status status, String reason) {
        List<StatusCause> causes =
                status.getDetails() == null ? List.of() : status.getDetails().getCauses();
        return causes.stream()
                .filter(cause -> reason.equals(cause.getReason()))
                .findFirst()
                .map(cause -> Optional.ofNullable(cause.getMessage())
                        .filter(text -> !text.isEmpty())
                        .orElseGet(() -> message(status)));
    }

    private static String message(Status status) {
        return Optional.ofNullable(status.getMessage()).orElse("no message");
    }
}
