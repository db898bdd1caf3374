package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.PolicySpec;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The size of a policy's spec, compared with how much of one Holdfast reads. The CRD admits specs up to the API server's
 * limit of 1.5 MiB, since it limits each list and not all of them together.
 *
 * <p>Example: the selector {@code matchLabels: {app: web}} has one object and one value, and 6 characters.
 */
final class SpecSize {
    /** How many objects and values are read: twice as many as 20 rules, 20 windows and 20 exceptions usually have. */
    static final int MOST_PARTS = 1_024;

    /** How many characters in the values, and in the keys of labels, are read. */
    static final int MOST_CHARACTERS = 16 << 10;

    private int parts;
    private int characters;

    private SpecSize() {}

    /** {@return the problem of a spec that is too large to be read; empty if it is not} */
    static Optional<SpecProblem> problem(PolicySpec spec) {
        SpecSize size = new SpecSize();
        size.add(spec);
        return size.parts <= MOST_PARTS && size.characters <= MOST_CHARACTERS
                ? Optional.empty()
                : Optional.of(new SpecProblem(
                        "spec",
                        String.format(
                                Locale.ROOT,
                                "must have at most %,d objects and values with %,d characters, got %,d with %,d: split"
                                        + " it into several policies",
                                MOST_PARTS,
                                MOST_CHARACTERS,
                                size.parts,
                                size.characters)));
    }

    private void add(@Nullable Object value) {
        switch (value) {
            case null -> {
                // An absent field takes no memory.
            }
            case Record object -> {
                parts++;
                for (RecordComponent component : object.getClass().getRecordComponents()) {
                    add(valueOf(component, object));
                }
            }
            case Map<?, ?> map ->
                map.forEach((key, under) -> {
                    characters += key.toString().length();
                    add(under);
                });
            case Collection<?> values -> values.forEach(this::add);
            default -> {
                parts++;
                characters += value.toString().length();
            }
        }
    }

    private static @Nullable Object valueOf(RecordComponent component, Record object) {
        try {
            return component.getAccessor().invoke(object);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("read " + component + " of a spec", e);
        }
    }
}
