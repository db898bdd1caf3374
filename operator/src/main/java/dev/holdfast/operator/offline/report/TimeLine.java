package dev.holdfast.operator.offline.report;

import java.util.Comparator;
import java.util.List;

/**
 * What happens to pods in a simulation.
 *
 * @param lanes one for each pod that violates a rule, or that a change removes: pods that leave their node first
 * @param seconds how long was simulated, 1 at least
 */
public record TimeLine(List<Lane> lanes, long seconds) {
    /** The time line of a simulation that was not played. */
    static final TimeLine NONE = new TimeLine(List.of(), 1);

    public TimeLine {
        lanes = List.copyOf(lanes);
        seconds = Math.max(1, seconds);
    }

    /**
     * What happens to a pod.
     *
     * @param moments in the order of time, at least one
     */
    public record Lane(String namespace, String pod, String uid, String node, List<Moment> moments) {
        /** Pods that leave their node first, then those that are held; then by time and name. */
        static final Comparator<Lane> ORDER = Comparator.comparing((Lane lane) -> !lane.has(Kind.EVICTED))
                .thenComparing(lane -> !lane.has(Kind.REMOVED))
                .thenComparing(lane -> !lane.has(Kind.HELD))
                .thenComparingLong(lane -> lane.moments().getFirst().seconds())
                .thenComparing(Lane::namespace)
                .thenComparing(Lane::pod)
                .thenComparing(Lane::uid);

        public Lane {
            moments = List.copyOf(moments);
        }

        /** {@return whether there is a moment of a kind} */
        public boolean has(Kind kind) {
            return moments.stream().anyMatch(it -> it.kind() == kind);
        }
    }

    /**
     * A moment of a pod.
     *
     * @param seconds after the change, or after the beginning of a test
     * @param text what happens, for people
     */
    public record Moment(long seconds, Kind kind, String text) {}

    /** Kinds of moments. Of moments at one time, the first kind comes first. */
    public enum Kind {
        /** A violation begins. */
        BEGINS("violated"),
        /** The forgiveness of a violation ends. */
        DUE("due"),
        /** The operator holds a due violation. */
        HELD("held"),
        /** A policy in Audit would let the pod be evicted. */
        WOULD_EVICT("would be evicted"),
        /** The API server grants an eviction of the operator. */
        EVICTED("evicted"),
        /** A change removes the pod. */
        REMOVED("removed"),
        /** The move of the pod ends. */
        MOVED("moved"),
        /** A violation ends without an eviction. */
        ENDS("ended");

        private final String words;

        Kind(String words) {
            this.words = words;
        }

        /** {@return the kind for people} */
        public String words() {
            return words;
        }
    }
}
