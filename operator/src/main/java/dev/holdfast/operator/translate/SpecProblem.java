package dev.holdfast.operator.translate;

/**
 * One thing in a spec that cannot be used.
 *
 * @param path of the field, as kubectl writes it: {@code spec.rules[0].nodeAffinity.required}
 * @param message what is allowed there, as the second half of a sentence that the path begins
 */
public record SpecProblem(String path, String message) {
    @Override
    public String toString() {
        return path + ": " + message;
    }
}
