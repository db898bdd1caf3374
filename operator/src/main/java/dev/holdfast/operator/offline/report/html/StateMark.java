package dev.holdfast.operator.offline.report.html;

import dev.holdfast.operator.offline.report.ClusterReport.Cell;
import dev.holdfast.operator.offline.report.ClusterReport.State;
import java.util.List;
import java.util.function.ToIntFunction;

/** The mark of a state: a shape and a word, so that no one needs to see its colour. */
public final class StateMark {
    private StateMark() {}

    /** {@return the shape of a state: one character} */
    public static String shape(State state) {
        return switch (state) {
            case KILLED -> "\u25c6";
            case VIOLATED -> "\u25b2";
            case UNDETERMINED -> "\u25a0";
            case FINE -> "\u25cf";
        };
    }

    /** {@return the word for a state, as it stands after a number} */
    public static String word(State state) {
        return switch (state) {
            case KILLED -> "killed by a kubelet restart";
            case VIOLATED -> "violated";
            case UNDETERMINED -> "without verdict";
            case FINE -> "fine";
        };
    }

    /** {@return the class of elements with this state} */
    public static String cssClass(State state) {
        return switch (state) {
            case KILLED -> "k";
            case VIOLATED -> "v";
            case UNDETERMINED -> "u";
            case FINE -> "f";
        };
    }

    /** {@return how many pods of a cell have a state} */
    public static int count(Cell cell, State state) {
        return switch (state) {
            case KILLED -> cell.killed();
            case VIOLATED -> cell.violated();
            case UNDETERMINED -> cell.undetermined();
            case FINE -> cell.fine();
        };
    }

    /** Writes the shape of a state. */
    public static void shape(Html html, State state) {
        html.markup("<span aria-hidden=true class=\"m " + cssClass(state) + "\">")
                .text(shape(state))
                .markup("</span>");
    }

    /** Writes a large number in the colour of a state. */
    public static void number(Html html, State state, int number, String noun) {
        html.markup("<div class=" + (number == 0 ? "none" : cssClass(state)) + ">")
                .element("dt", noun)
                .markup("<dd>")
                .number(number)
                .markup("</dd></div>\n");
    }

    /** Writes the numbers of a cell, each with the shape and the word of its state. */
    public static void chips(Html html, Cell cell) {
        chips(html, state -> count(cell, state), List.of(State.values()));
    }

    /** Writes the numbers of pods in some states, each with the shape and the word of the state. */
    public static void chips(Html html, ToIntFunction<State> counts, List<State> states) {
        for (State state : states) {
            int count = counts.applyAsInt(state);
            if (count > 0) {
                html.markup("<span class=\"c " + cssClass(state) + "\"><span aria-hidden=true>")
                        .text(shape(state))
                        .markup("</span>")
                        .number(count)
                        .markup("<span class=vh> ")
                        .text(word(state))
                        .markup(" </span></span>");
            }
        }
    }
}
