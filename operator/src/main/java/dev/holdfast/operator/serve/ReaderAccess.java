package dev.holdfast.operator.serve;

import com.google.errorprone.annotations.concurrent.GuardedBy;
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
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Decides who may read a path: those whose bearer token the API server accepts, and whom its authorizer allows to GET
 * the path. A decision in favour of a client counts for a minute, so a scraper costs few requests. While a token cannot
 * be checked, because the API server does not answer, the decision counts for an hour: metrics are needed most at such
 * a time.
 *
 * <p>Strangers cannot occupy the API server, nor delay a client that could read within the last hour. Two tokens of
 * strangers and two of such clients are checked at once, and further clients wait for their turn. A stranger whose
 * token is not allowed keeps the turn for 80 ms. So strangers cause at most 25 checks a second, and all connections of
 * a port have their turn within 3 s.
 */
public final class ReaderAccess {
    private static final Logger LOG = LoggerFactory.getLogger(ReaderAccess.class);

    private static final Duration KNOWN = Duration.ofMinutes(1);
    private static final Duration KNOWN_IN_AN_OUTAGE = Duration.ofHours(1);
    private static final Duration NEXT_CHECK_IN_AN_OUTAGE = Duration.ofSeconds(10);
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(3);
    private static final Duration TURN_OF_A_STRANGER = Duration.ofMillis(80);
    private static final Duration SILENCE = Duration.ofMinutes(1);
    private static final int MOST_KNOWN = 64;
    private static final int MOST_CHECKS = 2;
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

    /** The answer of the API server about a token and a path. */
    public sealed interface Review {
        /** The user of the token may GET the path. */
        record Allowed() implements Review {}

        /** The token is valid, but its user may not GET the path. */
        record Denied(String user) implements Review {}

        /** The token is not valid. */
        record UnknownToken() implements Review {}
    }

    /** Waits for a time. */
    @FunctionalInterface
    interface Pause {
        void last(Duration time) throws InterruptedException;
    }

    private record Client(String tokenHash, String path) {}

    /**
     * A decision in favour of a client.
     *
     * @param failedAt when the last check failed since then; empty without any
     */
    private record Decision(Instant at, Optional<Instant> failedAt) {}

    private final Reviews reviews;
    private final InstantSource clock;
    private final Duration longestWait;
    private final Pause pause;
    private final Semaphore turnsOfReaders = new Semaphore(MOST_CHECKS, true);
    private final Semaphore turnsOfStrangers = new Semaphore(MOST_CHECKS, true);

    /** The last decisions in favour of clients. The oldest one is first. */
    private final SequencedMap<Client, Decision> allowed = new LinkedHashMap<>();

    @GuardedBy("this")
    private Instant quietUntil = Instant.MIN;

    /** Creates the access check. */
    public ReaderAccess(Reviews reviews, InstantSource clock) {
        this(reviews, clock, LONGEST_WAIT, Thread::sleep);
    }

    /**
     * Creates the access check.
     *
     * @param longestWait how long a client waits for its turn
     * @param pause how the turn of a stranger is prolonged
     */
    ReaderAccess(Reviews reviews, InstantSource clock, Duration longestWait, Pause pause) {
        this.reviews = reviews;
        this.clock = clock;
        this.longestWait = longestWait;
        this.pause = pause;
    }

    /**
     * {@return the reply to a client who may not read the path; empty if the client may}
     *
     * @param authorization the value of the header {@code Authorization}; empty if the request has none
     */
    Optional<HttpReply> refusal(Optional<String> authorization, String path) {
        Optional<String> token = authorization
                .filter(it -> it.startsWith(BEARER))
                .map(it -> it.substring(BEARER.length()).strip())
                .filter(it -> !it.isEmpty());
        if (token.isEmpty()) {
            return Optional.of(HttpReply.of(
                    UNAUTHORIZED, "give the token of a user of this cluster, as in Authorization: Bearer TOKEN"));
        }
        Client client = new Client(hash(token.get()), path);
        if (isAllowedNow(client)) {
            return Optional.empty();
        }
        Semaphore turns = wasAllowed(client, KNOWN_IN_AN_OUTAGE) ? turnsOfReaders : turnsOfStrangers;
        try {
            if (!turns.tryAcquire(longestWait.toMillis(), TimeUnit.MILLISECONDS)) {
                return unchecked(client, "busy with the tokens of other clients; try again");
            }
            try {
                return inTurn(client, token.get());
            } finally {
                turns.release();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return unchecked(client, "the operator stops");
        }
    }

    private Optional<HttpReply> inTurn(Client client, String token) throws InterruptedException {
        if (isAllowedNow(client)) {
            return Optional.empty();
        }
        Optional<HttpReply> refusal = checked(client, token);
        if (!wasAllowed(client, KNOWN_IN_AN_OUTAGE)) {
            pause.last(TURN_OF_A_STRANGER);
        }
        return refusal;
    }

    private Optional<HttpReply> checked(Client client, String token) {
        try {
            return decided(client, reviews.of(token, client.path()));
        } catch (RuntimeException e) {
            logged(e);
            failed(client);
            return unchecked(client, "the API server cannot be asked about the token now; try again");
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

    /**
     * {@return whether the client may read without a check: it was allowed to a minute ago, or a check has just failed}
     */
    private boolean isAllowedNow(Client client) {
        return wasAllowed(client, KNOWN) || (wasAllowed(client, KNOWN_IN_AN_OUTAGE) && hasJustFailed(client));
    }

    private boolean hasJustFailed(Client client) {
        synchronized (allowed) {
            return Optional.ofNullable(allowed.get(client))
                    .flatMap(Decision::failedAt)
                    .filter(at -> clock.instant().isBefore(at.plus(NEXT_CHECK_IN_AN_OUTAGE)))
                    .isPresent();
        }
    }

    private boolean wasAllowed(Client client, Duration within) {
        synchronized (allowed) {
            Decision decision = allowed.get(client);
            return decision != null && clock.instant().isBefore(decision.at().plus(within));
        }
    }

    private void failed(Client client) {
        synchronized (allowed) {
            allowed.computeIfPresent(
                    client, (_, decision) -> new Decision(decision.at(), Optional.of(clock.instant())));
        }
    }

    private void remember(Client client) {
        synchronized (allowed) {
            allowed.remove(client);
            if (allowed.size() >= MOST_KNOWN) {
                allowed.remove(allowed.firstEntry().getKey());
            }
            allowed.put(client, new Decision(clock.instant(), Optional.empty()));
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
