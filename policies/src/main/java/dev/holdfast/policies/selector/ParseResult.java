package dev.holdfast.policies.selector;

/**
 * The result of parsing something a user wrote: the usable form, or why there is none.
 *
 * @param <T> the usable form
 */
public sealed interface ParseResult<T> {
    /** The usable form. */
    record Usable<T>(T value) implements ParseResult<T> {}

    /**
     * There is no usable form.
     *
     * @param why names the offending part and what is allowed: {@code operator 'Near' of key 'disk': must be In, NotIn,
     *     Exists or DoesNotExist}
     */
    record Unusable<T>(String why) implements ParseResult<T> {}
}
