package dev.holdfast.operator.serve;

import dev.holdfast.operator.api.ApiErrorText;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who may read a path: those whose bearer token the API server accepts, and whom its authorizer allows to GET
 * the path. A decision in favour of a client counts for a minute, so a scraper costs few requests. At most two tokens are
 * checked at once, so a crowd of clients cannot occupy the API server. While a token cannot be checked, because the API
 * server does not answer or two others are being checked, a decision counts for an hour: metrics are needed most at such
 * a time.
 */
public final class ReaderAccess {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderAccess.class);

    private static final Duration KNOWN = Duration.ofMinutes(1);
    private static final Duration KNOWN_IN_AN_OUTAGE = Duration.ofHours(1);
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final int MOST_KNOWN = 64;
    private static final int MOST_CHECKS = 2;
    private static final int MOST_CHARACTERS = 16 << 10;
    private static final String BEARER = "Bearer ";
    private static final int UNAUTHORIZED = 401;
    private static final int FORBIDDEN = 403;
    private static final int UNAVAILABLE = 503;

    /** The questions to the API server. */
    public interface Reviews {
        /**
         * {@return what the API server says about a token and a path}
         *
         * @throws RuntimeException if the API server does not answer
         */
        Review of(String token, String path);
    }

    /** What the API server says about a token and a path. */
    public sealed interface Review {
        /** The user of the token may GET the path. */
        record Allowed() implements Review {}

        /** The token is valid, but its user may not GET the path. */
        record Denied(String user) implements Review {}

        /** The token is not valid. */
        record UnknownToken() implements Review {}
    }

    private record Client(String tokenHash, String path) {}

    private final Reviews reviews;
    private final InstantSource clock;
    private final Semaphore free = new Semaphore(MOST_CHECKS);

    /** When a decision was last made in favour of a client. The one of the oldest decision is first. */
    private final SequencedMap<Client, Instant> allowed = new LinkedHashMap<>();

    private Instant quietUntil = Instant.MIN;

    /** Creates the access check. */
    public ReaderAccess(Reviews reviews, InstantSource clock) {
        this.reviews = reviews;
        this.clock = clock;
    }

    /**
     * {@return the reply to a client who may not read the path; empty if the client may}
     *
     * @param authorization the value of the header {@code Authorization}; empty if the request has none
     */
    Optional<HttpReply> refusal(Optional<String> authorization, String path) {
        Optional<String> token = authorization
                .filter(it -> it.startsWith(BEARER) && it.length() <= MOST_CHARACTERS)
                .map(it -> it.substring(BEARER.length()).strip())
                .filter(it -> !it.isEmpty());
        if (token.isEmpty()) {
            return Optional.of(HttpReply.of(
                    UNAUTHORIZED, "give the token of a user of this cluster, as in Authorization: Bearer TOKEN"));
        }
        Client client = new Client(hash(token.get()), path);
        if (wasAllowed(client, KNOWN)) {
            return Optional.empty();
        }
        if (!free.tryAcquire()) {
            return unchecked(client, "busy with the tokens of other clients; try again");
        }
        try {
            return decided(client, reviews.of(token.get(), path));
        } catch (RuntimeException e) {
            logged(e);
            return unchecked(client, "the API server cannot be asked about the token now; try again");
        } finally {
            free.release();
        }
    }

    private Optional<HttpReply> unchecked(Client client, String why) {
        return wasAllowed(client, KNOWN_IN_AN_OUTAGE) ? Optional.empty() : Optional.of(HttpReply.of(UNAVAILABLE, why));
    }

    /** Logs why a token could not be checked. The client, who may be a stranger, is not told. */
    private synchronized void logged(RuntimeException failure) {
        Instant now = clock.instant();
        if (!now.isBefore(quietUntil)) {
            quietUntil = now.plus(SILENCE);
            LOG.atWarn()
                    .addKeyValue("reason", ApiErrorText.of("create", "tokenreviews and subjectaccessreviews", failure))
                    .log("Failed to check a client of the metrics; further failures are not logged for a minute");
        }
    }

    private Optional<HttpReply> decided(Client client, Review review) {
        return switch (review) {
            case Review.Allowed _ -> {
                remember(client);
                yield Optional.empty();
            }
            case Review.Denied(String user) ->
                forgotten(
                        client,
                        HttpReply.of(
                                FORBIDDEN,
                                user + " may not get " + client.path()
                                        + "; bind it to a ClusterRole with nonResourceURLs: [" + client.path()
                                        + "] and verbs: [get]"));
            case Review.UnknownToken _ ->
                forgotten(client, HttpReply.of(UNAUTHORIZED, "the API server does not accept this token"));
        };
    }

    private Optional<HttpReply> forgotten(Client client, HttpReply refusal) {
        synchronized (allowed) {
            allowed.remove(client);
        }
        return Optional.of(refusal);
    }

    private boolean wasAllowed(Client client, Duration within) {
        synchronized (allowed) {
            Instant at = allowed.get(client);
            return at != null && clock.instant().isBefore(at.plus(within));
        }
    }

    private void remember(Client client) {
        synchronized (allowed) {
            allowed.remove(client);
            if (allowed.size() >= MOST_KNOWN) {
                allowed.remove(allowed.firstEntry().getKey());
            }
            allowed.put(client, clock.instant());
        }
    }

    private static String hash(String token) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
