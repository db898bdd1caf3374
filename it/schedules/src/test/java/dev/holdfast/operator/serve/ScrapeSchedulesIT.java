package dev.holdfast.operator.serve;

import dev.holdfast.it.schedules.Schedules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The threads of several connections that ask for the metrics at once. */
class ScrapeSchedulesIT {
    /** Replies that are older than a second as soon as they are made. */
    private static final class Scrapes {
        private final List<Integer> inMemory = new ArrayList<>();
        private boolean making;
        private int made;
        private long seconds;
        private final SharedReply shared = new SharedReply(this::make, this::now);

        private synchronized Instant now() {
            seconds += 2;
            return Instant.ofEpochSecond(seconds);
        }

        private HttpReply make() {
            if (making) {
                throw new IllegalStateException("two replies are made at once");
            }
            making = true;
            made++;
            HttpReply reply = HttpReply.metrics("scrape " + made);
            making = false;
            return reply;
        }

        void scrape() {
            HttpReply reply = shared.get();
            int number = Integer.parseInt(reply.body().replace("scrape ", ""));
            synchronized (inMemory) {
                inMemory.add(number);
                if (inMemory.stream().distinct().count() > 3) {
                    throw new IllegalStateException("in memory: " + inMemory);
                }
                inMemory.remove(Integer.valueOf(number));
            }
            reply.close();
        }
    }

    @Test
    void atMostThreeRepliesAreInMemoryAndTheNextOneIsMadeAgain() {
        Schedules.play(() -> {
            Scrapes scrapes = new Scrapes();
            List<Thread> clients = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                clients.add(Thread.ofPlatform().start(() -> {
                    scrapes.scrape();
                    scrapes.scrape();
                }));
            }
            for (Thread client : clients) {
                client.join();
            }
            int before = scrapes.made;
            scrapes.scrape();
            if (scrapes.made != before + 1) {
                throw new IllegalStateException("an old reply is counted as one that is still being sent");
            }
        });
    }
}
