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
 * Parser of replies of the Eviction API: maps each to exactly one answer. The status code is not enough: a 201 can
 * carry a failure, and a 429 can come from a PodDisruptionBudget, from admission or from throttling.
 */
final class EvictionAnswerReader {
    /**
     * Text that identifies a refusal by an admission webhook or a ValidatingAdmissionPolicy. The status code does not
     * identify it, because the webhook or policy chooses the code.
     */
    private static final Pattern ADMISSION = Pattern.compile(
            "admission webhook \".*\" denied the request|ValidatingAdmissionPolicy '.*' denied request");

    private static final String NO_DRY_RUN = "does not support dry run";
    private static final String NOT_ALLOWED = "cannot create resource \"pods/eviction\"";
    private static final String SEVERAL = "more than one PodDisruptionBudget";
    private static final String WEBHOOK_DOWN = "failed calling webhook";
    private static final int MOST_CHARACTERS = 1_024;
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
                        () -> lost(requestMode, "HTTP " + evictionReply.code() + " with a body that is not a Status"));
    }

    private static EvictionAnswer accepted(RequestMode requestMode, Status status) {
        if (!"Failure".equals(status.getStatus())) {
            return new EvictionAnswer.Evicted();
        }
        // If several PodDisruptionBudgets select the pod, the reply is a 201 with a Failure in the body. No other
        // failure is known to have this code.
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
                // A proxy or an API server without the Eviction API also answers 404, but names no object.
                isOf(status, "pods") || isOf(status, "namespaces") ? new EvictionAnswer.Gone() : failed(code, message);
            case 409 -> new EvictionAnswer.Conflict(message);
            case 429 -> tooMany(retryAfter, status);
            default -> code >= FIRST_BREAKDOWN ? breakdown(requestMode, code, message) : failed(code, message);
        };
    }

    /**
     * Maps a reply with status 5xx. The API server may have deleted the pod, unless the message shows that the failure
     * came before the deletion.
     */
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

    /** Maps an error reply without a Status in its body: throttling by the API server, or an error of a proxy. */
    private static EvictionAnswer wordless(RequestMode requestMode, EvictionReply evictionReply) {
        if (evictionReply.code() == 429) {
            return new EvictionAnswer.Throttled(evictionReply.retryAfter());
        }
        String text = evictionReply.code() + " "
                + bounded(evictionReply.body().lines().findFirst().orElse(""));
        return evictionReply.code() >= FIRST_BREAKDOWN ? lost(requestMode, text) : new EvictionAnswer.Failed(text);
    }

    /**
     * {@return the answer if it is unknown whether the API server carried out the request: {@code Unknown}; {@code
     * Failed} for a dry run, which evicts nothing in any case}
     */
    static EvictionAnswer lost(RequestMode requestMode, String how) {
        return switch (requestMode) {
            case DRY_RUN -> new EvictionAnswer.Failed("dry run: " + how + "; no eviction was sent");
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
        // The Eviction API itself writes poddisruptionbudget, without the s.
        return details != null && (resource.equals(details.getKind()) || resource.equals(details.getKind() + "s"));
    }

    /**
     * {@return the message of the first cause with this reason in the Status; empty if no cause has the reason} If that
     * cause has no message, the message of the Status itself is returned.
     */
    private static Optional<String> cause(Status status, String reason) {
        List<StatusCause> causes =
                status.getDetails() == null ? List.of() : status.getDetails().getCauses();
        return causes.stream()
                .filter(cause -> reason.equals(cause.getReason()))
                .findFirst()
                .map(cause -> Optional.ofNullable(cause.getMessage())
                        .filter(text -> !text.isEmpty())
                        .map(EvictionAnswerReader::bounded)
                        .orElseGet(() -> message(status)));
    }

    private static String message(Status status) {
        return Optional.ofNullable(status.getMessage())
                .map(EvictionAnswerReader::bounded)
                .orElse("no message");
    }

    /** {@return the text, cut off: the audit log and holds keep it, and an admission webhook writes what it likes} */
    private static String bounded(String text) {
        return text.length() <= MOST_CHARACTERS ? text : text.substring(0, MOST_CHARACTERS) + "...";
    }
}
