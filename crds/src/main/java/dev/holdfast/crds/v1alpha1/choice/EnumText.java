package dev.holdfast.crds.v1alpha1.choice;

import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Finds the enum constant for a string in YAML. */
public final class EnumText {
    private EnumText() {}

    /** {@return the constant that is written as {@code label} in YAML; empty if there is none} */
    public static <E> Optional<E> asOneOf(E[] values, Function<E, String> labels, @Nullable String label) {
        return Stream.of(values)
                .filter(value -> labels.apply(value).equals(label))
                .findFirst();
    }
}
