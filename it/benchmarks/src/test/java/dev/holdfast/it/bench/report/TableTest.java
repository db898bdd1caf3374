package dev.holdfast.it.bench.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

/** The layout of a text {@link Table}. */
class TableTest {
    @Test
    void columnsAreAsWideAsTheirWidestCell() {
        Table table =
                new Table().row("", "Holdfast", "peer").row("start", "2", "-").row("resident memory", "145", "88");

        assertThat(table.text()).isEqualTo("""
                             Holdfast  peer
            start            2         -
            resident memory  145       88\
            """);
    }

    @Test
    void aRowOfAnotherLengthIsRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Table().row("a", "b").row("c"))
                .withMessage("a row of 1 cells in a table of 2");
    }
}
