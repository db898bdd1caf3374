package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.feed.WebSocketApiServer;
import dev.holdfast.operator.feed.WebSocketApiServer.Reply;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is asked about a token, and how long an answer is waited for. */
@Timeout(60)
class ApiReviewsTest {
    private static final String KNOWN = """
        {"kind": "TokenReview", "apiVersion": "authentication.k8s.io/v1", "status":
         {"authenticated": true, "user": {"username": "scraper", "groups": ["readers"]}}}\
        """;
    private static final String UNKNOWN = """
        {"kind": "TokenReview", "apiVersion": "authentication.k8s.io/v1", "status": {"error": "expired"}}\
        """;

    static Stream<Arguments> answers() {
        return Stream.of(
                argumentSet("a user who may read", KNOWN, true, new ReaderAccess.Review.Allowed()),
                argumentSet("a user who may not", KNOWN, false, new ReaderAccess.Review.Denied("scraper")),
                argumentSet("no user", UNKNOWN, true, new ReaderAccess.Review.UnknownToken()));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void aTokenIsReviewedAndThenItsUser(String tokenReview, boolean allowed, ReaderAccess.Review expected) {
        try (WebSocketApiServer server = new WebSocketApiServer(request -> new Reply.Says(
                        201,
                        request.target().endsWith("/tokenreviews")
                                ? tokenReview
                                : "{\"kind\": \"SubjectAccessReview\", \"status\": {\"allowed\": " + allowed + "}}"));
                ApiReviews reviews = new ApiReviews(server.connection())) {
            assertThat(reviews.of("t0ken", "/metrics")).isEqualTo(expected);
        }
    }

    @Test
    void aRequestIsSentOnce() {
        try (WebSocketApiServer server = new WebSocketApiServer(_ -> new Reply.Says(503, "not now"));
                ApiReviews reviews = new ApiReviews(server.connection())) {
            assertThatThrownBy(() -> reviews.of("t0ken", "/metrics")).isInstanceOf(RuntimeException.class);

            assertThat(server.received()).hasSize(1);
        }
    }

    @Test
    void anApiServerThatIsSilentIsNotWaitedForLong() {
        try (WebSocketApiServer server = new WebSocketApiServer(_ -> new Reply.StaysSilent());
                ApiReviews reviews = new ApiReviews(server.connection())) {
            long begun = System.nanoTime();

            assertThatThrownBy(() -> reviews.of("t0ken", "/metrics")).isInstanceOf(RuntimeException.class);

            assertThat(Duration.ofNanos(System.nanoTime() - begun)).isLessThan(Duration.ofSeconds(8));
        }
    }
}
