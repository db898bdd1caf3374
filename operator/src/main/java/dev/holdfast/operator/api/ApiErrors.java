package dev.holdfast.operator.api;

import com.fasterxml.jackson.core.JacksonException;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.IOException;
import java.util.Optional;

/** Says in one line what went wrong with a request, and what to do about it where that is known. */
public final class ApiErrors {
    private static final int LONGEST = 200;
    private static final int UNKNOWN = 0;

    private ApiErrors() {}

    /**
     * Describes a failure.
     *
     * @param verbs the rights that the request needs: {@code list}
     * @param resource as RBAC writes it
     */
    public static String of(String verbs, String resource, Throwable failure) {
        if (failure instanceof KubernetesClientException refused && refused.getCode() > 0) {
            return refused(verbs, resource, refused);
        }
        if (failure.getCause() instanceof MalformedException malformed) {
            return "cannot " + verbs + " " + resource + ": the answer cannot be read: " + malformed.getMessage();
        }
        if (isNoJson(failure)) {
            return "cannot " + verbs + " " + resource + ": the answer cannot be read: it is not the API server's";
        }
        return connection(failure)
                .map(broken -> "cannot reach the API server to " + verbs + " " + resource + ": " + broken)
                .orElseGet(() -> "cannot " + verbs + " " + resource + ": " + cause(failure));
    }

    private static String refused(String verbs, String resource, KubernetesClientException refused) {
        // Of rights and kinds only the API server knows, and not the page of a proxy.
        return switch (isOfServer(refused) ? refused.getCode() : UNKNOWN) {
            case 401 -> "the API server does not accept our credentials (401) to " + verbs + " " + resource;
            case 403 -> "the right to " + verbs + " " + resource + " is missing: grant it to " + subject(refused);
            case 404 -> "the API server knows no " + resource;
            default ->
                who(refused) + " answered " + refused.getCode() + " to " + verbs + " " + resource + ": "
                        + message(refused);
        };
    }

    private static String who(KubernetesClientException refused) {
        return isOfServer(refused) ? "the API server" : "the API server, or what is on the way to it,";
    }

    /** {@return whether the API server itself has refused, not something before it that knows nothing of objects and rights} */
    public static boolean isOfServer(KubernetesClientException refused) {
        return refused.getStatus() != null
                && ApiRefusal.FAILURE.equals(refused.getStatus().getStatus());
    }

    /** {@return the account that the API server's message names: {@code TokenUser "system:serviceaccount:hf:holdfast"}} */
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
                .map(ApiErrors::inOneLine)
                .filter(line -> !line.isEmpty())
                .orElse("no message");
    }

    /** What a proxy says may be a page. */
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
                        .map(ApiErrors::inOneLine)
                        .orElseGet(() -> io.getClass().getSimpleName()));
            }
        }
        return Optional.empty();
    }
}
