package dev.holdfast.operator.cli.options;

import dev.holdfast.operator.offline.print.Colors;
import dev.holdfast.operator.offline.print.Terminal;
import java.util.List;
import picocli.CommandLine.Option;

/** The option that says whether text for people has colors. */
public final class ColorOption {
    private enum When {
        AUTO,
        ALWAYS,
        NEVER
    }

    @Option(
            names = "--color",
            paramLabel = "WHEN",
            description = "Whether text has colors: auto (on a terminal, unless NO_COLOR is set), always or never."
                    + " Documents for programs have none. Default: auto.")
    private When when = When.AUTO;

    /** {@return text for people, with colors if the user wants them} */
    public List<String> paint(List<String> lines, Terminal terminal) {
        boolean painted = switch (when) {
            case AUTO -> terminal.showsColors();
            case ALWAYS -> true;
            case NEVER -> false;
        };
        return painted ? Colors.paint(lines) : lines;
    }
}
