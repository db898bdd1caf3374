package dev.holdfast.operator.serve;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** How many replies are created, and how many are in memory. */
class SharedReplyTest {
    private int made;
    private Instant now = Instant.EPOCH;
    private final SharedReply shared = new SharedReply(this::make, () -> now);

    private HttpReply make() {
        made++;
        return HttpReply.metrics("scrape " + made);
    }

    private String sent() {
        try (HttpReply reply = shared.get()) {
            return reply.body();
        }
    }

    private HttpReply unread(String expected) {
        HttpReply reply = shared.get();
        assertThat(reply.body()).isEqualTo(expected);
        return reply;
    }

    @Test
    void allRequestsOfASecondGetTheSame() {
        assertThat(sent()).isEqualTo("scrape 1");
        now = now.plusMillis(999);
        assertThat(sent()).isEqualTo("scrape 1");

        now = now.plusMillis(1);
        assertThat(sent()).isEqualTo("scrape 2");
    }

    @Test
    void aReplyThatNoClientReadsIsNotInMemoryWhileTheNextIsMade() {
        List<WeakReference<HttpReply>> before = new ArrayList<>();
        SharedReply idle = new SharedReply(
                () -> {
                    while (before.stream().anyMatch(it -> it.get() != null)) {
                        System.gc();
                    }
                    HttpReply reply = HttpReply.metrics("up 1");
                    before.add(new WeakReference<>(reply));
                    return reply;
                },
                () -> now);
        idle.get().close();
        now = now.plusSeconds(1);

        assertTimeoutPreemptively(
                Duration.ofSeconds(20), () -> idle.get().close(), "the reply before is still referred to");

        assertThat(before).hasSize(2);
    }

    @Test
    void twoOlderRepliesMayBeUnreadAndThenTheLatestIsGivenAgain() {
        List<HttpReply> unread = new ArrayList<>();
        for (int second = 1; second <= 3; second++) {
            unread.add(unread("scrape " + second));
            now = now.plusSeconds(1);
        }

        for (int second = 4; second <= 20; second++) {
            assertThat(sent()).isEqualTo("scrape 3");
            now = now.plusSeconds(1);
        }

        unread.get(1).close();
        assertThat(sent()).isEqualTo("scrape 4");
    }

    @Test
    void theLatestReplyIsReplacedOnceNoClientReadsIt() {
        HttpReply first = unread("scrape 1");
        now = now.plusSeconds(1);
        HttpReply second = unread("scrape 2");
        now = now.plusSeconds(1);
        HttpReply third = unread("scrape 3");
        now = now.plusSeconds(1);

        third.close();

        assertThat(sent()).isEqualTo("scrape 4");
        first.close();
        second.close();
    }

    @Test
    void aReplyIsUnreadUntilItsLastClientHasReadIt() {
        HttpReply first = unread("scrape 1");
        HttpReply again = unread("scrape 1");
        now = now.plusSeconds(1);
        HttpReply second = unread("scrape 2");
        now = now.plusSeconds(1);
        HttpReply third = unread("scrape 3");
        now = now.plusSeconds(1);

        first.close();
        first.close();
        assertThat(sent()).isEqualTo("scrape 3");

        again.close();
        assertThat(sent()).isEqualTo("scrape 4");
        second.close();
        third.close();
    }

    @Test
    void aFailureIsNotShared() {
        List<RuntimeException> planted = new ArrayList<>(List.of(new IllegalStateException("planted")));
        SharedReply failing = new SharedReply(
                () -> {
                    if (!planted.isEmpty()) {
                        throw planted.removeFirst();
                    }
                    return HttpReply.metrics("up 1");
                },
                () -> now);

        assertThatThrownBy(failing::get).hasMessage("planted");
        assertThat(failing.get().body()).isEqualTo("up 1");
    }
}
