package dev.holdfast.operator.annotation;

import dev.holdfast.operator.translate.SpecProblem;
import io.fabric8.generator.annotation.Max;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Size;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Compares a value with the sizes that its records declare for the schema of the CRDs. */
final class SchemaLimits {
    private final List<SpecProblem> problems = new ArrayList<>();

    private SchemaLimits() {}

    /** {@return what is larger or smaller than the schema allows, in the order of the fields} */
    static List<SpecProblem> problems(Record document) {
        SchemaLimits limits = new SchemaLimits();
        limits.fields("", document);
        return limits.problems;
    }

    private void fields(String path, Record object) {
        for (RecordComponent component : object.getClass().getRecordComponents()) {
            String at = path.isEmpty() ? component.getName() : path + "." + component.getName();
            Object value = value(component, object);
            int before = problems.size();
            limit(at, component.getAccessor(), value);
            if (problems.size() == before) {
                under(at, value);
            }
        }
    }

    private void under(String path, @Nullable Object value) {
        if (value instanceof Record object) {
            fields(path, object);
        } else if (value instanceof List<?> list) {
            for (int i = 0; i < list.size(); i++) {
                under(path + "[" + i + "]", list.get(i));
            }
        }
    }

    private void limit(String path, Method accessor, @Nullable Object value) {
        Size size = accessor.getAnnotation(Size.class);
        Min min = accessor.getAnnotation(Min.class);
        Max max = accessor.getAnnotation(Max.class);
        if (size != null) {
            switch (value) {
                case String text -> size(path, text.length(), size, "characters");
                case Collection<?> list -> size(path, list.size(), size, "entries");
                case Map<?, ?> map -> size(path, map.size(), size, "entries");
                case null, default -> {
                    // An absent field has no size.
                }
            }
        }
        if (value instanceof Integer number
                && ((min != null && number < min.value()) || (max != null && number > max.value()))) {
            problems.add(new SpecProblem(path, "must be in the range of docs/policy-reference.md, got " + number));
        }
    }

    private void size(String path, int is, Size size, String what) {
        if (is > size.max() || is < size.min()) {
            problems.add(new SpecProblem(
                    path,
                    String.format(Locale.ROOT, "must have %d to %d %s, got %d", size.min(), size.max(), what, is)));
        }
    }

    private static @Nullable Object value(RecordComponent component, Record object) {
        try {
            Method accessor = component.getAccessor();
            accessor.setAccessible(true);
            return accessor.invoke(object);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("read " + component + " of an annotation", e);
        }
    }
}
