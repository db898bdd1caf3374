package dev.holdfast.operator.translate;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

/** A place in a spec, and the lists to which everything found there and below it goes. */
final class FieldPath {
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

    /** Notes that what stands here cannot be used. */
    void refuse(String allowed) {
        problems.add(new SpecProblem(path, allowed));
    }

    /** Notes that only a newer version may know what stands here. */
    void unknown(String known) {
        unknown.add(new SpecProblem(path, known));
    }

    /** Notes each of the fields as one that only a newer version may know. */
    void unknownFields(Collection<String> names) {
        new TreeSet<>(names).forEach(name -> field(name).unknown("is not known to this version of Holdfast"));
    }

    List<SpecProblem> problems() {
        return problems;
    }

    List<SpecProblem> unknown() {
        return unknown;
    }
}
