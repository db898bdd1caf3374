package dev.holdfast.it.fault;

import java.util.function.Predicate;

/** Predicates for requests by kind, to choose the requests that a fault affects. */
final class Requests {
    static final Predicate<HttpHead> WATCHES = HttpHead::isWatch;
    static final Predicate<HttpHead> NODES = of("nodes");
    static final Predicate<HttpHead> PODS = of("pods");
    static final Predicate<HttpHead> NAMESPACES = of("namespaces");

    private Requests() {}

    private static Predicate<HttpHead> of(String resource) {
        return httpHead -> httpHead.resource().filter(resource::equals).isPresent();
    }
}
