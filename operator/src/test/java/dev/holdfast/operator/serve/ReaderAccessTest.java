package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
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

    private final List<String> reviewed = new ArrayList<>();
    private Instant now = Instant.EPOCH;
    private ReaderAccess access = access(this::known);

    private ReaderAccess access(ReaderAccess.Reviews reviews) {
        return new ReaderAccess(
                (token, path) -> {
                    reviewed.add(token + " " + path);
                    return reviews.of(token, path);
                },
                () -> now);
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
    void noHeaderAndAHeaderThatIsTooLong() {
        assertThat(access.refusal(Optional.empty(), METRICS)).isPresent();
        assertThat(refusal("Bearer " + "x".repeat(16 << 10))).isPresent();
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
    void atMostTwoTokensAreCheckedAtOnce() {
        List<Optional<String>> inner = new ArrayList<>();
        access = access((token, path) -> {
            if (reviewed.size() < 2) {
                inner.add(refusal("Bearer second"));
            } else {
                inner.add(refusal("Bearer third"));
            }
            return known(token, path);
        });

        assertThat(refusal("Bearer scraper")).isEmpty();

        assertThat(inner)
                .containsExactly(
                        Optional.of("503 busy with the tokens of other clients; try again\n"),
                        Optional.of("401 the API server does not accept this token\n"));
        assertThat(reviewed).containsExactly("scraper /metrics", "second /metrics");
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
