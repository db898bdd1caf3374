package dev.holdfast.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.MalformedException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class GunzipTest {
    private static final byte[] FIRST = "the first member".getBytes(StandardCharsets.UTF_8);
    private static final byte[] SECOND = "the second".getBytes(StandardCharsets.UTF_8);

    static byte[] gzip(byte[] plain) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return bytes.toByteArray();
    }

    private static byte[] joined(byte[]... parts) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Stream.of(parts).forEach(all::writeBytes);
        return all.toByteArray();
    }

    private static byte[] flipped(byte[] bytes, int place) {
        byte[] other = bytes.clone();
        other[place] ^= 0x40;
        return other;
    }

    /** Each part comes by itself, and nobody knows what is left. */
    private static Gunzip of(byte[] body, int part) {
        ByteArrayInputStream bytes = new ByteArrayInputStream(body);
        return new Gunzip(new Answer() {
            @Override
            public int read() {
                return bytes.read();
            }

            @Override
            public int read(byte[] into, int from, int length) {
                return bytes.read(into, from, Math.min(part, length));
            }

            @Override
            void within(Duration limit) {
                bytes.reset();
            }

            @Override
            void end() {
                bytes.reset();
            }

            @Override
            public void close() {
                bytes.reset();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 3, 20, 100_000})
    void membersAreReadOneAfterTheOther(int part) throws IOException {
        byte[] body = joined(gzip(FIRST), gzip(new byte[0]), gzip(SECOND));

        assertThat(of(body, part).readAllBytes()).isEqualTo(joined(FIRST, SECOND));
    }

    @Test
    void longOnesToo() throws IOException {
        byte[] plain = new byte[3 << 20];
        new Random(1).nextBytes(plain);

        assertThat(of(joined(gzip(plain), gzip(plain)), 4096).readAllBytes()).isEqualTo(joined(plain, plain));
    }

    @Test
    void whatElseMayStandInTheHeadIsPassedOver() throws IOException {
        byte[] plain = gzip(FIRST);
        byte[] flags = plain.clone();
        flags[3] = 2 | 4 | 8 | 16;
        byte[] more = {2, 0, 'x', 'y', 'n', 'a', 0, 'c', 0, 1, 2};
        byte[] body = joined(Arrays.copyOf(flags, 10), more, Arrays.copyOfRange(plain, 10, plain.length));

        assertThat(of(body, 7).readAllBytes()).isEqualTo(FIRST);
    }

    static Stream<Arguments> damaged() {
        byte[] whole = gzip(FIRST);
        int length = whole.length;
        return Stream.of(
                argumentSet("in the head", Arrays.copyOf(whole, 5), 5, "ends here, too early"),
                argumentSet("in the middle", Arrays.copyOf(whole, 15), 15, "ends here, too early"),
                argumentSet("in the checksum", Arrays.copyOf(whole, length - 6), length - 6, "ends here, too early"),
                argumentSet("in the length", Arrays.copyOf(whole, length - 1), length - 1, "ends here, too early"),
                argumentSet(
                        "in the second member",
                        Arrays.copyOf(joined(whole, whole), length + 12),
                        length + 12,
                        "ends here, too early"),
                argumentSet(
                        "garbage behind", joined(whole, new byte[] {'x'}), length + 1, "is not compressed with gzip"),
                argumentSet("zeros behind", joined(whole, new byte[9]), length + 1, "is not compressed with gzip"),
                argumentSet("no gzip at all", SECOND, 1, "is not compressed with gzip"),
                argumentSet("another checksum", flipped(whole, length - 8), length - 4, "its checksum is another"),
                argumentSet("another length", flipped(whole, length - 4), length, "its checksum is another"));
    }

    @ParameterizedTest
    @MethodSource("damaged")
    void whatIsCutOrDamagedIsAnErrorWithItsPlace(byte[] body, int place, String what) {
        for (int part : new int[] {1, 100_000}) {
            assertThatExceptionOfType(MalformedException.class)
                    .isThrownBy(() -> of(body, part).readAllBytes())
                    .withMessageStartingWith("byte " + place + ": ")
                    .withMessageEndingWith(what);
        }
    }

    @Test
    void whatIsNoDeflateIsAnError() {
        byte[] body = joined(Arrays.copyOf(gzip(FIRST), 10), new byte[] {-1, -1, -1, -1, -1});

        assertThatExceptionOfType(MalformedException.class)
                .isThrownBy(() -> of(body, 100).readAllBytes())
                .withMessageContaining("the compressed body is damaged before here: ");
    }
}
