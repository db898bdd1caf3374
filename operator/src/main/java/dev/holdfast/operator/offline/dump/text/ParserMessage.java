package dev.holdfast.operator.offline.dump.text;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.exc.StreamConstraintsException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import java.nio.charset.CharacterCodingException;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.reader.ReaderException;

/** The message of a parser about a text that it cannot read: one line with the place of the problem. */
public final class ParserMessage {
    private static final String NOT_TEXT = "it is not text in UTF-8 or UTF-16";

    private ParserMessage() {}

    /**
     * {@return the message after the name of the file: {@code :3:18: found character '@' that cannot start any token}}
     */
    public static String of(JsonProcessingException e) {
        return cause(e, BoundedRuns.TooLongException.class)
                .map(it -> ":" + it.line() + ": " + it.getMessage())
                .or(() -> cause(e, CharacterCodingException.class).map(_ -> ": " + NOT_TEXT))
                .or(() -> cause(e, ReaderException.class).map(ParserMessage::ofCharacter))
                .or(() -> cause(e, MarkedYAMLException.class).map(ParserMessage::ofYaml))
                .orElseGet(() -> place(e) + ": " + ofJson(e));
    }

    private static String ofCharacter(ReaderException e) {
        return String.format(Locale.ROOT, ": the character U+%04X is not allowed in YAML", e.getCodePoint());
    }

    private static String ofYaml(MarkedYAMLException e) {
        String context = Objects.requireNonNullElse(e.getContext(), "");
        return Optional.ofNullable(e.getProblemMark()).map(ParserMessage::place).orElse("") + ": " + e.getProblem()
                + (context.isEmpty() ? "" : " " + context);
    }

    /** {@return the place of a problem as text; marks count from 0} */
    private static String place(Mark mark) {
        return ":" + (mark.getLine() + 1) + ":" + (mark.getColumn() + 1);
    }

    /** {@return whether the text ends too early} The parser says so in two ways, of which one has no type. */
    static boolean isCutOff(JsonProcessingException e) {
        return e instanceof JsonEOFException || e.getOriginalMessage().startsWith("Unexpected end-of-input");
    }

    private static String ofJson(JsonProcessingException e) {
        if (isCutOff(e)) {
            return "the file is cut off in the middle of an object: run kubectl again";
        }
        return e.getOriginalMessage().startsWith("Invalid UTF-8") ? NOT_TEXT : e.getOriginalMessage();
    }

    /** {@return which limit a text is beyond, without the parser's own method} */
    public static String ofLimit(StreamConstraintsException e) {
        return e.getOriginalMessage().replaceAll(", from `[^`]*`", "");
    }

    /** {@return the place of the problem: {@code :3:18}; empty if it is unknown} */
    public static String place(JsonProcessingException e) {
        return Optional.ofNullable(e.getLocation())
                .map(at -> ":" + at.getLineNr() + ":" + at.getColumnNr())
                .orElse("");
    }

    /** {@return the exception of this kind among the causes} The YAML parser hides what its reader throws. */
    static <E extends Throwable> Optional<E> cause(Throwable e, Class<E> kind) {
        return Stream.iterate(e, Objects::nonNull, Throwable::getCause)
                .filter(kind::isInstance)
                .map(kind::cast)
                .findFirst();
    }
}
