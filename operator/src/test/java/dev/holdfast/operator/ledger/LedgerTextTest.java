package dev.holdfast.operator.ledger;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.holdfast.policies.engine.protocol.ledger.Ledger;
import dev.holdfast.policies.engine.protocol.ledger.RememberedClock;
import dev.holdfast.policies.rule.PolicyId;
import dev.holdfast.policies.rule.RuleIdentity;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class LedgerTextTest {
    private static final String UID = "uid-of-the-configmap";

    /** The writer's clock agrees with the API server's, and so does the reader's. */
    private static final ServerTime EXACT = new ServerTime(Duration.ZERO, Ledgers.NOON);

    /** Two seconds are added to each instant that is read, because the clocks are compared to a second. */
    private static final ServerTime TWO_SECONDS_BEHIND = new ServerTime(Duration.ofSeconds(-2), Ledgers.NOON);

    private static final ObjectMapper JSON = new ObjectMapper();

    private static StoredLedger stored(Ledger ledger) {
        return new StoredLedger(Stored.FORMAT, Stored.FORMAT, UID, 3, 17, Ledgers.NOON, ledger);
    }

    private static byte[] text() {
        return LedgerText.write(stored(Ledgers.full()), EXACT).orElseThrow();
    }

    static String unzipped(byte[] bytes) {
        try (GZIPInputStream text = new GZIPInputStream(new ByteArrayInputStream(bytes))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static byte[] zipped(String text) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return bytes.toByteArray();
    }

    @Test
    void whatIsReadIsWhatWasWrittenAndTwoSecondsLater() throws Exception {
        StoredLedger read = LedgerText.read(StoredLedger.class, text(), UID, TWO_SECONDS_BEHIND);

        assertThat(read).isEqualTo(stored(Ledgers.full()));
    }

    /**
     * The example must stay readable for as long as its format is supported. A renamed component of a record changes
     * what is written, and so needs a new format.
     */
    @Test
    void theFormatIsThatOfTheStoredExample() throws Exception {
        String example = example("/ledger/format-1.json");

        assertThat(JSON.readTree(unzipped(text()))).isEqualTo(JSON.readTree(example));
        assertThat(LedgerText.read(StoredLedger.class, zipped(example), UID, TWO_SECONDS_BEHIND))
                .isEqualTo(stored(Ledgers.full()));
    }

    @Test
    void aTextWithoutTheFieldsThatWereAddedLaterIsRead() throws Exception {
        String earlier = example("/ledger/format-1-without-nodes.json");

        assertThat(LedgerText.read(StoredLedger.class, zipped(earlier), UID, TWO_SECONDS_BEHIND))
                .isEqualTo(stored(Ledgers.withoutNodes()));
    }

    private static String example(String name) throws IOException {
        try (InputStream file = Objects.requireNonNull(LedgerTextTest.class.getResourceAsStream(name))) {
            return new String(file.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static StoredClocks clocks() {
        RememberedClock clock = new RememberedClock(
                "uid-of-web-1",
                new RuleIdentity("0123456789abcdef"),
                PolicyId.namespaced("shop", "web"),
                "uid-of-web/3/5f",
                Duration.ofMinutes(5),
                Duration.ofMillis(90_250));
        return new StoredClocks(1, 1, UID, 3, 17, 1_700_000_000_000L, List.of(clock));
    }

    @Test
    void theFormatOfClocksIsThis() throws Exception {
        StoredClocks clocks = clocks();
        String text = "{\"format\":1,\"readableFrom\":1,\"uid\":\"uid-of-the-configmap\",\"term\":3,\"write\":17,"
                + "\"atMillis\":1700000000000,\"clocks\":[{\"podUid\":\"uid-of-web-1\",\"rule\":\"0123456789abcdef\","
                + "\"policy\":{\"namespace\":\"shop\",\"name\":\"web\"},\"version\":\"uid-of-web/3/5f\","
                + "\"forgiveness\":\"PT5M\",\"observed\":\"PT1M30.25S\"}]}";

        assertThat(unzipped(LedgerText.write(clocks, EXACT).orElseThrow())).isEqualTo(text);
        assertThat(LedgerText.read(StoredClocks.class, zipped(text), UID, EXACT))
                .isEqualTo(clocks);
    }

    @Test
    void theFormatOfTheHeartbeatIsThis() throws Exception {
        StoredHeartbeat heartbeat = new StoredHeartbeat(
                1,
                1,
                UID,
                3,
                1_700_000_000_000L,
                List.of(new StoredHeartbeat.Beat(17, Duration.ofSeconds(10)), StoredHeartbeat.Beat.NONE));
        String text = "{\"format\":1,\"readableFrom\":1,\"uid\":\"uid-of-the-configmap\",\"term\":3,"
                + "\"atMillis\":1700000000000,\"parts\":[{\"write\":17,\"more\":\"PT10S\"},"
                + "{\"write\":0,\"more\":\"PT0S\"}]}";

        assertThat(unzipped(LedgerText.write(heartbeat, EXACT).orElseThrow())).isEqualTo(text);
        assertThat(LedgerText.read(StoredHeartbeat.class, zipped(text), UID, EXACT))
                .isEqualTo(heartbeat);
    }

    static Stream<Arguments> unreadableClocks() {
        return Stream.of(
                argumentSet("no time", "\"atMillis\":1700000000000,", ""),
                argumentSet("a negative duration", "PT1M30.25S", "PT-1S"),
                argumentSet("a thousand years", "PT1M30.25S", "PT8766000H"),
                argumentSet("no pod", "\"podUid\":\"uid-of-web-1\",", ""));
    }

    @ParameterizedTest
    @MethodSource("unreadableClocks")
    void clocksThatCannotBeReadAreRefused(String from, String to) {
        String text = unzipped(LedgerText.write(clocks(), EXACT).orElseThrow());
        assertThat(text).contains(from);

        assertThatThrownBy(() -> LedgerText.read(StoredClocks.class, zipped(text.replace(from, to)), UID, EXACT))
                .isInstanceOf(UnreadableLedgerException.class)
                .hasMessageStartingWith("it is damaged (");
    }

    /** Its compressed text is short, as all clocks are the same. */
    @Test
    void aTextThatNoReaderReadsIsNotWritten() {
        List<RememberedClock> many =
                Collections.nCopies(100_000, clocks().clocks().getFirst());

        assertThat(LedgerText.write(new StoredClocks(1, 1, UID, 3, 17, 1_700_000_000_000L, many), EXACT))
                .isEmpty();
    }

    @Test
    void aFieldThatALaterVersionAddedIsIgnored() throws Exception {
        byte[] later = zipped(unzipped(text()).replaceFirst("\\{", "{\"clocks\":[1,2],"));

        assertThat(LedgerText.read(StoredLedger.class, later, UID, EXACT).term())
                .isEqualTo(3);
    }

    @Test
    void theClocksOfTheTwoProcessesMayBeHoursApart() throws Exception {
        byte[] writtenAhead = LedgerText.write(
                        stored(Ledger.empty()), new ServerTime(Duration.ofHours(3), Ledgers.NOON))
                .orElseThrow();

        StoredLedger read = LedgerText.read(
                StoredLedger.class,
                writtenAhead,
                UID,
                new ServerTime(Duration.ofHours(-1), Ledgers.NOON.minus(Duration.ofHours(4))));

        assertThat(read.written()).isEqualTo(Ledgers.NOON.minus(Duration.ofHours(4)));
    }

    @Test
    void anInstantOfTheFutureIsNow() throws Exception {
        byte[] future = LedgerText.write(
                        new StoredLedger(1, 1, UID, 1, 1, Ledgers.NOON.plusSeconds(1_000_000_000), Ledger.empty()),
                        EXACT)
                .orElseThrow();

        assertThat(LedgerText.read(StoredLedger.class, future, UID, EXACT).written())
                .isEqualTo(Ledgers.NOON);
    }

    static Stream<Arguments> unreadable() {
        return Stream.of(
                bad("no bytes", _ -> new byte[0], "it is damaged (EOFException)"),
                bad("garbage", _ -> "garbage".getBytes(StandardCharsets.UTF_8), "it is damaged (ZipException)"),
                bad("the first half", it -> Arrays.copyOf(it, it.length / 2), "it is damaged (EOFException)"),
                bad("one bit flipped", LedgerTextTest::flipped, "it is damaged (ZipException)"),
                edited("a number for a text", "\"name\":\"web-3\"", "\"name\":{}"),
                edited("no list of moves", "\"moves\":[{\"id\"", "\"moved\":[{\"id\""),
                edited("a move without its violation", "\"violation\":{", "\"violated\":{"),
                edited("a move without a key", "\"key\":{\"podUid\":\"uid-of-web-3\"", "\"kex\":{\"podUid\":\"\""),
                edited("a policy without a name", "\"policy\":{\"name\":\"all\"}", "\"policy\":{}"),
                edited("an instant that is null", "\"begun\":\"2026-11-20T11:58:00Z\"", "\"begun\":null"),
                edited("an unknown kind of scope", "\"kind\":\"alone\"", "\"kind\":\"all\""),
                edited("an instant that is none", "2026-11-20T11:50:00Z", "yesterday"),
                edited("an instant before all others", "2026-11-20T11:50:00Z", "-1000000000-01-01T00:00:00Z"),
                bad(
                        "a later format",
                        it -> zipped(unzipped(it).replace("\"readableFrom\":1", "\"readableFrom\":2")),
                        "a later version wrote it, in a format that this one cannot read (2)"),
                bad(
                        "a copy from another cluster",
                        it -> zipped(unzipped(it).replace(UID, "uid-of-another")),
                        "it was copied from another object"),
                bad(
                        "9 MiB of spaces in a few bytes",
                        it -> zipped(" ".repeat(9 << 20) + unzipped(it)),
                        "it is damaged (IOException)"));
    }

    private static byte[] flipped(byte[] bytes) {
        byte[] flipped = bytes.clone();
        flipped[flipped.length - 6] ^= 1;
        return flipped;
    }

    private static Arguments bad(String name, UnaryOperator<byte[]> edit, String why) {
        return argumentSet(name, edit, why);
    }

    private static Arguments edited(String name, String from, String to) {
        UnaryOperator<byte[]> edit = it -> {
            String text = unzipped(it);
            assertThat(text).contains(from);
            return zipped(text.replace(from, to));
        };
        return argumentSet(name, edit, "it is damaged (");
    }

    @ParameterizedTest
    @MethodSource("unreadable")
    void whatCannotBeReadIsRefusedAndNamed(UnaryOperator<byte[]> edit, String why) {
        byte[] bad = edit.apply(text());

        assertThatThrownBy(() -> LedgerText.read(StoredLedger.class, bad, UID, EXACT))
                .isInstanceOf(UnreadableLedgerException.class)
                .hasMessageStartingWith(why);
    }
}
