package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReaderAccessTest {
    private static final String METRICS = "/metrics";
    private static final Map<String, ReaderAccess.Review> TOKENS = Map.of(
            "scraper",
            new ReaderAccess.Review.Allowed(),
            "stranger",
            new ReaderAccess.Review.Denied("system:serviceaccount:shop:web"));

    private final List<String> reviewed = Collections.synchronizedList(new ArrayList<>());
    private final List<Duration> pauses = Collections.synchronizedList(new ArrayList<>());
    private Duration longestWait = Duration.ofSeconds(30);
    private Instant now = Instant.EPOCH;
    private ReaderAccess access = access(this::known);

    private ReaderAccess access(ReaderAccess.Reviews reviews) {
        return new ReaderAccess(
                (token, path) -> {
                    reviewed.add(token + " " + path);
                    return reviews.of(token, path);
                },
                () -> now,
                longestWait,
                pauses::add);
    }

    private ReaderAccess.Review known(String token, String path) {
        return TOKENS.getOrDefault(token, new ReaderAccess.Review.UnknownToken());
    }

    private Optional<String> refusal(String authorization) {
        return access.refusal(Optional.of(authorization), METRICS).map(it -> it.status() + " " + it.body());
    }

    @Test
    void aUserWhoMayReadIsAskedForOnceInAMinute() {
        assertThat(refusal("Bearer scraper")).isEmpty();
        now = now.plusSeconds(59);
        assertThat(refusal("Bearer scraper")).isEmpty();
        assertThat(reviewed).containsExactly("scraper /metrics");

        now = now.plusSeconds(1);
        assertThat(refusal("Bearer scraper")).isEmpty();
        assertThat(reviewed).hasSize(2);
    }

    @Test
    void theRightToReadOnePathIsNoneToReadAnother() {
        assertThat(refusal("Bearer scraper")).isEmpty();

        assertThat(access.refusal(Optional.of("Bearer scraper"), "/other")).isEmpty();

        assertThat(reviewed).containsExactly("scraper /metrics", "scraper /other");
    }

    @Test
    void aUserWhoMayNotReadIsToldWhatIsMissing() {
        assertThat(refusal("Bearer stranger"))
                .contains("403 system:serviceaccount:shop:web may not get /metrics; bind it to a ClusterRole with"
                        + " nonResourceURLs: [/metrics] and verbs: [get]\n");
        refusal("Bearer stranger");
        assertThat(reviewed).hasSize(2);
    }

    @Test
    void anInvalidToken() {
        assertThat(refusal("Bearer forged")).contains("401 the API server does not accept this token\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Bearer ", "Bearer", "Basic c2NyYXBlcg==", "scraper"})
    void noToken(String authorization) {
        assertThat(refusal(authorization))
                .contains("401 give the token of a user of this cluster, as in Authorization: Bearer TOKEN\n");
        assertThat(reviewed).isEmpty();
    }

    @Test
    void noHeader() {
        assertThat(access.refusal(Optional.empty(), METRICS)).isPresent();
        assertThat(reviewed).isEmpty();
    }

    @Test
    void anApiServerThatDoesNotAnswerAndAClientThatIsNotKnown() {
        access = access((_, _) -> {
            throw new IllegalStateException("POST to https://10.0.0.1 timed out");
        });

        assertThat(refusal("Bearer scraper"))
                .contains("503 the API server cannot be asked about the token now; try again\n");
    }

    @Test
    void whileTheApiServerDoesNotAnswerAClientThatMayReadIsServedForAnHour() {
        AtomicBoolean away = new AtomicBoolean();
        access = access((token, path) -> {
            if (away.get()) {
                throw new IllegalStateException("timeout");
            }
            return known(token, path);
        });
        refusal("Bearer scraper");
        away.set(true);

        now = now.plusSeconds(3_599);
        assertThat(refusal("Bearer scraper")).isEmpty();
        now = now.plusSeconds(1);
        assertThat(refusal("Bearer scraper")).isPresent();
    }

    @Test
    void aRightThatWasTakenAwayIsNotRememberedForAnOutage() {
        AtomicReference<Optional<ReaderAccess.Review>> review =
                new AtomicReference<>(Optional.of(new ReaderAccess.Review.Allowed()));
        access = access((_, _) -> review.get().orElseThrow());
        refusal("Bearer scraper");
        now = now.plusSeconds(60);
        review.set(Optional.of(new ReaderAccess.Review.UnknownToken()));
        assertThat(refusal("Bearer scraper")).isPresent();

        review.set(Optional.empty());

        assertThat(refusal("Bearer scraper"))
                .contains("503 the API server cannot be asked about the token now; try again\n");
    }

    @Test
    void afterAFailedCheckAClientThatMayReadIsServedWithoutACheckForTenSeconds() {
        AtomicBoolean away = new AtomicBoolean();
        access = access((token, path) -> {
            if (away.get()) {
                throw new IllegalStateException("timeout");
            }
            return known(token, path);
        });
        refusal("Bearer scraper");
        away.set(true);
        now = now.plusSeconds(60);
        assertThat(refusal("Bearer scraper")).isEmpty();
        assertThat(reviewed).hasSize(2);

        now = now.plusMillis(9_999);
        assertThat(refusal("Bearer scraper")).isEmpty();
        assertThat(reviewed).hasSize(2);
        now = now.plusMillis(1);
        assertThat(refusal("Bearer scraper")).isEmpty();
        assertThat(reviewed).hasSize(3);
    }

    @Test
    void aFailedCheckOfOneClientSparesNoOtherClientItsOwn() {
        access = access((token, path) -> {
            if (token.equals("breaks it")) {
                throw new IllegalStateException("400");
            }
            return known(token, path);
        });
        refusal("Bearer scraper");
        now = now.plusSeconds(60);
        refusal("Bearer breaks it");

        refusal("Bearer scraper");

        assertThat(reviewed).containsExactly("scraper /metrics", "breaks it /metrics", "scraper /metrics");
    }

    @Test
    void aStrangerWhoMayNotReadKeepsTheTurnFor80Milliseconds() {
        refusal("Bearer forged");
        refusal("Bearer stranger");
        assertThat(pauses).containsExactly(Duration.ofMillis(80), Duration.ofMillis(80));

        refusal("Bearer scraper");
        now = now.plusSeconds(60);
        refusal("Bearer scraper");
        assertThat(pauses).hasSize(2);
    }

    /** Reviews that do not return before they are told to, for all tokens but those of readers. */
    private final class HeldReviews {
        private final CountDownLatch goOn = new CountDownLatch(1);
        private final Semaphore begun = new Semaphore(0);

        ReaderAccess.Review of(String token, String path) {
            if (!token.equals("scraper")) {
                begun.release();
                await(goOn);
            }
            return known(token, path);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void twoTokensOfStrangersAreCheckedAtOnceAndTheNextWaitsForItsTurn() throws Exception {
        HeldReviews held = new HeldReviews();
        access = access(held::of);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<Optional<String>>> replies = IntStream.range(0, 5)
                    .mapToObj(i -> clients.submit(() -> refusal("Bearer " + i)))
                    .toList();
            held.begun.acquire(2);
            assertThat(reviewed).hasSize(2);

            held.goOn.countDown();

            for (Future<Optional<String>> reply : replies) {
                assertThat(reply.get()).contains("401 the API server does not accept this token\n");
            }
            assertThat(reviewed).hasSize(5);
        }
    }

    @Test
    void aStrangerWhoseTurnDoesNotComeIsToldToTryAgainAndAReaderDoesNotWait() throws Exception {
        longestWait = Duration.ofMillis(50);
        HeldReviews held = new HeldReviews();
        access = access(held::of);
        refusal("Bearer scraper");
        now = now.plusSeconds(60);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 2; i++) {
                String token = "Bearer " + i;
                clients.execute(() -> refusal(token));
            }
            held.begun.acquire(2);

            assertThat(refusal("Bearer third")).contains("503 busy with the tokens of other clients; try again\n");
            assertThat(refusal("Bearer scraper")).isEmpty();

            assertThat(reviewed).hasSize(4).last().isEqualTo("scraper /metrics");
            held.goOn.countDown();
        }
    }

    @Test
    void ofManyClientsTheLatestAreKnown() {
        access = access((_, _) -> new ReaderAccess.Review.Allowed());
        for (int i = 0; i <= 64; i++) {
            refusal("Bearer " + i);
        }
        reviewed.clear();

        refusal("Bearer 64");
        refusal("Bearer 1");
        assertThat(reviewed).isEmpty();
        refusal("Bearer 0");
        assertThat(reviewed).containsExactly("0 /metrics");
    }
}
