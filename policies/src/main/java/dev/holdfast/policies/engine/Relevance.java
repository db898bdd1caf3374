package dev.holdfast.policies.engine;

import dev.holdfast.policies.model.Namespace;
import dev.holdfast.policies.model.Node;
import dev.holdfast.policies.model.Pod;
import java.util.Optional;
import java.util.function.BiPredicate;

/** Whether a change can matter to any verdict at all: most events only report status. */
final class Relevance {
    private Relevance() {}

    /** {@return whether the change touches what rules or policies read} */
    static boolean canFlip(Change change) {
        return switch (change) {
            case Change.OfPod(var before, var after) -> differ(before, after, Relevance::alike);
            case Change.OfNode(var _, var before, var after) -> differ(before, after, Relevance::alike);
            case Change.OfNamespace(var _, var before, var after) -> differ(before, after, Relevance::alike);
            case Change.OfOthers _ -> false;
        };
    }

    private static <T> boolean differ(Optional<T> before, Optional<T> after, BiPredicate<T, T> alike) {
        if (before.isEmpty() || after.isEmpty()) {
            return before.isPresent() || after.isPresent();
        }
        return !alike.test(before.get(), after.get());
    }

    private static boolean alike(Pod before, Pod after) {
        return before.counts() == after.counts()
                && before.life().terminating() == after.life().terminating()
                && before.nodeName().equals(after.nodeName())
                && before.labels().equals(after.labels())
                && before.scheduling().equals(after.scheduling());
    }

    private static boolean alike(Node before, Node after) {
        return before.labels().equals(after.labels()) && before.taints().equals(after.taints());
    }

    private static boolean alike(Namespace before, Namespace after) {
        return before.labels().equals(after.labels());
    }
}
