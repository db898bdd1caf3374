package dev.holdfast.policies.index.count;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.ToIntFunction;

/**
 * Limits what the rules of a namespace may take of the heap. A rule has an entry for each domain with a partner, and
 * for each set of equal labels that it matches. So a few pods with rules that match all pods of a large cluster could
 * fill the heap.
 *
 * <p>A namespace may take {@value #FREE_PER_POD} bytes for each of its own pods, which is several times what rules
 * about its own pods take. The heap that its rules take beyond that is its excess: at most 8 MiB for one namespace, and
 * 24 MiB for all together.
 *
 * <p>Example: the pods of namespace shop have 20 different anti-affinity rules that match all pods, on 5,000 nodes. The
 * rules take 20 x 5,000 x 72 bytes, about 7 MB, which is allowed. Four more such rules are too many.
 */
public final class RuleLimits {
    /** The heap of one domain of anti-affinity or spread: its object, and its part of a table. */
    static final int DOMAIN = 72;

    /** The heap of one domain of affinity, with its listeners. */
    static final int CELL = 200;

    /** The heap of one verdict group of affinity. */
    static final int GROUP = 250;

    /** The heap of one eligible domain of a spread constraint. */
    static final int ELIGIBLE_DOMAIN = 48;

    /** The heap of one rule in the list of those that match pods with equal labels. */
    public static final int MATCH = 8;

    static final int FREE_PER_POD = 512;
    static final long MOST_EXCESS = 8L << 20;
    static final long MOST_EXCESS_OF_ALL = 24L << 20;

    /** The largest usage that never counts as an excess. */
    private static final long SMALL = 64L << 10;

    /** By how much all rules together may grow before they are checked again. */
    private static final long STEP = 64L << 10;

    private final Map<String, RuleUsage> usages = new HashMap<>();

    /** The usages that are larger than {@link #SMALL}. */
    private final Set<RuleUsage> large = new LinkedHashSet<>();

    /** The growth of large usages since the last check. */
    private long growth;

    /**
     * A namespace whose rules take too much.
     *
     * @param bytes how much less they must take, at least
     */
    public record TooLarge(String namespace, long bytes) {}

    RuleUsage of(String namespace) {
        return usages.computeIfAbsent(namespace, name -> new RuleUsage(name, this));
    }

    void changed(RuleUsage usage, long before) {
        if (usage.bytes() > SMALL) {
            growth += Math.max(0, usage.bytes() - before);
            if (before <= SMALL) {
                large.add(usage);
            }
        } else if (before > SMALL) {
            large.remove(usage);
        }
    }

    void remove(RuleUsage usage) {
        usages.remove(usage.namespace());
        large.remove(usage);
    }

    /**
     * {@return the namespace whose rules take too much of the heap; empty if none does} If all together take too much,
     * the result is the namespace with the largest excess.
     *
     * @param pods the number of pods of a namespace
     */
    public Optional<TooLarge> tooLarge(ToIntFunction<String> pods) {
        if (growth < STEP) {
            return Optional.empty();
        }
        long all = 0;
        long most = 0;
        String largest = "";
        for (RuleUsage usage : large) {
            long excess = usage.bytes() - (long) FREE_PER_POD * pods.applyAsInt(usage.namespace());
            all += Math.max(0, excess);
            if (excess > most) {
                most = excess;
                largest = usage.namespace();
            }
        }
        // More than necessary, so that the next pod does not make them too large again.
        long tooMuch = all > MOST_EXCESS_OF_ALL
                ? Math.min(most, all - MOST_EXCESS_OF_ALL / 2)
                : most > MOST_EXCESS ? most - MOST_EXCESS / 2 : 0;
        if (tooMuch == 0) {
            growth = 0;
            return Optional.empty();
        }
        return Optional.of(new TooLarge(largest, tooMuch));
    }

    boolean isEmpty() {
        return usages.isEmpty() && large.isEmpty();
    }
}
