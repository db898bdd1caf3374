package dev.holdfast.it.fault;

import java.util.Map;
import java.util.TreeMap;

/** Counter of the list requests that each client sends through a proxy, for each kind. */
final class ListTraffic {
    private final Map<String, Lists> all = new TreeMap<>();

    /**
     * How many lists of one kind by one client were begun, are in progress, and were in progress at the same time at
     * most.
     */
    record Lists(int begun, int underWay, int mostAtOnce) {
        static final Lists NONE = new Lists(0, 0, 0);

        private Lists begin() {
            return new Lists(begun + 1, underWay + 1, Math.max(mostAtOnce, underWay + 1));
        }

        private Lists end() {
            return new Lists(begun, underWay - 1, mostAtOnce);
        }
    }

    synchronized void begin(HttpHead request) {
        if (request.isList()) {
            all.put(key(request), all.getOrDefault(key(request), Lists.NONE).begin());
        }
    }

    synchronized void end(HttpHead request) {
        if (request.isList()) {
            all.computeIfPresent(key(request), (_, lists) -> lists.end());
        }
    }

    private static String key(HttpHead request) {
        return key(request.header("User-Agent"), request.resource().orElse(""));
    }

    private static String key(String agent, String resource) {
        return agent + " " + resource;
    }

    /** {@return the counts of a kind for the client with this User-Agent} */
    synchronized Lists lists(String agent, String resource) {
        return all.getOrDefault(key(agent, resource), Lists.NONE);
    }
}
