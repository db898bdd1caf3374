package dev.holdfast.operator.translate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/**
 * The path of a field in a spec, such as {@code spec.rules[0].name}, and the problems found so far. All paths that come
 * from one root add to the same two lists: invalid values, and fields or values that this version does not know.
 */
final class FieldPath {
    /**
     * The maximum number of problems of each kind that are recorded. Further ones take memory, and users mend a few at
     * a time.
     */
    private static final int MOST = 50;

    private final String path;
    private final List<SpecProblem> problems;
    private final List<SpecProblem> unknown;

    private FieldPath(String path, List<SpecProblem> problems, List<SpecProblem> unknown) {
        this.path = path;
        this.problems = problems;
        this.unknown = unknown;
    }

    static FieldPath root(String path) {
        return new FieldPath(path, new ArrayList<>(), new ArrayList<>());
    }

    FieldPath field(String name) {
        return new FieldPath(path + "." + name, problems, unknown);
    }

    FieldPath item(int index) {
        return new FieldPath(path + "[" + index + "]", problems, unknown);
    }

    /**
     * Records that the value of this field is invalid.
     *
     * @param allowed what is allowed, such as {@code must be at least 1, got 0}
     */
    void refuse(String allowed) {
        add(problems, allowed);
    }

    /**
     * Records that this version does not know the value of this field; a newer version may know it.
     *
     * @param known the values that this version knows, such as {@code must be Honor or Ignore}
     */
    void unknown(String known) {
        add(unknown, known);
    }

    private void add(List<SpecProblem> recorded, String message) {
        if (recorded.size() < MOST) {
            recorded.add(new SpecProblem(path, message));
        }
    }

    /** Records, in alphabetical order, these fields below this path as unknown to this version. */
    void unknownFields(Collection<String> names) {
        new TreeSet<>(names).forEach(name -> field(name).unknown("is not known to this version of Holdfast"));
    }

    List<SpecProblem> problems() {
        return problems;
    }

    List<SpecProblem> unknown() {
        return unknown;
    }

    /** {@return the path as users write it, such as {@code spec.rules[0].name}} */
    @Override
    public String toString() {
        return path;
    }
}
