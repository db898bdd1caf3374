package dev.holdfast.operator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.ledger.Ledger;
import dev.holdfast.policies.engine.ledger.LedgerReading;
import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LedgerStorageTest {
    private static final String FIRST = "ledger-0";
    private static final String SECOND = "ledger-1";

    /** ConfigMaps in memory, as an API server keeps them. */
    private static final class ConfigMaps {
        private final Map<String, String> uids = new HashMap<>();
        private final Map<String, byte[]> data = new HashMap<>();
        private final Map<String, Integer> versions = new HashMap<>();
        private final List<String> writes = new ArrayList<>();
        private Optional<String> failure = Optional.empty();
        private boolean mayCreate = true;

        ConfigMaps with(String name) {
            uids.put(name, "uid-of-" + name + "-" + versions.size());
            versions.merge(name, 1, Integer::sum);
            return this;
        }

        void edit(String name, byte[] bytes) {
            data.put(name, bytes);
            versions.merge(name, 1, Integer::sum);
        }

        int version(String name) {
            return versions.getOrDefault(name, 0);
        }

        void delete(String name) {
            uids.remove(name);
            data.remove(name);
        }
    }

    /** One client of these ConfigMaps. */
    private final class Client implements LedgerApi {
        private final Map<String, Integer> seen = new HashMap<>();

        @Override
        public LedgerAnswer read(String name) {
            return configMaps
                    .failure
                    .<LedgerAnswer>map(LedgerAnswer.Failed::new)
                    .orElseGet(() -> current(name));
        }

        private LedgerAnswer current(String name) {
            String uid = configMaps.uids.get(name);
            if (uid == null) {
                return new LedgerAnswer.Missing();
            }
            seen.put(name, configMaps.version(name));
            return new LedgerAnswer.Current(uid, Optional.ofNullable(configMaps.data.get(name)));
        }

        @Override
        public LedgerAnswer create(String name) {
            if (!configMaps.mayCreate) {
                return new LedgerAnswer.Failed("no right to create");
            }
            configMaps.with(name);
            return current(name);
        }

        @Override
        public LedgerAnswer replace(String name, byte[] bytes) {
            if (configMaps.failure.isPresent()) {
                return new LedgerAnswer.Failed(configMaps.failure.get());
            }
            if (!configMaps.uids.containsKey(name)) {
                return new LedgerAnswer.Missing();
            }
            if (configMaps.version(name) != seen.getOrDefault(name, 0)) {
                return new LedgerAnswer.Changed();
            }
            configMaps.writes.add(name);
            configMaps.edit(name, bytes);
            return current(name);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private final ConfigMaps configMaps = new ConfigMaps();
    private boolean leads = true;
    private Optional<Duration> ahead = Optional.of(Duration.ZERO);

    private LedgerStorage storage(LedgerStorage.WhenMissing whenMissing) {
        return new LedgerStorage(
                new Client(), "holdfast", "ledger", whenMissing, _ -> leads, () -> ahead, () -> Ledgers.NOON);
    }

    private LedgerStorage storage() {
        return storage(LedgerStorage.WhenMissing.HOLD);
    }

    private static LedgerReading read(LedgerStorage storage) {
        return storage.read(new Effect.ReadLedger(1)).reading();
    }

    private static Event write(LedgerStorage storage, Ledger ledger) {
        return storage.write(new Effect.WriteLedger(ledger, 5));
    }

    private static Event notWritten(String why) {
        return new Event.LedgerNotWritten(5, why);
    }

    @Test
    void configMapsWithoutDataAreAnEmptyLedger() {
        configMaps.with(FIRST).with(SECOND);

        assertThat(read(storage())).isEqualTo(new LedgerReading.Found(Ledger.empty(), Instant.EPOCH));
    }

    @Test
    void theNextProcessReadsWhatWasWrittenLast() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledger.empty());
        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));

        assertThat(configMaps.writes).containsExactly(FIRST, SECOND);
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    private static Ledger found(LedgerReading reading) {
        assertThat(reading).isInstanceOf(LedgerReading.Found.class);
        return ((LedgerReading.Found) reading).ledger();
    }

    @Test
    void theNextLeaderWritesTheOlderCopyFirst() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        LedgerStorage next = storage();
        read(next);
        write(next, Ledger.empty());

        assertThat(configMaps.writes).containsExactly(FIRST, SECOND);
        assertThat(found(read(storage())).moves()).isEmpty();
    }

    @Test
    void theOlderCopyCountsIfTheNewerOneIsSpoiled() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        write(storage, Ledger.empty());
        configMaps.edit(SECOND, new byte[] {1, 2, 3});

        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void aLedgerWithoutAReadableCopyIsUnreadable() {
        configMaps.with(FIRST).with(SECOND);
        configMaps.edit(FIRST, new byte[] {1, 2, 3});

        assertThat(read(storage()))
                .isEqualTo(new LedgerReading.Unreadable("ConfigMap holdfast/ledger-0: it is damaged (ZipException)"));
    }

    @Test
    void aCopyThatSomebodyEditedIsWrittenAgain() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        configMaps.edit(FIRST, new byte[] {1, 2, 3});

        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void aLeaderThatWasReplacedWritesNothingOver() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage old = storage();
        read(old);
        write(old, Ledger.empty());
        LedgerStorage next = storage();
        read(next);
        write(next, Ledgers.full());
        write(next, Ledgers.full());

        assertThat(write(old, Ledger.empty())).isEqualTo(notWritten("another replica has written the ledger since"));
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void withoutTheLeaseNothingIsWritten() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        leads = false;

        assertThat(write(storage, Ledgers.full()))
                .isEqualTo(notWritten("the lease is not held, or was renewed too long ago to cover a request"));
        assertThat(configMaps.writes).isEmpty();
    }

    @Test
    void oneDeletedCopyIsNotMissed() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        configMaps.delete(FIRST);

        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));
        assertThat(configMaps.writes).containsExactly(SECOND);
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void withBothCopiesDeletedTheProblemIsNamed() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        configMaps.delete(FIRST);
        configMaps.delete(SECOND);

        assertThat(write(storage, Ledgers.full()))
                .isEqualTo(notWritten("ConfigMap holdfast/ledger-0 does not exist: install the chart again, which makes"
                        + " it, ConfigMap holdfast/ledger-1 does not exist: install the chart again, which makes it"));
        assertThat(read(storage()))
                .isEqualTo(new LedgerReading.Failed("ConfigMap holdfast/ledger-0 does not exist, ConfigMap"
                        + " holdfast/ledger-1 does not exist: install the chart again, which makes them"));
    }

    @Test
    void aCopyThatWasDeletedAndMadeAgainIsWritten() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        configMaps.delete(FIRST);
        configMaps.with(FIRST);

        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));
        assertThat(configMaps.writes).containsExactly(FIRST);
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void anErrorOfTheApiServerIsNoLossOfMemory() {
        configMaps.with(FIRST).with(SECOND);
        configMaps.failure = Optional.of("etcd is full");
        LedgerStorage storage = storage();

        assertThat(read(storage)).isEqualTo(new LedgerReading.Failed("etcd is full"));
        assertThat(write(storage, Ledgers.full())).isEqualTo(notWritten("etcd is full"));
    }

    @Test
    void outsideOfAClusterItMakesTheConfigMaps() {
        LedgerStorage storage = storage(LedgerStorage.WhenMissing.MAKE);

        assertThat(read(storage)).isEqualTo(new LedgerReading.Found(Ledger.empty(), Instant.EPOCH));
        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));
    }

    @Test
    void ifItMayNotMakeThemItGoesOnWithoutMemory() {
        configMaps.mayCreate = false;

        assertThat(read(storage(LedgerStorage.WhenMissing.MAKE)))
                .isEqualTo(new LedgerReading.NoMemory("no right to create"));
    }

    @Test
    void anObserverMakesNothing() {
        assertThat(read(storage(LedgerStorage.WhenMissing.GO_WITHOUT)))
                .isEqualTo(new LedgerReading.NoMemory("it does not exist, and this operator only observes"));
        assertThat(configMaps.uids).isEmpty();
    }

    @Test
    void beforeTheClocksAreComparedNothingIsReadOrWritten() {
        configMaps.with(FIRST).with(SECOND);
        ahead = Optional.empty();
        LedgerStorage storage = storage();

        assertThat(read(storage)).isEqualTo(new LedgerReading.Failed("the clock of the API server is not known yet"));
        assertThat(write(storage, Ledgers.full())).isEqualTo(notWritten("the clock of the API server is not known"));
    }
}
