package dev.holdfast.it.fault;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** Counter of the list requests that each client sends through a proxy, for each kind. */
final class ListTraffic {
    private final Map<String, Lists> all = new TreeMap<>();

    /**
     * When lists of one kind by one client were begun, how many are in progress, and how many were in progress at the
     * same time at most.
     */
    record Lists(List<Instant> begins, int underWay, int mostAtOnce) {
        static final Lists NONE = new Lists(List.of(), 0, 0);

        Lists {
            begins = List.copyOf(begins);
        }

        int begun() {
            return begins.size();
        }

        private Lists begin(Instant now) {
            List<Instant> more = new ArrayList<>(begins);
            more.add(now);
            return new Lists(more, underWay + 1, Math.max(mostAtOnce, underWay + 1));
        }

        private Lists end() {
            return new Lists(begins, underWay - 1, mostAtOnce);
        }
    }

    synchronized void begin(HttpHead request) {
        if (request.isList()) {
            Instant now = InstantSource.system().instant();
            all.put(key(request), all.getOrDefault(key(request), Lists.NONE).begin(now));
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
