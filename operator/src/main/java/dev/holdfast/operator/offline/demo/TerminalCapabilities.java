package dev.holdfast.operator.offline.demo;

import java.util.Map;

/**
 * What the terminal that shows the output can do. Both components are {@code false} if the output goes to a file or a
 * pipe.
 *
 * @param live whether a carriage return goes back to the start of the line, to overwrite it
 * @param colours whether the terminal shows ANSI colours
 */
public record TerminalCapabilities(boolean live, boolean colours) {
    /** No terminal: the output goes to a file or a pipe. */
    public static final TerminalCapabilities NONE = new TerminalCapabilities(false, false);

    private static final String ESCAPE = "\u001b[";
    private static final String RESET = ESCAPE + "0m";

    /**
     * {@return the capabilities according to the environment} {@code TERM=dumb} switches all of them off. {@code
     * NO_COLOR} with a nonempty value switches colours off (see <a href="https://no-color.org">no-color.org</a>).
     *
     * @param terminal whether the output is shown on a terminal at all
     * @param environment the environment variables, by name
     */
    public static TerminalCapabilities of(boolean terminal, Map<String, String> environment) {
        boolean live = terminal && !environment.getOrDefault("TERM", "").equals("dumb");
        return new TerminalCapabilities(
                live, live && environment.getOrDefault("NO_COLOR", "").isEmpty());
    }

    String bold(String text) {
        return coloured("1m", text);
    }

    String green(String text) {
        return coloured("32m", text);
    }

    String red(String text) {
        return coloured("31m", text);
    }

    private String coloured(String code, String text) {
        return colours ? ESCAPE + code + text + RESET : text;
    }
}
