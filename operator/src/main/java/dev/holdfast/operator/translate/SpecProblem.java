package dev.holdfast.operator.translate;

/**
 * One invalid or unknown field of a spec.
 *
 * @param path of the field, as kubectl writes it: {@code spec.rules[0].nodeAffinity.required}
 * @param message what is allowed, as the predicate of a sentence whose subject is the path
 */
public record SpecProblem(String path, String message) {
    @Override
    public String toString() {
        return path + ": " + message;
    }
}
