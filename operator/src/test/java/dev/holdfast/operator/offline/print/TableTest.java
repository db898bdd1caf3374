package dev.holdfast.operator.offline.print;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.argumentSet;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tables that are wider than the terminal. */
class TableTest {
    private static Table pods() {
        Table table = new Table("POD", "RULE", "BREACH");
        table.row("web-1", "ssd", "node has disk=hdd, and the rule requires disk In [ssd]");
        table.row("db-1", "spread", "skew is 2");
        return table;
    }

    /** Two columns of sentences: 35 and 51 characters. */
    private static Table rules() {
        Table table = new Table("RULE", "REQUIRES", "BECAUSE");
        table.row("ssd", "disk In [ssd, nvme], zone In [a, b]", "the node has disk=hdd, and zone=c, and is no spare");
        table.row("spread", "maxSkew 1", "");
        return table;
    }

    /** No cause of the first rule, and neither of the last. */
    private static Table caused() {
        Table table = new Table("RULE", "BECAUSE", "HEALS");
        table.row("ssd", "", "the node gets the label disk");
        table.row("zone", "node-1 has no label of that key", "");
        table.row("spread", "", "");
        return table;
    }

    /** Two pods on one node. */
    private static Table cut(String one, String other) {
        Table table = new Table(List.of("POD", "NODE"), Set.of("POD"));
        table.row(one, "node-1");
        table.row(other, "node-1");
        return table;
    }

    private static Table waiting() {
        Table table = new Table("POD", "WHY");
        table.row("checkout-78-xk2p", "no node has enough memory");
        return table;
    }

    private static Table list() {
        Table table = new Table("POD", "POLICIES");
        table.row("web-1", "PlacementPolicy/shop/one,PlacementPolicy/shop/two");
        return table;
    }

    private static Table emoji() {
        Table table = new Table("TEST", "RESULT");
        table.row("\uD83D\uDE00\uD83D\uDE00", "Passed");
        return table;
    }

    private static Table indented() {
        Table table = new Table("POD", "WHY");
        table.row("web-1", "  taintedbythenodecontrol and so on");
        return table;
    }

    /** A pod with a long name, and one with a short name. */
    private static Table named(int characters) {
        Table table = new Table("POD", "NODE", "RULE");
        table.row("p".repeat(characters), "node-1", "ssd");
        table.row("web-1", "node-2", "ssd");
        return table;
    }

    private static Table explained(int characters) {
        Table table = new Table("POD", "NODE", "RULE", "WHY");
        table.row("p".repeat(characters), "node-1", "ssd", "no node has enough memory");
        table.row("web-1", "node-2", "ssd", "no node has enough memory");
        return table;
    }

    static Stream<Arguments> rows() {
        return Stream.of(
                argumentSet(
                        "without a limit each row is one line",
                        pods(),
                        LineWidth.UNLIMITED,
                        List.of(
                                "POD     RULE     BREACH",
                                "web-1   ssd      node has disk=hdd, and the rule requires disk In [ssd]",
                                "db-1    spread   skew is 2")),
                argumentSet(
                        "a table of 71 characters fits into 71",
                        pods(),
                        new LineWidth(71),
                        List.of(
                                "POD     RULE     BREACH",
                                "web-1   ssd      node has disk=hdd, and the rule requires disk In [ssd]",
                                "db-1    spread   skew is 2")),
                argumentSet(
                        "in 70 characters the longest sentence goes on in the next line of its column",
                        pods(),
                        new LineWidth(70),
                        List.of(
                                "POD     RULE     BREACH",
                                "web-1   ssd      node has disk=hdd, and the rule requires disk In",
                                "                 [ssd]",
                                "db-1    spread   skew is 2")),
                argumentSet(
                        "a sentence takes as many lines as it needs",
                        pods(),
                        new LineWidth(40),
                        List.of(
                                "POD     RULE     BREACH",
                                "web-1   ssd      node has disk=hdd, and",
                                "                 the rule requires disk",
                                "                 In [ssd]",
                                "db-1    spread   skew is 2")),
                argumentSet(
                        "of two columns the wider one becomes narrower first: [35, 51] in 82 characters is [35, 35]",
                        rules(),
                        new LineWidth(82),
                        List.of(
                                "RULE     REQUIRES                              BECAUSE",
                                "ssd      disk In [ssd, nvme], zone In [a, b]   the node has disk=hdd, and zone=c,",
                                "                                               and is no spare",
                                "spread   maxSkew 1")),
                argumentSet(
                        "then both become narrower",
                        rules(),
                        new LineWidth(60),
                        List.of(
                                "RULE     REQUIRES                   BECAUSE",
                                "ssd      disk In [ssd, nvme],       the node has disk=hdd,",
                                "         zone In [a, b]             and zone=c, and is no",
                                "                                    spare",
                                "spread   maxSkew 1")),
                argumentSet(
                        "a column of sentences is 20 characters wide or wider: in 39 characters",
                        waiting(),
                        new LineWidth(39),
                        List.of(
                                "POD                WHY",
                                "checkout-78-xk2p   no node has enough",
                                "                   memory")),
                argumentSet(
                        "in 38 characters the sentences stand below their rows",
                        waiting(),
                        new LineWidth(38),
                        List.of("POD", "  WHY", "checkout-78-xk2p", "  no node has enough memory")),
                argumentSet(
                        "below their rows too, long sentences go on in the next line, and an empty last one is left"
                                + " out",
                        rules(),
                        new LineWidth(30),
                        List.of(
                                "RULE",
                                "  REQUIRES",
                                "  BECAUSE",
                                "ssd",
                                "  disk In [ssd, nvme], zone In",
                                "    [a, b]",
                                "  the node has disk=hdd, and",
                                "    zone=c, and is no spare",
                                "spread",
                                "  maxSkew 1")),
                argumentSet(
                        "an empty sentence before another one is a hyphen",
                        caused(),
                        new LineWidth(30),
                        List.of(
                                "RULE",
                                "  BECAUSE",
                                "  HEALS",
                                "ssd",
                                "  -",
                                "  the node gets the label disk",
                                "zone",
                                "  node-1 has no label of that",
                                "    key",
                                "spread")),
                argumentSet(
                        "a list without spaces stays whole",
                        list(),
                        new LineWidth(30),
                        List.of("POD     POLICIES", "web-1   PlacementPolicy/shop/one,PlacementPolicy/shop/two")),
                argumentSet(
                        "in a table that is too wide, a name of 61 characters does not widen the other rows",
                        named(61),
                        new LineWidth(70),
                        List.of("POD     NODE     RULE", "p".repeat(61) + "   node-1   ssd", "web-1   node-2   ssd")),
                argumentSet(
                        "a name of 60 characters does",
                        named(60),
                        new LineWidth(70),
                        List.of(
                                "POD" + " ".repeat(60) + "NODE     RULE",
                                "p".repeat(60) + "   node-1   ssd",
                                "web-1" + " ".repeat(58) + "node-2   ssd")),
                argumentSet(
                        "where the names fit, one of 61 characters does too: 61 + 3 + 6 + 3 + 4 is 77",
                        explained(61),
                        new LineWidth(77),
                        List.of(
                                "POD" + " ".repeat(61) + "NODE     RULE",
                                "  WHY",
                                "p".repeat(61) + "   node-1   ssd",
                                "  no node has enough memory",
                                "web-1" + " ".repeat(59) + "node-2   ssd",
                                "  no node has enough memory")),
                argumentSet(
                        "a name of 43 characters is cut as far as it must be: 31 + 3 + 6 is 40",
                        cut("checkout-service-deployment-7d9f8b6c5-x2x9z", "web-1"),
                        new LineWidth(40),
                        List.of(
                                "POD                               NODE",
                                "checkout-servi...d9f8b6c5-x2x9z   node-1",
                                "web-1                             node-1")),
                argumentSet(
                        "names that fit are whole",
                        cut("checkout-service-deployment-7d9f8b6c5-x2x9z", "web-1"),
                        new LineWidth(52),
                        List.of(
                                "POD                                           NODE",
                                "checkout-service-deployment-7d9f8b6c5-x2x9z   node-1",
                                "web-1                                         node-1")),
                argumentSet(
                        "no name is cut to fewer than 20 characters",
                        cut("checkout-service-deployment-7d9f8b6c5-x2x9z", "web-1"),
                        new LineWidth(20),
                        List.of(
                                "POD                    NODE",
                                "checkout...6c5-x2x9z   node-1",
                                "web-1                  node-1")),
                argumentSet(
                        "names that differ only in the middle keep it",
                        cut("shop-worker-of-zone-a-in-region-north", "shop-worker-of-zone-b-in-region-north"),
                        new LineWidth(34),
                        List.of(
                                "POD                                    NODE",
                                "shop-worker-of-z...a-in-region-north   node-1",
                                "shop-worker-of-z...b-in-region-north   node-1")),
                argumentSet(
                        "a character outside the basic plane counts as one",
                        emoji(),
                        LineWidth.UNLIMITED,
                        List.of("TEST   RESULT", "\uD83D\uDE00\uD83D\uDE00     Passed")),
                argumentSet(
                        "a text that begins with spaces keeps them before its first word",
                        indented(),
                        new LineWidth(31),
                        List.of("POD     WHY", "web-1     taintedbythenodecontrol", "        and so on")));
    }

    @Test
    void withoutItsHeaderATableIsAsWideAsWithIt() {
        assertThat(pods().linesWithoutHeader(new LineWidth(70)))
                .isEqualTo(pods().lines(new LineWidth(70)).stream().skip(1).toList());
        assertThat(waiting().linesWithoutHeader(new LineWidth(38)))
                .containsExactly("checkout-78-xk2p", "  no node has enough memory");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void linesAreAsLongAsTheyMayBe(Table table, LineWidth width, List<String> lines) {
        assertThat(table.lines(width)).isEqualTo(lines);
    }
}
