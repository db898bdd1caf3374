package dev.holdfast.operator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.policies.engine.protocol.Effect;
import dev.holdfast.policies.engine.protocol.Event;
import dev.holdfast.policies.engine.protocol.ledger.ClockShard;
import dev.holdfast.policies.engine.protocol.ledger.ClockWrite;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.LedgerReading;
import dev.holdfast.policies.engine.protocol.ledger.RememberedBrakes;
import dev.holdfast.policies.engine.protocol.ledger.RememberedClock;
import dev.holdfast.policies.plan.move.Moves;
import dev.holdfast.policies.plan.move.TurnHistory;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LedgerStorageTest {
    private static final String FIRST = "ledger-0";
    private static final String SECOND = "ledger-1";

    /** ConfigMaps in memory, as an API server keeps them. */
    private static final class ConfigMaps {
        private final Map<String, String> uids = new HashMap<>();
        final Map<String, byte[]> data = new HashMap<>();
        private final Map<String, Integer> versions = new HashMap<>();
        private final List<String> writes = new ArrayList<>();
        private Optional<String> failure = Optional.empty();
        private boolean mayCreate = true;

        /** ConfigMaps of which each write takes effect, and its answer is lost. */
        private final Set<String> answersLost = new HashSet<>();

        /** ConfigMaps that cannot be written. */
        private final Set<String> refused = new HashSet<>();

        ConfigMaps with(String name) {
            uids.put(name, "uid-of-" + name + "-" + versions.size());
            versions.merge(name, 1, Integer::sum);
            return this;
        }

        void edit(String name, byte[] bytes) {
            data.put(name, bytes);
            versions.merge(name, 1, Integer::sum);
        }

        byte[] dataOf(String name) {
            return Optional.ofNullable(data.get(name)).orElseThrow();
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
        public synchronized LedgerAnswer read(String name) {
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
        public synchronized LedgerAnswer create(String name) {
            if (!configMaps.mayCreate) {
                return new LedgerAnswer.Refused("no right to create");
            }
            configMaps.with(name);
            return current(name);
        }

        @Override
        public synchronized LedgerAnswer replace(String name, byte[] bytes) {
            if (configMaps.failure.isPresent()) {
                return new LedgerAnswer.Failed(configMaps.failure.get());
            }
            if (!configMaps.uids.containsKey(name)) {
                return new LedgerAnswer.Missing();
            }
            if (configMaps.version(name) != seen.getOrDefault(name, 0)) {
                return new LedgerAnswer.Changed();
            }
            if (configMaps.refused.contains(name)) {
                return new LedgerAnswer.Failed("timeout");
            }
            configMaps.writes.add(name);
            configMaps.edit(name, bytes);
            return configMaps.answersLost.contains(name) ? new LedgerAnswer.Failed("timeout") : current(name);
        }

        @Override
        public void close() {
            // Nothing is open.
        }
    }

    private final ConfigMaps configMaps = new ConfigMaps();
    private boolean leads = true;
    private Optional<String> noted = Optional.empty();
    private Optional<Duration> ahead = Optional.of(Duration.ZERO);

    /** The time by the engine's clock. */
    private Instant now = Ledgers.NOON;

    private LedgerStorage storage(WhenMissing whenMissing) {
        return new LedgerStorage(
                new Client(),
                "holdfast",
                "ledger",
                whenMissing,
                _ -> leads,
                new LedgerNote(() -> noted, text -> noted = Optional.of(text)),
                () -> ahead,
                () -> now);
    }

    private LedgerStorage storage() {
        return storage(WhenMissing.HOLD);
    }

    private static LedgerReading read(LedgerStorage storage) {
        return storage.read(new Effect.ReadLedger(1)).reading();
    }

    private Event write(LedgerStorage storage, Ledger ledger) {
        return storage.write(new Effect.WriteLedger(ledger, 5, now));
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
    void aWarmUpReadsAllAndChangesNothing() {
        LedgerStorage leader = leading();
        write(leader, Ledgers.full());
        List<String> written = List.copyOf(configMaps.writes);
        LedgerStorage standby = storage();

        standby.warmUp();
        write(leader, Ledger.empty());

        assertThat(configMaps.writes).hasSize(written.size() + 1);
        assertThat(found(read(standby)).moves()).isEmpty();
    }

    @Test
    void outsideOfAClusterAWarmUpMakesNoConfigMaps() {
        storage(WhenMissing.MAKE).warmUp();

        assertThat(configMaps.uids).isEmpty();
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

    private static Event outdated(Effect.WriteLedger delayed, Instant later) {
        return new Event.LedgerNotWritten(
                delayed.revision(),
                "the ledger of " + delayed.at() + " is outdated: one of " + later + " was read or" + " written");
    }

    /** Otherwise a crash would forget the moves that only the later ledger has. */
    @Test
    void aWriteThatComesAfterALaterOneIsRefused() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        Effect.WriteLedger delayed = new Effect.WriteLedger(Ledger.empty(), 4, now);
        now = now.plusSeconds(5);
        write(storage, Ledgers.full());

        assertThat(storage.write(delayed)).isEqualTo(outdated(delayed, now));
        assertThat(configMaps.writes).containsExactly(FIRST);
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    /** Another replica may have led since: its moves are in the ledger that was read. */
    @Test
    void aWriteThatWasAskedForBeforeTheLedgerWasReadIsRefused() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        Effect.WriteLedger delayed = new Effect.WriteLedger(Ledger.empty(), 4, now);
        now = now.plusSeconds(5);
        read(storage);

        assertThat(storage.write(delayed)).isEqualTo(outdated(delayed, now));
        assertThat(configMaps.writes).containsExactly(FIRST);
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

    /** A backup has all ConfigMaps as they were, with the same UIDs. */
    @Test
    void aLedgerFromABackupIsUnreadable() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        write(storage, Ledgers.full());
        byte[] first = configMaps.dataOf(FIRST);
        byte[] second = configMaps.dataOf(SECOND);
        write(storage, Ledger.empty());
        configMaps.edit(FIRST, first);
        configMaps.edit(SECOND, second);

        assertThat(read(storage()))
                .isEqualTo(new LedgerReading.Unreadable(
                        "it is of write holdfast/2/2, and the lease says that" + " holdfast/2/3 was the last"));
    }

    @Test
    void aLedgerWhoseLastWriteTheLeaseDoesNotHaveYetIsRead() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledger.empty());
        Optional<String> before = noted;
        write(storage, Ledgers.full());
        noted = before;

        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void theOldCopyOfALeaderWhoseFirstWriteIsSpoiledCounts() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        LedgerStorage next = storage();
        read(next);
        write(next, Ledger.empty());
        configMaps.edit(SECOND, new byte[] {1, 2, 3});

        assertThat(noted).contains("holdfast/3/1");
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void aCopyThatIsTwoWritesOldDoesNotCount() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        byte[] first = configMaps.dataOf(FIRST);
        write(storage, Ledgers.full());
        write(storage, Ledger.empty());
        configMaps.edit(FIRST, first);
        configMaps.edit(SECOND, new byte[] {1, 2, 3});

        assertThat(read(storage())).isInstanceOf(LedgerReading.Unreadable.class);
    }

    @Test
    void configMapsThatWereAllEmptiedAreUnreadable() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        configMaps.data.clear();

        assertThat(read(storage()))
                .isEqualTo(
                        new LedgerReading.Unreadable("it has no data, and the lease says that holdfast/2/1 was the last"
                                + " write, maybe of an earlier installation"));
    }

    /** Another release, or a process without a ledger, led meanwhile: what it did is not in this ledger. */
    @Test
    void aLedgerAfterWhichAnotherOneWasWrittenIsUnreadable() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        for (String other : List.of("another/1/1", "/0/0")) {
            noted = Optional.of(other);

            assertThat(read(storage()))
                    .isEqualTo(new LedgerReading.Unreadable(
                            "it is of write holdfast/2/1, and the lease says that " + other + " was the last"));
        }
    }

    /** A write whose answer was lost, and the next one, have the same number. */
    @Test
    void ofTwoCopiesWithOneNumberTheLaterOneCounts() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        configMaps.answersLost.add(FIRST);
        configMaps.refused.add(SECOND);
        assertThat(write(storage, Ledger.empty())).isEqualTo(notWritten("timeout"));
        configMaps.answersLost.clear();
        configMaps.refused.clear();
        configMaps.refused.add(FIRST);
        now = now.plusSeconds(5);

        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));

        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void aFailedWriteHasNoNumber() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        configMaps.failure = Optional.of("down");
        write(storage, Ledger.empty());
        configMaps.failure = Optional.empty();
        write(storage, Ledger.empty());

        assertThat(noted).contains("holdfast/2/2");
    }

    @Test
    void aNoteThatAUserEditedSaysNothing() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        noted = Optional.of("later");

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
    void aCopyThatAUserEditedIsWrittenAgain() {
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
                .isEqualTo(notWritten("this replica does not hold the lease, or may lose it during a request"));
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
        LedgerStorage storage = storage(WhenMissing.MAKE);

        assertThat(read(storage)).isEqualTo(new LedgerReading.Found(Ledger.empty(), Instant.EPOCH));
        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));
    }

    @Test
    void outsideOfAClusterItMakesTheConfigMapsAgainThatWereDeletedWhileItRuns() {
        LedgerStorage storage = storage(WhenMissing.MAKE);
        read(storage);
        write(storage, Ledger.empty());
        configMaps.delete(FIRST);
        configMaps.delete(SECOND);

        assertThat(write(storage, Ledgers.full())).isEqualTo(new Event.LedgerWritten(5));
        assertThat(found(read(storage())).moves()).hasSize(2);
    }

    @Test
    void ifItMayNotMakeThemAgainWhileItRunsTheMissingRightIsNamed() {
        LedgerStorage storage = storage(WhenMissing.MAKE);
        read(storage);
        configMaps.delete(FIRST);
        configMaps.delete(SECOND);
        configMaps.mayCreate = false;

        assertThat(write(storage, Ledgers.full())).isEqualTo(notWritten("no right to create"));
    }

    @Test
    void ifItMayNotMakeThemItGoesOnWithoutMemory() {
        configMaps.mayCreate = false;

        assertThat(read(storage(WhenMissing.MAKE))).isEqualTo(new LedgerReading.NoMemory("no right to create"));
    }

    @Test
    void aFailureToMakeThemIsNoReasonToGoOnWithoutMemory() {
        configMaps.mayCreate = false;
        configMaps.with(FIRST);

        assertThat(read(storage(WhenMissing.MAKE))).isEqualTo(new LedgerReading.NoMemory("no right to create"));
        LedgerStorage storage = storage();
        configMaps.with(SECOND);
        read(storage);
        write(storage, Ledgers.full());
        configMaps.delete(SECOND);

        assertThat(found(read(storage(WhenMissing.MAKE))).moves()).hasSize(2);
    }

    @Test
    void copiesWhoseDataWasRemovedAreUnreadableWhileClocksHaveData() {
        LedgerStorage storage = leading();
        writeClocks(storage, minutesBeforeNoon(3), Map.of(2, List.of(clock("web-1", 90))), Set.of());
        configMaps.data.remove(FIRST);
        configMaps.data.remove(SECOND);

        noted = Optional.empty();

        LedgerStorage next = storage();
        assertThat(read(next)).isEqualTo(new LedgerReading.Unreadable("its data was removed"));
        assertThat(writeClocks(next, Ledgers.NOON, Map.of(2, List.of()), Set.of()))
                .as("the parts that the next leader cannot write")
                .isEmpty();
    }

    @Test
    void aCopyOfALaterVersionMakesTheOtherOneOutdated() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledgers.full());
        write(storage, Ledgers.full());
        configMaps.edit(SECOND, later(configMaps.dataOf(SECOND)));

        assertThat(read(storage()))
                .isEqualTo(new LedgerReading.Unreadable("ConfigMap holdfast/ledger-1: a later version wrote it, in a"
                        + " format that this one cannot read (2)"));
    }

    private static byte[] later(byte[] text) {
        return LedgerTextTest.zipped(LedgerTextTest.unzipped(text).replace("\"readableFrom\":1", "\"readableFrom\":2"));
    }

    @Test
    void whereNotAllHasRoomWhoseTurnIsNextIsLeftOutFirst() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        SplittableRandom random = new SplittableRandom(1);
        List<String> namespaces = IntStream.range(0, 40_000)
                .mapToObj(_ -> Long.toHexString(random.nextLong()) + Long.toHexString(random.nextLong()))
                .toList();
        Ledger full = Ledgers.full();
        Ledger large = new Ledger(
                new Moves.Remembered(
                        full.limits().evictions(),
                        full.limits().victims(),
                        full.limits().futility(),
                        full.limits().slowStart(),
                        full.limits().repeated(),
                        new TurnHistory.Remembered(namespaces, List.of())),
                full.moves(),
                full.missing(),
                full.brakes(),
                full.nodes(),
                full.policies());

        assertThat(write(storage, large)).isEqualTo(new Event.LedgerWritten(5));

        Ledger written = found(read(storage()));
        assertThat(written.limits().turns().namespaces()).isEmpty();
        assertThat(written.brakes().labels()).hasSize(1);
        assertThat(written.limits().futility().streaks()).hasSize(1);
    }

    /**
     * {@return 20,000 changes of four labels of 5,000 nodes, each of which broke rules of eight of 400 namespaces with
     * long names}
     */
    private static List<RememberedBrakes.Changed> changesOfVeryManyPolicies() {
        SplittableRandom random = new SplittableRandom(2);
        List<String> namespaces = IntStream.range(0, 400)
                .mapToObj(i -> "team-" + hex(random) + "-of-a-department-with-a-very-long-name-" + i)
                .toList();
        List<String> nodes = IntStream.range(0, 5_000)
                .mapToObj(_ -> "pool-%s.compute.internal".formatted(hex(random)))
                .toList();
        return IntStream.range(0, 20_000)
                .mapToObj(i -> new RememberedBrakes.Changed(
                        "topology.example.com/label-" + i % 4,
                        nodes.get(i / 4),
                        "value-" + i % 7,
                        Ledgers.NOON.minusSeconds(i),
                        Optional.of(true),
                        Optional.of(random.ints(8, 0, 400)
                                .mapToObj(namespaces::get)
                                .sorted()
                                .toList())))
                .toList();
    }

    private static String hex(SplittableRandom random) {
        return Long.toHexString(random.nextLong());
    }

    @Test
    void changesOfLabelsThatBrokeRulesOfVeryManyPoliciesAreWrittenAsBreakingRulesOfAll() {
        configMaps.with(FIRST).with(SECOND);
        LedgerStorage storage = storage();
        read(storage);
        List<RememberedBrakes.Changed> lost = changesOfVeryManyPolicies();
        Ledger full = Ledgers.full();
        Ledger large = full.with(full.brakes().with(lost, full.brakes().backlogs()));

        assertThat(write(storage, large)).isEqualTo(new Event.LedgerWritten(5));

        RememberedBrakes written = found(read(storage())).brakes();
        assertThat(written.lost())
                .hasSize(lost.size())
                .allSatisfy(change -> assertThat(change.broke()).contains(List.of("")));
        assertThat(written.labels()).hasSize(1);
        assertThat(written.backlogs())
                .extracting(RememberedBrakes.Backlog::part)
                .containsExactly(Optional.empty());
    }

    @Test
    void beforeTheClocksAreComparedNothingIsReadOrWritten() {
        configMaps.with(FIRST).with(SECOND);
        ahead = Optional.empty();
        LedgerStorage storage = storage();

        assertThat(read(storage)).isEqualTo(new LedgerReading.Failed("the clock of the API server is not known yet"));
        assertThat(write(storage, Ledgers.full())).isEqualTo(notWritten("the clock of the API server is not known"));
    }

    private static RememberedClock clock(String pod, long seconds) {
        return new RememberedClock(
                pod,
                new RuleIdentity("0123456789abcdef"),
                PolicyId.namespaced("shop", "web"),
                "uid-of-web/3",
                Duration.ofMinutes(5),
                Duration.ofSeconds(seconds));
    }

    private static Set<Integer> writeClocks(
            LedgerStorage storage, Instant at, Map<Integer, List<RememberedClock>> changed, Set<Integer> unchanged) {
        return storage.writeClocks(new Effect.WriteClocks(new ClockWrite(1, at, changed, unchanged)))
                .failed();
    }

    private static Instant minutesBeforeNoon(int minutes) {
        return Ledgers.NOON.minusSeconds(60L * minutes);
    }

    private LedgerStorage leading() {
        IntStream.range(0, 8).forEach(number -> configMaps.with("ledger-" + number));
        LedgerStorage storage = storage();
        read(storage);
        write(storage, Ledger.empty());
        return storage;
    }

    private List<ClockShard> readClocks() {
        assertThat(read(storage())).isInstanceOf(LedgerReading.Found.class);
        return ((LedgerReading.Found) read(storage())).clocks();
    }

    /** Each instant that is read is two seconds later, because the clocks of two processes are compared to a second. */
    private static ClockShard until(Instant instant, RememberedClock... clocks) {
        return new ClockShard(List.of(clocks), instant.plusSeconds(2));
    }

    @Test
    void clocksRanUntilTheyWereWritten() {
        LedgerStorage storage = leading();

        writeClocks(storage, minutesBeforeNoon(3), Map.of(2, List.of(clock("web-1", 90))), Set.of());

        assertThat(configMaps.writes).containsExactly("ledger-0", "ledger-4");
        assertThat(readClocks()).containsExactly(until(minutesBeforeNoon(3), clock("web-1", 90)));
    }

    @Test
    void theHeartbeatExtendsClocksThatWereNotWrittenAgain() {
        LedgerStorage storage = leading();
        writeClocks(storage, minutesBeforeNoon(3), Map.of(2, List.of(clock("web-1", 90))), Set.of());

        writeClocks(storage, minutesBeforeNoon(1), Map.of(0, List.of(clock("web-2", 1))), Set.of(2));

        assertThat(configMaps.writes).containsExactly("ledger-0", "ledger-4", "ledger-2", "ledger-7");
        assertThat(readClocks())
                .containsExactly(
                        until(minutesBeforeNoon(1), clock("web-2", 1)),
                        until(minutesBeforeNoon(1), clock("web-1", 210)));
    }

    /** It is noon by the API server's clock and by that of the second process. */
    @ParameterizedTest
    @ValueSource(longs = {1, -1})
    void aProcessWhoseClockIsAnHourApartHandsItsLedgerOver(long hoursAhead) {
        Duration difference = Duration.ofHours(hoursAhead);
        ahead = Optional.of(difference);
        now = minutesBeforeNoon(4).plus(difference);
        LedgerStorage storage = leading();
        writeClocks(storage, now.plusSeconds(60), Map.of(2, List.of(clock("web-1", 90))), Set.of());
        writeClocks(storage, now.plusSeconds(180), Map.of(0, List.of(clock("web-2", 1))), Set.of(2));

        ahead = Optional.of(Duration.ZERO);
        now = Ledgers.NOON;

        assertThat(read(storage()))
                .isInstanceOfSatisfying(
                        LedgerReading.Found.class,
                        read -> assertThat(read.written())
                                .isEqualTo(minutesBeforeNoon(4).plusSeconds(2)));
        assertThat(readClocks())
                .containsExactly(
                        until(minutesBeforeNoon(1), clock("web-2", 1)),
                        until(minutesBeforeNoon(1), clock("web-1", 210)));
    }

    /** A crash between two writes: the clocks are newer than the heartbeat, which is not about them. */
    @Test
    void theHeartbeatOfAnEarlierWriteExtendsNothing() {
        LedgerStorage storage = leading();
        writeClocks(storage, minutesBeforeNoon(9), Map.of(2, List.of(clock("web-1", 90))), Set.of());
        writeClocks(storage, minutesBeforeNoon(2), Map.of(), Set.of(2));

        writeClocks(storage, minutesBeforeNoon(3), Map.of(2, List.of(clock("web-2", 5))), Set.of());

        assertThat(readClocks()).containsExactly(until(minutesBeforeNoon(3), clock("web-2", 5)));
    }

    @Test
    void aPartThatCouldNotBeWrittenIsNamedAndNotExtended() {
        LedgerStorage storage = leading();
        writeClocks(storage, minutesBeforeNoon(3), Map.of(2, List.of(clock("web-1", 90))), Set.of());
        configMaps.failure = Optional.of("etcd is full");

        Set<Integer> failed = writeClocks(storage, minutesBeforeNoon(2), Map.of(2, List.of()), Set.of());

        assertThat(failed).containsExactly(2);
        configMaps.failure = Optional.empty();
        writeClocks(storage, minutesBeforeNoon(1), Map.of(), Set.of(2));
        assertThat(readClocks()).containsExactly(until(minutesBeforeNoon(3), clock("web-1", 90)));
    }

    @Test
    void clocksOfAnEarlierLeaderAreOutdated() {
        LedgerStorage storage = leading();
        writeClocks(storage, minutesBeforeNoon(3), Map.of(2, List.of(clock("web-1", 90))), Set.of());
        LedgerStorage next = storage();
        read(next);
        write(next, Ledger.empty());

        assertThat(readClocks()).isEmpty();
    }

    @Test
    void aSpoiledPartIsLeftOutAndTheOthersCount() {
        LedgerStorage storage = leading();
        writeClocks(
                storage,
                minutesBeforeNoon(3),
                Map.of(1, List.of(clock("web-1", 90)), 2, List.of(clock("web-2", 60))),
                Set.of());
        configMaps.edit("ledger-3", new byte[] {1, 2, 3});

        assertThat(readClocks()).containsExactly(until(minutesBeforeNoon(3), clock("web-2", 60)));
    }

    @Test
    void tenThousandClocksFitIntoOnePart() {
        SplittableRandom random = new SplittableRandom(1);
        List<RememberedClock> clocks = IntStream.range(0, 10_000)
                .mapToObj(_ -> clock(new UUID(random.nextLong(), random.nextLong()).toString(), random.nextLong(300)))
                .toList();

        assertThat(writeClocks(leading(), Ledgers.NOON, Map.of(0, clocks), Set.of()))
                .isEmpty();
    }

    /** All clocks are the same, so their text is long and its compression short. */
    @Test
    void ofClocksThatNoReaderWouldReadTheFirstAreWritten() {
        List<RememberedClock> clocks = Collections.nCopies(100_000, clock("uid-of-web-1", 17));

        assertThat(writeClocks(leading(), Ledgers.NOON, Map.of(0, clocks), Set.of()))
                .isEmpty();
        assertThat(readClocks())
                .singleElement()
                .satisfies(shard -> assertThat(shard.clocks()).hasSizeBetween(10_000, 99_999));
    }
}
