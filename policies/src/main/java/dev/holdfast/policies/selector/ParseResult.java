package dev.holdfast.policies.selector;

/**
 * The result of parsing user input: the parsed value, or why the input is invalid.
 *
 * @param <T> the type of the parsed value
 */
public sealed interface ParseResult<T> {
    /** The input is valid. */
    record Usable<T>(T value) implements ParseResult<T> {}

    /**
     * The input is invalid.
     *
     * @param why names the invalid part and what is allowed: {@code 'disk Near': `operator` must be In, NotIn, Exists
     *     or DoesNotExist}
     */
    record Unusable<T>(String why) implements ParseResult<T> {}
}
