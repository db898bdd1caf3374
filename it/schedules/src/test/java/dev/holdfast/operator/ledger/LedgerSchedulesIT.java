package dev.holdfast.operator.ledger;

import dev.holdfast.it.schedules.Schedules;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The threads that write the ledger, of which one may wait for long. */
class LedgerSchedulesIT {
    private static final Ledger EARLIER = Ledger.empty();
    private static final Ledger LATER = new Ledger(
            EARLIER.limits(),
            List.of(Ledgers.full().moves().getFirst()),
            List.of(),
            EARLIER.brakes(),
            Optional.empty(),
            Optional.empty());

    /** The ConfigMaps of the ledger in memory. */
    private static final class ConfigMaps implements LedgerApi {
        private final Map<String, byte[]> data = new HashMap<>();
        private String last = "";

        @Override
        public synchronized LedgerAnswer read(String name) {
            return new LedgerAnswer.Current("uid-of-" + name, Optional.ofNullable(data.get(name)));
        }

        @Override
        public LedgerAnswer create(String name) {
            throw new IllegalStateException("all are there");
        }

        @Override
        public synchronized LedgerAnswer replace(String name, byte[] bytes) {
            data.put(name, bytes);
            last = name;
            return read(name);
        }

        /** {@return the ledger that was written last, which the next leader reads} */
        synchronized Ledger written() throws UnreadableLedgerException {
            byte[] bytes = data.getOrDefault(last, new byte[0]);
            ServerTime time = new ServerTime(Duration.ZERO, Ledgers.NOON);
            return LedgerText.read(StoredLedger.class, bytes, "uid-of-" + last, time)
                    .ledger();
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private static LedgerStorage storage(ConfigMaps configMaps) {
        return new LedgerStorage(
                configMaps,
                "holdfast",
                "ledger",
                WhenMissing.HOLD,
                _ -> true,
                new LedgerNote(Optional::empty, _ -> {}),
                () -> Optional.of(Duration.ZERO),
                () -> Ledgers.NOON);
    }

    @Test
    void anEarlierLedgerNeverReplacesALaterOne() {
        Schedules.play(() -> {
            ConfigMaps configMaps = new ConfigMaps();
            LedgerStorage storage = storage(configMaps);
            storage.read(new Effect.ReadLedger(1));
            Thread delayed = Thread.ofPlatform().start(() -> {
                Event _ = storage.write(new Effect.WriteLedger(EARLIER, 1, Ledgers.NOON.plusSeconds(1)));
            });
            Event written = storage.write(new Effect.WriteLedger(LATER, 2, Ledgers.NOON.plusSeconds(2)));
            delayed.join();
            if (!(written instanceof Event.LedgerWritten)
                    || configMaps.written().moves().isEmpty()) {
                throw new IllegalStateException("the earlier ledger was written last; the later one: " + written);
            }
        });
    }
}
