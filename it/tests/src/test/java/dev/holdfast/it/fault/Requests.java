package dev.holdfast.it.fault;

import java.util.function.Predicate;

/** The requests that faults befall, by their kind. */
final class Requests {
    static final Predicate<Head> WATCHES = Head::isWatch;
    static final Predicate<Head> NODES = of("nodes");
    static final Predicate<Head> PODS = of("pods");
    static final Predicate<Head> NAMESPACES = of("namespaces");

    private Requests() {}

    private static Predicate<Head> of(String resource) {
        return head -> head.resource().filter(resource::equals).isPresent();
    }
}
