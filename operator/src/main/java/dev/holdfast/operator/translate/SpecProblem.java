package dev.holdfast.operator.translate;

/**
 * One field of a spec that is invalid or that this version does not know.
 *
 * @param path path of the field, as kubectl writes it: {@code spec.rules[0].nodeAffinity.required}
 * @param message what is allowed, without the path, such as {@code must be at least 1, got 0}
 */
public record SpecProblem(String path, String message) {
    @Override
    public String toString() {
        return path + ": " + message;
    }
}
