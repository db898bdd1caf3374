package dev.holdfast.operator.offline.print;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongConsumer;

/** Prints once a second how many objects were read, from the second second on. */
public final class ReadProgress implements LongConsumer {
    private static final Duration EVERY = Duration.ofSeconds(1);

    /** The clock is not read for each object. */
    private static final int OBJECTS_BETWEEN_LOOKS = 256;

    private final InstantSource clock;
    private final Consumer<String> sink;
    private final AtomicLong read = new AtomicLong();
    private Optional<Instant> next = Optional.empty();

    /** @param sink gets each line */
    public ReadProgress(InstantSource clock, Consumer<String> sink) {
        this.clock = clock;
        this.sink = sink;
    }

    @Override
    public void accept(long objects) {
        read.incrementAndGet();
        if (objects % OBJECTS_BETWEEN_LOOKS != 0) {
            return;
        }
        Instant now = clock.instant();
        if (next.filter(now::isBefore).isEmpty()) {
            next.ifPresent(_ -> sink.accept(text(objects)));
            next = Optional.of(now.plus(EVERY));
        }
    }

    /** {@return how many objects of all inputs were read so far; may be called by another thread} */
    public String text() {
        return text(read.get());
    }

    private static String text(long objects) {
        return "read " + Count.of(objects, "object");
    }
}
