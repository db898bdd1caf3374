package dev.holdfast.operator.api;

import com.fasterxml.jackson.core.JacksonException;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.Optional;

/** Describes a failed API request in one line. Where possible, the line also says what to do. */
public final class ApiErrorText {
    private static final int LONGEST = 200;
    private static final int UNKNOWN = 0;

    private ApiErrorText() {}

    /**
     * {@return the failure in one line}
     *
     * @param verbs the RBAC verbs that the request needs, for example {@code list}
     * @param resource the resource as RBAC writes it, for example {@code replicasets.apps}
     */
    public static String of(String verbs, String resource, Throwable failure) {
        if (failure instanceof KubernetesClientException refused && refused.getCode() > 0) {
            return refused(verbs, resource, refused);
        }
        if (failure.getCause() instanceof MalformedException malformed) {
            return "cannot " + verbs + " " + resource + ": the answer cannot be read: " + malformed.getMessage();
        }
        if (isNoJson(failure)) {
            return "cannot " + verbs + " " + resource + ": the answer cannot be read: it is not JSON of an API server";
        }
        return connection(failure)
                .map(broken -> "cannot reach the API server to " + verbs + " " + resource + ": " + broken)
                .orElseGet(() -> "cannot " + verbs + " " + resource + ": " + cause(failure));
    }

    private static String refused(String verbs, String resource, KubernetesClientException refused) {
        // Only the API server knows that a right or a kind is missing. The page of a proxy cannot.
        return switch (isOfServer(refused) ? refused.getCode() : UNKNOWN) {
            case 401 -> "the API server does not accept our credentials (401) to " + verbs + " " + resource;
            case 403 -> "the right to " + verbs + " " + resource + " is missing: grant it to " + subject(refused);
            case 404 -> "the API server does not serve " + resource;
            default ->
                who(refused) + " answered " + refused.getCode() + " to " + verbs + " " + resource + ": "
                        + message(refused);
        };
    }

    private static String who(KubernetesClientException refused) {
        return isOfServer(refused) ? "the API server" : "the API server, or a proxy in front of it,";
    }

    /** {@return whether the API server itself refused the request, and not a proxy in front of it} */
    public static boolean isOfServer(KubernetesClientException refused) {
        return refused.getStatus() != null
                && ApiRefusal.FAILURE.equals(refused.getStatus().getStatus());
    }

    /**
     * {@return the account that the API server's message names, for example {@code User
     * "system:serviceaccount:hf:holdfast"}}
     */
    private static String subject(KubernetesClientException refused) {
        String message = message(refused);
        int from = message.indexOf("User \"");
        int to = from < 0 ? -1 : message.indexOf('"', from + "User \"".length());
        return to < 0 ? "Holdfast's account" : message.substring(from, to + 1);
    }

    private static String cause(Throwable failure) {
        return failure instanceof KubernetesClientException client ? message(client) : failure.toString();
    }

    private static String message(KubernetesClientException refused) {
        return Optional.ofNullable(refused.getStatus())
                .map(status -> status.getMessage())
                .or(() -> Optional.ofNullable(refused.getMessage()))
                .map(ApiErrorText::inOneLine)
                .filter(line -> !line.isEmpty())
                .orElse("no message");
    }

    /** {@return the text as one line, cut after 200 characters} The response of a proxy may be a whole HTML page. */
    private static String inOneLine(String text) {
        String line = text.strip().replaceAll("\\s+", " ");
        return line.length() <= LONGEST ? line : line.substring(0, LONGEST) + "...";
    }

    private static boolean isNoJson(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof JacksonException) {
                return true;
            }
        }
        return false;
    }

    private static Optional<String> connection(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof IOException io) {
                return Optional.of(Optional.ofNullable(io.getMessage())
                        .map(ApiErrorText::inOneLine)
                        .orElseGet(() -> io.getClass().getSimpleName()));
            }
        }
        return Optional.empty();
    }
}
