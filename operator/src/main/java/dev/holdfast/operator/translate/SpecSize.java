package dev.holdfast.operator.translate;

import dev.holdfast.crds.v1alpha1.EnforcementPauseSpec;
import dev.holdfast.crds.v1alpha1.PolicySpec;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The size of a spec, compared with how much of one Holdfast reads. The CRD admits policies up to the API server's
 * limit of 1.5 MiB, since it limits each list and not all of them together.
 *
 * <p>Example: the selector {@code matchLabels: {app: web}} has one object and one value, and 6 characters.
 */
final class SpecSize {
    /** The largest policy that is read: as much as 20 rules, 20 windows and 20 exceptions usually have. */
    private static final Limit POLICY = new Limit(512, 8 << 10, "split it into several policies");

    /** The largest pause that is read: as much as a selector with 100 values and 20 windows usually have. */
    private static final Limit PAUSE = new Limit(256, 4 << 10, "select namespaces by a label of their own");

    private int parts;
    private int characters;

    private SpecSize() {}

    /**
     * How much of a spec is read.
     *
     * @param parts the objects and values
     * @param characters the characters in the values and in the keys of labels
     * @param advice what to do if a spec has more
     */
    private record Limit(int parts, int characters, String advice) {}

    /** {@return the problem of a policy that is too large to be read; empty if the size is allowed} */
    static Optional<SpecProblem> problem(PolicySpec spec) {
        return problem(spec, POLICY);
    }

    /** {@return the problem of a pause that is too large to be read; empty if the size is allowed} */
    static Optional<SpecProblem> problem(EnforcementPauseSpec spec) {
        return problem(spec, PAUSE);
    }

    private static Optional<SpecProblem> problem(Object spec, Limit limit) {
        SpecSize size = new SpecSize();
        size.add(spec);
        return size.parts <= limit.parts() && size.characters <= limit.characters()
                ? Optional.empty()
                : Optional.of(new SpecProblem(
                        "spec",
                        String.format(
                                Locale.ROOT,
                                "must have at most %,d objects and values with %,d characters, got %,d with %,d: %s",
                                limit.parts(),
                                limit.characters(),
                                size.parts,
                                size.characters,
                                limit.advice())));
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
