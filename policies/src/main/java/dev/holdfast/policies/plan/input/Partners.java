package dev.holdfast.policies.plan.input;

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
 * The pods in one domain that an anti-affinity term matches, summarized by namespace because there may be thousands.
 * All rule owners of the term in that domain share one summary. A rule owner that its own term matches is in the
 * summary too. So most methods take the rule owner as {@code holder} and leave it out.
 */
public final class Partners {
    /** The summary of no partners. */
    public static final Partners NONE = new Partners();

    /** The maximum number of pods that {@link #few} lists. */
    private static final int FEW = ViolationDetail.NAMED_PARTNERS;

    private final NavigableMap<String, OfNamespace> byNamespace = new TreeMap<>();

    private Partners() {}

    /** {@return a summary of these pods, which may be in any order} */
    public static Partners of(Collection<Pod> pods) {
        Partners partners = new Partners();
        for (Pod pod : pods) {
            partners.byNamespace
                    .computeIfAbsent(pod.namespace(), _ -> new OfNamespace())
                    .add(pod);
        }
        return partners;
    }

    /** {@return the namespaces that have at least one pod other than the rule owner} */
    public NavigableSet<String> namespaces(Pod holder) {
        NavigableSet<String> namespaces = new TreeSet<>();
        byNamespace.forEach((namespace, some) -> {
            if (some.anyBut(holder)) {
                namespaces.add(namespace);
            }
        });
        return namespaces;
    }

    /** {@return a summary of the partners in the namespaces that the predicate accepts} */
    public Partners in(Predicate<String> namespaces) {
        Partners some = new Partners();
        byNamespace.forEach((namespace, pods) -> {
            if (namespaces.test(namespace)) {
                some.byNamespace.put(namespace, pods);
            }
        });
        return some;
    }

    /**
     * {@return the UID of the only non-terminating pod other than the rule owner; empty if none or several exist}
     */
    public Optional<String> only(Pod holder) {
        List<Pod> few = few(holder);
        return few.size() == 1 ? Optional.of(few.getFirst().uid()) : Optional.empty();
    }

    /** {@return the non-terminating pods other than the rule owner, at most five; empty if there are more} */
    public List<Pod> few(Pod holder) {
        List<Pod> others = new ArrayList<>();
        for (OfNamespace some : byNamespace.values()) {
            some.stay.stream().filter(pod -> !pod.uid().equals(holder.uid())).forEach(others::add);
        }
        return others.size() <= FEW ? List.copyOf(others) : List.of();
    }

    /**
     * {@return a summary of the partners, if all of them are terminating; empty if one is not, or if there are none}
     * The rule owner itself is left out.
     */
    public Optional<Leaving> leaving(Pod holder) {
        return byNamespace.values().stream().anyMatch(some -> some.anyStaysBut(holder))
                ? Optional.empty()
                : byNamespace.values().stream().flatMap(some -> some.leaving()).reduce(Leaving::and);
    }

    /**
     * A summary of at least one terminating pod.
     *
     * @param uid the smallest UID of these pods
     * @param name the name of the pod with that UID
     * @param earliest the earliest deletion time of these pods
     */
    public record Leaving(String uid, NamespacedName name, Instant earliest) {
        Leaving and(Leaving other) {
            Leaving named = uid.compareTo(other.uid) <= 0 ? this : other;
            Instant first = earliest.isBefore(other.earliest) ? earliest : other.earliest;
            return new Leaving(named.uid, named.name, first);
        }
    }

    /** The partners in one namespace. */
    private static final class OfNamespace {
        /**
         * Some of the non-terminating pods: all up to {@link #FEW} + 2. These suffice to see whether there are more
         * than {@link #FEW} besides the rule owner.
         */
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
