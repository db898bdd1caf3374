package dev.holdfast.it.bench.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.List;
import org.junit.jupiter.api.Test;

/** How a {@link Stencil} makes objects from the bytes of one object. */
class StencilTest {
    private static String written(String object, List<String> words, List<String> others) {
        return new String(Stencil.of(object.getBytes(UTF_8), words).with(others), UTF_8);
    }

    @Test
    void everyOccurrenceOfAWordIsWrittenOver() {
        assertThat(written(
                        "\nweb-9999\u0012 on node-n, web-9999",
                        List.of("web-9999", "node-n"),
                        List.of("web-1234", "node-7")))
                .isEqualTo("\nweb-1234\u0012 on node-7, web-1234");
    }

    @Test
    void aWordInsideALongerOneStaysPartOfThat() {
        assertThat(written("uid-9999 of 9999", List.of("9999", "uid-9999"), List.of("1234", "uid-0001")))
                .isEqualTo("uid-0001 of 1234");
    }

    @Test
    void theOriginalStaysAsItWas() {
        Stencil stencil = Stencil.of("a-1".getBytes(UTF_8), List.of("a-1"));

        assertThat(stencil.with(List.of("b-2"))).asString(UTF_8).isEqualTo("b-2");
        assertThat(stencil.with(List.of("a-1"))).asString(UTF_8).isEqualTo("a-1");
    }

    @Test
    void aReplacementOfAnotherLengthIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written("web-9999", List.of("web-9999"), List.of("web-10000")))
                .withMessage("web-10000 cannot be written over web-9999: it has another length");
    }

    @Test
    void aWordThatIsNowhereIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> written("web-9999", List.of("node-n"), List.of("node-1")))
                .withMessage("node-n is nowhere in the object");
    }
}
