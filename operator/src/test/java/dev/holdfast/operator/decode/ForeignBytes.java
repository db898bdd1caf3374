package dev.holdfast.operator.decode;

import static org.assertj.core.api.Assertions.assertThat;

import dev.holdfast.operator.decode.protobuf.MalformedException;
import java.time.Duration;
import java.util.HexFormat;

/**
 * What each reader of bytes from outside promises: it returns a value or throws its declared exception, in bounded
 * time, and what it read before does not change the result.
 */
public final class ForeignBytes {
    /** Much longer than any input takes on a busy machine. */
    private static final Duration LONGEST = Duration.ofSeconds(20);

    private ForeignBytes() {}

    @FunctionalInterface
    public interface Reading {
        Object of(byte[] bytes) throws Exception;
    }

    /** The message of a declared exception. */
    public record Refused(String message) {}

    /**
     * {@return what a reader returns for an input, or its refusal}
     *
     * @param declared the exception by which the reader refuses an input
     * @throws AssertionError if the reader throws anything else, names an offset beyond the input, or takes too long
     */
    public static Object outcome(Class<? extends Exception> declared, byte[] input, Reading reading) {
        long began = System.nanoTime();
        Object outcome = valueOrRefusal(declared, input, reading);
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        if (took.compareTo(LONGEST) > 0) {
            throw new AssertionError("took " + took + ": " + HexFormat.of().formatHex(input));
        }
        return outcome;
    }

    private static Object valueOrRefusal(Class<? extends Exception> declared, byte[] input, Reading reading) {
        try {
            return reading.of(input);
        } catch (Exception | StackOverflowError | OutOfMemoryError e) {
            boolean within = !(e instanceof MalformedException malformed)
                    || (malformed.offset() >= 0 && malformed.offset() <= input.length);
            if (!declared.isInstance(e) || !within) {
                throw new AssertionError(HexFormat.of().formatHex(input), e);
            }
            return new Refused(String.valueOf(e.getMessage()));
        }
    }

    /** Checks that a reader that has read other inputs gives the same outcome as a new one, and gives it twice. */
    public static void isReadAlike(Class<? extends Exception> declared, byte[] input, Reading used, Reading fresh) {
        Object expected = outcome(declared, input, fresh);
        assertThat(outcome(declared, input, used)).isEqualTo(expected);
        assertThat(outcome(declared, input, used)).isEqualTo(expected);
    }
}
