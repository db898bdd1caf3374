package dev.holdfast.operator.decode.protobuf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RememberedTest {
    private final List<String> made = new ArrayList<>();

    @Test
    void whatWasMadeOnceIsGivenOutAgain() throws MalformedException {
        Remembered<String> remembered = remembered(1024, 1 << 20);

        String one = of(remembered, "app=web");
        String again = of(remembered, "app=web");
        String other = of(remembered, "app=api");

        assertThat(again).isSameAs(one).isEqualTo("app=web");
        assertThat(other).isEqualTo("app=api");
        assertThat(made).containsExactly("app=web", "app=api");
    }

    @Test
    void manyInFewPlacesAreNeverTakenForOneAnother() throws MalformedException {
        Remembered<String> remembered = remembered(2, 1 << 20);

        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 1000; i++) {
                String text = "k".repeat(i % 20) + i;
                assertThat(of(remembered, text)).isEqualTo(text);
            }
        }
    }

    @Test
    void ofTwoWithOneSlotOneStandsBesideTheOther() throws MalformedException {
        for (int i = 0; i < 20; i++) {
            Remembered<String> remembered = remembered(2, 1 << 20);
            made.clear();

            for (int round = 0; round < 2; round++) {
                of(remembered, "one");
                of(remembered, "other-" + i);
            }

            assertThat(made).containsExactly("one", "other-" + i);
        }
    }

    @Test
    void whatIsInTheWayLeavesWhenAnotherIsAskedForTwiceInARow() throws MalformedException {
        Remembered<String> remembered = remembered(1, 1 << 20);
        of(remembered, "often");

        of(remembered, "once");
        of(remembered, "often");
        of(remembered, "another");
        of(remembered, "often");
        assertThat(made).containsExactly("often", "once", "another");

        of(remembered, "new");
        of(remembered, "new");
        of(remembered, "new");
        of(remembered, "often");
        assertThat(made).containsExactly("often", "once", "another", "new", "new", "often");
    }

    @Test
    void whenItHasNoMoreRoomItForgetsAll() throws MalformedException {
        Remembered<String> remembered = remembered(1 << 16, 640);
        for (int i = 100; i < 164; i++) {
            of(remembered, "entry-" + i + "-");
        }
        made.clear();

        of(remembered, "one more--");
        of(remembered, "entry-100-");
        of(remembered, "one more--");

        assertThat(made).containsExactly("one more--", "entry-100-");
    }

    @Test
    void whatWouldTakeTooMuchRoomIsNotRemembered() throws MalformedException {
        Remembered<String> remembered = remembered(1024, 640);

        of(remembered, "0123456789");
        of(remembered, "0123456789");
        of(remembered, "0123456789a");
        of(remembered, "0123456789a");

        assertThat(made).containsExactly("0123456789", "0123456789a", "0123456789a");
    }

    @Test
    void whatCannotBeReadIsNotRemembered() throws MalformedException {
        Remembered<String> remembered = new Remembered<>(4, 1 << 20, bytes -> {
            throw new MalformedException(bytes.offset(), "no");
        });

        for (int round = 0; round < 2; round++) {
            assertThatExceptionOfType(MalformedException.class)
                    .isThrownBy(() -> of(remembered, "x"))
                    .withMessage("byte 7: no");
        }
    }

    @Test
    void theLengthIsPartOfWhatIsCompared() throws MalformedException {
        Remembered<String> remembered = remembered(1, 1 << 20);

        assertThat(of(remembered, "\0")).isEqualTo("\0");
        assertThat(of(remembered, "\0\0")).isEqualTo("\0\0");
        assertThat(of(remembered, "")).isEmpty();
    }

    private Remembered<String> remembered(int slots, int budget) {
        return new Remembered<>(slots, budget, bytes -> {
            made.add(bytes.text());
            return bytes.text();
        });
    }

    private static String of(Remembered<String> remembered, String text) throws MalformedException {
        byte[] bytes = ("<" + text + ">").getBytes(StandardCharsets.UTF_8);
        return remembered.of(bytes, 1, bytes.length - 1, 7);
    }
}
