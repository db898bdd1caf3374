package dev.holdfast.operator;

import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Strongly connected components of the dependencies between top-level classes, found by Tarjan's algorithm.
 *
 * <p>Example: of A -> B, B -> C, C -> B, the knots are {A} and {B, C}; the largest has 2 classes.
 */
final class Knots {
    private final Map<JavaClass, Set<JavaClass>> uses = new HashMap<>();
    private final Map<JavaClass, Integer> index = new HashMap<>();
    private final Map<JavaClass, Integer> low = new HashMap<>();
    private final Deque<JavaClass> open = new ArrayDeque<>();
    private final Set<JavaClass> isOpen = new HashSet<>();
    private final List<Integer> sizes = new ArrayList<>();

    private Knots(List<JavaClass> classes) {
        for (JavaClass one : classes) {
            uses.putIfAbsent(outermost(one), new HashSet<>());
        }
        for (JavaClass one : classes) {
            collect(one);
        }
    }

    /**
     * {@return the number of classes in the largest knot; 1 where no class depends on itself through another}
     *
     * @param classes those of one package; a nested class counts as its top-level class
     */
    static int largest(List<JavaClass> classes) {
        Knots knots = new Knots(classes);
        for (JavaClass one : knots.uses.keySet()) {
            if (!knots.index.containsKey(one)) {
                knots.visit(one);
            }
        }
        return knots.sizes.stream().mapToInt(Integer::intValue).max().orElse(0);
    }

    private void collect(JavaClass part) {
        JavaClass top = outermost(part);
        for (Dependency dependency : part.getDirectDependenciesFromSelf()) {
            JavaClass target = outermost(dependency.getTargetClass().getBaseComponentType());
            if (uses.containsKey(target) && !target.equals(top)) {
                uses.computeIfAbsent(top, _ -> new HashSet<>()).add(target);
            }
        }
    }

    private static JavaClass outermost(JavaClass one) {
        return one.getEnclosingClass().map(Knots::outermost).orElse(one);
    }

    private void visit(JavaClass one) {
        int found = index.size();
        index.put(one, found);
        low.put(one, found);
        open.push(one);
        isOpen.add(one);
        for (JavaClass next : uses.getOrDefault(one, Set.of())) {
            if (!index.containsKey(next)) {
                visit(next);
                low.merge(one, low.getOrDefault(next, 0), Math::min);
            } else if (isOpen.contains(next)) {
                low.merge(one, index.getOrDefault(next, 0), Math::min);
            }
        }
        if (low.getOrDefault(one, found) == found) {
            sizes.add(close(one));
        }
    }

    private int close(JavaClass root) {
        int size = 0;
        JavaClass member;
        do {
            member = open.pop();
            isOpen.remove(member);
            size++;
        } while (!member.equals(root));
        return size;
    }
}
