package dev.holdfast.operator.translate;

import java.util.List;
import java.util.stream.Collectors;

/**
 * One field of a spec that is invalid or that this version does not know.
 *
 * @param path path of the field, as kubectl writes it: {@code spec.rules[0].nodeAffinity.required}
 * @param message what is allowed, without the path, such as {@code must be at least 1, got 0}
 */
public record SpecProblem(String path, String message) {
    /** {@return all problems, as a part of a sentence} */
    public static String list(List<SpecProblem> problems) {
        return problems.stream().map(SpecProblem::toString).collect(Collectors.joining("; "));
    }

    @Override
    public String toString() {
        return path + ": " + message;
    }
}
