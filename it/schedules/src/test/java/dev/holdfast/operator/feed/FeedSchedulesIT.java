package dev.holdfast.operator.feed;

import static dev.holdfast.operator.decode.Message.message;

import dev.holdfast.it.schedules.Schedules;
import dev.holdfast.operator.annotation.AnnotationRulesParser;
import dev.holdfast.operator.api.ApiServer;
import dev.holdfast.operator.api.StreamedResponse;
import dev.holdfast.operator.decode.Message;
import dev.holdfast.operator.decode.PodDecoder;
import dev.holdfast.operator.decode.RecordedBodies;
import dev.holdfast.operator.decode.protobuf.ByteSlice;
import dev.holdfast.operator.decode.protobuf.MalformedException;
import dev.holdfast.operator.decode.scheduling.SchedulingScope;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.View;
import dev.holdfast.policies.model.ClusterEvent;
import dev.holdfast.policies.model.Pod;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongFunction;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The threads of a feed: the one that reads, the ones that check whether it is current, and the one that stops it. */
class FeedSchedulesIT {
    private static final long FIRST = 10;
    private static final long LAST = 12;

    // Made before the schedules begin, in which each access to memory takes a step.
    private static final List<Event> CHANGED = versions(FeedSchedulesIT::changed);
    private static final List<byte[]> LISTS = versions(it -> RecordedBodies.list(String.valueOf(it), pod(it)));
    private static final List<byte[]> FRAMES =
            versions(it -> RecordedBodies.frame("MODIFIED", RecordedBodies.envelope("Pod", pod(it))));
    private static final List<byte[]> BOOKMARKS = versions(it -> RecordedBodies.frame(
            "BOOKMARK",
            RecordedBodies.envelope("Pod", message().part(1, message().text(6, String.valueOf(it))))));

    private static <V> List<V> versions(LongFunction<V> value) {
        return LongStream.rangeClosed(FIRST, LAST).mapToObj(value).toList();
    }

    private static <V> V of(long version, List<V> versions) {
        return versions.get((int) (version - FIRST));
    }

    /** At each version, the pod has another label and another node. */
    private static Message pod(long version) {
        Message metadata = message()
                .text(1, "web-1")
                .text(3, "shop")
                .text(5, "u-1")
                .text(6, String.valueOf(version))
                .entry(11, "app", "web-" + version);
        return message().part(1, metadata).part(2, message().text(10, "n" + version));
    }

    private static Event changed(long version) {
        try {
            Pod pod = new PodDecoder(SchedulingScope.RULES, AnnotationRulesParser::parse)
                    .decode(new ByteSlice(pod(version).bytes()));
            return new Event.ObjectChanged(new ClusterEvent.PodChanged(pod));
        } catch (MalformedException e) {
            throw new AssertionError(e);
        }
    }

    /** {@return the version of the pod in an event; 0 if it has none} */
    private static long version(Event event) {
        return event instanceof Event.ObjectChanged(ClusterEvent.PodChanged(Pod pod)) ? pod.resourceVersion() : 0;
    }

    /** A body that arrives part by part. */
    private static final class Body extends StreamedResponse {
        private byte[] left = {};
        private boolean ended;

        synchronized void send(byte[] bytes) {
            int before = left.length;
            left = Arrays.copyOf(left, before + bytes.length);
            System.arraycopy(bytes, 0, left, before, bytes.length);
            notifyAll();
        }

        @Override
        public synchronized int read(byte[] into, int from, int length) {
            try {
                while (left.length == 0 && !ended) {
                    wait();
                }
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
                return -1;
            }
            int some = Math.min(length, left.length);
            System.arraycopy(left, 0, into, from, some);
            left = Arrays.copyOfRange(left, some, left.length);
            return some == 0 ? -1 : some;
        }

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public synchronized void end() {
            ended = true;
            notifyAll();
        }

        @Override
        public void within(Duration limit) {
            // What is sent arrives.
        }

        @Override
        public void close() {
            end();
        }
    }

    /** An API server with one pod. */
    private static final class OnePod implements ApiServer {
        private long version = FIRST;
        private final List<Body> watches = new ArrayList<>();

        @Override
        public synchronized StreamedResponse get(String path, String accept, Duration timeout, Duration patience) {
            Body body = new Body();
            if (!path.contains("watch=true")) {
                body.send(of(version, LISTS));
                body.end();
                return body;
            }
            long from = Long.parseLong(path.replaceAll(".*resourceVersion=([0-9]+).*", "$1"));
            LongStream.rangeClosed(from + 1, version).forEach(it -> body.send(of(it, FRAMES)));
            body.send(of(version, BOOKMARKS));
            watches.add(body);
            return body;
        }

        synchronized void changes() {
            version++;
            watches.forEach(it -> it.send(of(version, FRAMES)));
        }

        synchronized long version() {
            return version;
        }
    }

    /** Time passes when a thread sleeps. */
    private static final class SleptTime implements FeedClock {
        private Instant now = Instant.parse("2026-11-20T12:00:00Z");

        @Override
        public synchronized Instant instant() {
            return now;
        }

        synchronized void passes(Duration time) {
            now = now.plus(time);
        }

        @Override
        @SuppressWarnings("ThreadPriorityCheck") // The schedule decides who goes on.
        public void sleep(Duration time) throws InterruptedException {
            passes(time);
            Thread.yield();
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }

        @Override
        public long random(long bound) {
            return 0;
        }
    }

    /** A feed of pods, and what it has delivered. */
    private static final class Feed {
        private final OnePod server = new OnePod();
        private final SleptTime time = new SleptTime();
        private final List<Event> delivered = new ArrayList<>();
        private final CountDownLatch synced = new CountDownLatch(1);
        private final CountDownLatch last = new CountDownLatch(1);
        private final List<Thread> threads = new ArrayList<>();
        private final KindFeed feed = new KindFeed(
                WatchedKind.PODS,
                new ProtobufListWatch(server, ProtobufKind.pods(SchedulingScope.RULES)),
                new ViewGate(View.PODS, List.of(WatchedKind.PODS), this::deliver),
                time,
                this::deliver,
                (_, death) -> {
                    throw new AssertionError(death);
                });

        private void deliver(Event event) {
            synchronized (delivered) {
                delivered.add(event);
            }
            if (event instanceof Event.ViewSynced) {
                synced.countDown();
            }
            if (version(event) == LAST) {
                last.countDown();
            }
        }

        List<Event> delivered() {
            synchronized (delivered) {
                return List.copyOf(delivered);
            }
        }

        List<Event> facts() {
            return delivered().stream().filter(it -> version(it) > 0).toList();
        }

        void begin(Runnable task) {
            Thread thread = Thread.ofPlatform().start(task);
            synchronized (threads) {
                threads.add(thread);
            }
        }

        void awaitThreads() throws InterruptedException {
            List<Thread> all;
            synchronized (threads) {
                all = List.copyOf(threads);
            }
            for (Thread thread : all) {
                thread.join();
            }
        }

        /** If the feed counts as current, it has delivered what the API server had when the check began. */
        void check() {
            long before = server.version();
            Optional<String> behind;
            try {
                behind = new CurrencyCheck(time, this::begin).behind(List.of(feed));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            List<Event> seen = delivered();
            if (behind.isEmpty() && seen.stream().noneMatch(it -> version(it) >= before)) {
                throw new AssertionError("current at version " + before + " with " + seen);
            }
        }

        /** Checks that the events are those of the pod's versions, in order, and end with the last one. */
        void deliveredAll() {
            List<Event> expected = new ArrayList<>();
            expected.add(of(FIRST, CHANGED));
            expected.add(new Event.ViewSynced(View.PODS));
            LongStream.rangeClosed(FIRST + 1, LAST).forEach(it -> expected.add(of(it, CHANGED)));
            List<Event> seen = delivered();
            if (!seen.equals(expected)) {
                throw new AssertionError("delivered " + seen);
            }
        }
    }

    @Test
    void eachChangeIsDeliveredOnceWhileTwoChecksReadTheSameEvents() {
        Schedules.play(() -> {
            Feed feed = new Feed();
            feed.feed.start();
            feed.synced.await();
            feed.begin(feed::check);
            feed.begin(feed::check);
            feed.server.changes();
            feed.server.changes();
            feed.last.await();
            feed.awaitThreads();
            feed.feed.close();
            feed.deliveredAll();
        });
    }

    @Test
    void aFeedThatIsStoppedWhileItIsCheckedEndsAndDeliversNothingLater() {
        Schedules.play(() -> {
            Feed feed = new Feed();
            feed.feed.start();
            feed.begin(() -> {
                feed.time.passes(FeedTrust.LONGEST_SILENCE);
                feed.feed.check();
            });
            feed.begin(feed.server::changes);
            feed.feed.close();
            List<Event> facts = feed.facts();
            feed.awaitThreads();
            feed.server.changes();
            if (!feed.facts().equals(facts)) {
                throw new AssertionError("delivered after the close: " + feed.delivered());
            }
        });
    }
}
