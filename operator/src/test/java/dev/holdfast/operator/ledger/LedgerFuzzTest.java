package dev.holdfast.operator.ledger;

import com.code_intelligence.jazzer.junit.FuzzTest;
import dev.holdfast.operator.decode.ForeignBytes;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.params.provider.MethodSource;

/** Fuzz tests of the ledger: of its compressed bytes, and of the text in them. */
class LedgerFuzzTest {
    private static final String UID = "uid-of-the-configmap";
    private static final ServerTime TIME = new ServerTime(Duration.ZERO, Ledgers.NOON);

    @MethodSource("ledgers")
    @FuzzTest
    void theBytesOfALedgerAreReadTheSameTwice(byte[] input) {
        isReadAlike(input);
    }

    @MethodSource("texts")
    @FuzzTest
    void theTextOfALedgerIsReadTheSameTwice(byte[] input) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream zip = new GZIPOutputStream(bytes)) {
            zip.write(input);
        }
        isReadAlike(bytes.toByteArray());
    }

    private static void isReadAlike(byte[] bytes) {
        ForeignBytes.isReadAlike(
                UnreadableLedgerException.class, bytes, LedgerFuzzTest::ledger, LedgerFuzzTest::ledger);
        ForeignBytes.isReadAlike(
                UnreadableLedgerException.class, bytes, LedgerFuzzTest::clocks, LedgerFuzzTest::clocks);
    }

    private static Object ledger(byte[] bytes) throws UnreadableLedgerException {
        return LedgerText.read(StoredLedger.class, bytes, UID, TIME);
    }

    private static Object clocks(byte[] bytes) throws UnreadableLedgerException {
        return LedgerText.read(StoredClocks.class, bytes, UID, TIME);
    }

    static Stream<byte[]> ledgers() {
        return Stream.of(LedgerText.write(
                        new StoredLedger(Stored.FORMAT, Stored.FORMAT, UID, 3, 17, Ledgers.NOON, Ledgers.full()), TIME)
                .orElseThrow());
    }

    static Stream<byte[]> texts() {
        return ledgers().map(LedgerTextTest::unzipped).map(text -> text.getBytes(StandardCharsets.UTF_8));
    }
}
