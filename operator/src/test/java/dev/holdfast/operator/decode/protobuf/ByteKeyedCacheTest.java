package dev.holdfast.operator.decode.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ByteKeyedCacheTest {
    private final List<String> made = new ArrayList<>();

    @Test
    void whatWasMadeOnceIsGivenOutAgain() throws MalformedException {
        ByteKeyedCache<String> byteKeyedCache = remembered(1024, 1 << 20);

        String one = of(byteKeyedCache, "app=web");
        String again = of(byteKeyedCache, "app=web");
        String other = of(byteKeyedCache, "app=api");

        assertThat(again).isSameAs(one).isEqualTo("app=web");
        assertThat(other).isEqualTo("app=api");
        assertThat(made).containsExactly("app=web", "app=api");
    }

    @Test
    void manyInFewPlacesAreNeverTakenForOneAnother() throws MalformedException {
        ByteKeyedCache<String> byteKeyedCache = remembered(2, 1 << 20);

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1000; i++) {
                String text = "k".repeat(i % 20) + i;
                assertThat(of(byteKeyedCache, text)).isEqualTo(text);
            }
        }
    }

    @Test
    void ofTwoWithOneSlotOneStandsBesideTheOther() throws MalformedException {
        for (int i = 0; i < 20; i++) {
            ByteKeyedCache<String> byteKeyedCache = remembered(2, 1 << 20);
            made.clear();

            for (int round = 0; round < 2; round++) {
                of(byteKeyedCache, "one");
                of(byteKeyedCache, "other-" + i);
            }

            assertThat(made).containsExactly("one", "other-" + i);
        }
    }

    @Test
    void whatIsInTheWayLeavesWhenAnotherIsAskedForTwiceInARow() throws MalformedException {
        ByteKeyedCache<String> byteKeyedCache = remembered(1, 1 << 20);
        of(byteKeyedCache, "often");

        of(byteKeyedCache, "once");
        of(byteKeyedCache, "often");
        of(byteKeyedCache, "another");
        of(byteKeyedCache, "often");
        assertThat(made).containsExactly("often", "once", "another");

        of(byteKeyedCache, "new");
        of(byteKeyedCache, "new");
        of(byteKeyedCache, "new");
        of(byteKeyedCache, "often");
        assertThat(made).containsExactly("often", "once", "another", "new", "new", "often");
    }

    @Test
    void whenItHasNoMoreRoomItForgetsAll() throws MalformedException {
        ByteKeyedCache<String> byteKeyedCache = remembered(1 << 16, 640);
        for (int i = 100; i < 164; i++) {
            of(byteKeyedCache, "entry-" + i + "-");
        }
        made.clear();

        of(byteKeyedCache, "one more--");
        of(byteKeyedCache, "entry-100-");
        of(byteKeyedCache, "one more--");

        assertThat(made).containsExactly("one more--", "entry-100-");
    }

    @Test
    void whatWouldTakeTooMuchRoomIsNotRemembered() throws MalformedException {
        ByteKeyedCache<String> byteKeyedCache = remembered(1024, 640);

        of(byteKeyedCache, "0123456789");
        of(byteKeyedCache, "0123456789");
        of(byteKeyedCache, "0123456789a");
        of(byteKeyedCache, "0123456789a");

        assertThat(made).containsExactly("0123456789", "0123456789a", "0123456789a");
    }

    @Test
    void whatCannotBeReadIsNotRemembered() throws MalformedException {
        ByteKeyedCache<String> byteKeyedCache = new ByteKeyedCache<>(4, 1 << 20, bytes -> {
            throw new MalformedException(bytes.offset(), "no");
        });

        for (int round = 0; round < 2; round++) {
            assertThatExceptionOfType(MalformedException.class)
                    .isThrownBy(() -> of(byteKeyedCache, "x"))
                    .withMessage("byte 7: no");
        }
    }

    @Test
    void theLengthIsPartOfWhatIsCompared() throws MalformedException {
        ByteKeyedCache<String> byteKeyedCache = remembered(1, 1 << 20);

        assertThat(of(byteKeyedCache, "\0")).isEqualTo("\0");
        assertThat(of(byteKeyedCache, "\0\0")).isEqualTo("\0\0");
        assertThat(of(byteKeyedCache, "")).isEmpty();
    }

    private ByteKeyedCache<String> remembered(int slots, int budget) {
        return new ByteKeyedCache<>(slots, budget, bytes -> {
            made.add(bytes.text());
            return bytes.text();
        });
    }

    private static String of(ByteKeyedCache<String> byteKeyedCache, String text) throws MalformedException {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        return byteKeyedCache.of(bytes, 1, bytes.length - 1, 7);
    }
}
