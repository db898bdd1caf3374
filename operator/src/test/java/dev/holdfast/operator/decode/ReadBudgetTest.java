package dev.holdfast.operator.decode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import dev.holdfast.operator.decode.meta.LabelBlock;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Compares what 2,000 objects of one kind can take with a share of the heap that the chart gives the operator. Each
 * object is as large as Holdfast still reads, and shares no text with another one. {@link HostileHeapTest} measures
 * pods and nodes.
 */
class ReadBudgetTest {
    private static final int OBJECTS = 2_000;

    /** 56 % of 448 MiB. */
    private static final long HEAP = 448L * 1024 * 1024 * 56 / 100;

    /** An upper bound of what a String takes without its characters, with the reference to it. */
    private static final int STRING = 48;

    /** A label or part that is kept as it was decoded. */
    private static final int PART = STRING + 24;

    /** Name, namespace, UID, controller and the object itself. */
    private static final int IDENTITY = 2_048;

    private static int labels(int most, int each) {
        return most * (each + LabelBlock.CHARACTERS);
    }

    static Stream<Arguments> kinds() {
        return Stream.of(
                argumentSet("namespaces", labels(NamespaceDecoder.MOST_LABELS, 2 * STRING), 20),
                argumentSet(
                        "disruption budgets",
                        BudgetDecoder.MOST_PARTS * 2 * PART + 2 * BudgetDecoder.MOST_CHARACTERS,
                        25),
                argumentSet(
                        "quotas", QuotaDecoder.MOST_LIMITS * (PART + 2 * 48) + 2 * QuotaDecoder.MOST_CHARACTERS, 28),
                argumentSet(
                        "LimitRanges",
                        LimitRangeDecoder.MOST_AMOUNTS * (PART + 2 * 48) + 2 * LimitRangeDecoder.MOST_CHARACTERS,
                        15),
                argumentSet("CSINodes", CsiNodeDecoder.MOST_DRIVERS * (PART + 48 + 63), 12));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void twoThousandObjectsTakeAtMostAShareOfTheHeap(int bytes, int percent) {
        long taken = (long) OBJECTS * (bytes + IDENTITY);

        assertThat(100.0 * taken / HEAP).isLessThan(percent);
    }
}
