package dev.holdfast.policies.plan.situation;

import dev.holdfast.policies.evaluate.ViolationDetail;
import dev.holdfast.policies.model.NamespacedName;
import dev.holdfast.policies.model.Pod;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The pods in one domain that a term of anti-affinity matches, summed up by namespace: there may be thousands, and all
 * holders of the term there ask the same of them. A holder that the term matches is among them, and does not count for
 * itself.
 */
public final class Partners {
    /** Where nobody breaks the rule. */
    public static final Partners NONE = new Partners();

    /** So many are known one by one. */
    private static final int FEW = ViolationDetail.NAMED_PARTNERS;

    private final NavigableMap<String, OfNamespace> byNamespace = new TreeMap<>();

    private Partners() {}

    /** {@return these pods summed up, in whatever order they come} */
    public static Partners of(Collection<Pod> pods) {
        Partners partners = new Partners();
        for (Pod pod : pods) {
            partners.byNamespace
                    .computeIfAbsent(pod.namespace(), _ -> new OfNamespace())
                    .add(pod);
        }
        return partners;
    }

    /** {@return the namespaces in which there is anybody but the holder} */
    public NavigableSet<String> namespaces(Pod holder) {
        NavigableSet<String> namespaces = new TreeSet<>();
        byNamespace.forEach((namespace, some) -> {
            if (some.anyBut(holder)) {
                namespaces.add(namespace);
            }
        });
        return namespaces;
    }

    /** {@return what of them there is in some namespaces only} */
    public Partners in(Predicate<String> namespaces) {
        Partners some = new Partners();
        byNamespace.forEach((namespace, pods) -> {
            if (namespaces.test(namespace)) {
                some.byNamespace.put(namespace, pods);
            }
        });
        return some;
    }

    /** {@return the UID of the only one that stays but the holder; empty where none does, or several do} */
    public Optional<String> only(Pod holder) {
        List<Pod> few = few(holder);
        return few.size() == 1 ? Optional.of(few.getFirst().uid()) : Optional.empty();
    }

    /** {@return those that stay but the holder, at most five; empty where none does, or more do} */
    public List<Pod> few(Pod holder) {
        List<Pod> others = new ArrayList<>();
        for (OfNamespace some : byNamespace.values()) {
            some.stay.stream().filter(pod -> !pod.uid().equals(holder.uid())).forEach(others::add);
        }
        return others.size() <= FEW ? List.copyOf(others) : List.of();
    }

    /** {@return the first to be deleted, where all but the holder are on their way out; else, and if there are none, empty} */
    public Optional<Leaving> leaving(Pod holder) {
        return byNamespace.values().stream().anyMatch(some -> some.anyStaysBut(holder))
                ? Optional.empty()
                : byNamespace.values().stream().flatMap(some -> some.leaving()).reduce(Leaving::and);
    }

    /**
     * Pods that are on their way out.
     *
     * @param name of the one that comes first by UID
     * @param earliest when the first of them was told to go
     */
    public record Leaving(String uid, NamespacedName name, Instant earliest) {
        Leaving and(Leaving other) {
            Leaving named = uid.compareTo(other.uid) <= 0 ? this : other;
            Instant first = earliest.isBefore(other.earliest) ? earliest : other.earliest;
            return new Leaving(named.uid, named.name, first);
        }
    }

    /** Those of one namespace. */
    private static final class OfNamespace {
        /** Some of those that stay: as many that they are more than a few still when the holder is left out. */
        private final List<Pod> stay = new ArrayList<>(1);

        private @Nullable Leaving leaving;

        void add(Pod pod) {
            Optional<Instant> deletion = pod.life().deletionTime();
            if (deletion.isPresent()) {
                Leaving one = new Leaving(pod.uid(), pod.name(), deletion.get());
                leaving = leaving == null ? one : leaving.and(one);
            } else if (stay.size() < FEW + 2) {
                stay.add(pod);
            }
        }

        boolean anyStaysBut(Pod holder) {
            return stay.size() > 1 || (!stay.isEmpty() && !stay.getFirst().uid().equals(holder.uid()));
        }

        boolean anyBut(Pod holder) {
            return leaving != null || anyStaysBut(holder);
        }

        Stream<Leaving> leaving() {
            return Stream.ofNullable(leaving);
        }
    }
}
