package dev.holdfast.operator.offline.report;

import java.util.List;

/**
 * What happens to pods in a simulation.
 *
 * @param lanes one for each pod that violates a rule, or that a change removes: pods that leave their node first
 * @param others how many more pods have no lane, because there are too many
 * @param seconds how long was simulated, 1 at least
 */
public record TimeLine(List<Lane> lanes, int others, long seconds) {
    /** The time line of a simulation that was not played. */
    public static final TimeLine NONE = new TimeLine(List.of(), 0, 1);

    public TimeLine {
        lanes = List.copyOf(lanes);
        seconds = Math.max(1, seconds);
    }

    /**
     * What happens to a pod.
     *
     * @param moments in the order in which they happen, at least one: of very many, the first and the last
     * @param leftOut how many moments are left out in the middle of these
     * @param end the moment that says how the pod stands at the end
     */
    public record Lane(
            String namespace, String pod, String uid, String node, List<Moment> moments, int leftOut, Moment end) {
        public Lane {
            moments = List.copyOf(moments);
        }
    }

    /**
     * A moment of a pod.
     *
     * @param seconds after the change, or after the beginning of a test
     * @param text what happens, for people
     * @param stands how the pod stands from then on: for a violation that ends, the kind of one that goes on
     */
    public record Moment(long seconds, Kind kind, String text, Kind stands) {}

    /** Kinds of moments. Of several violations, the one with the last kind says how the pod stands. */
    public enum Kind {
        /** A violation begins. */
        BEGINS("violated"),
        /** A policy in Audit would let the pod be evicted. */
        WOULD_EVICT("would be evicted"),
        /** The forgiveness of a violation ends. */
        DUE("due"),
        /** The operator holds a due violation. */
        HELD("held"),
        /** The API server grants an eviction of the operator. */
        EVICTED("evicted"),
        /** A change removes the pod. */
        REMOVED("removed"),
        /** The move of the pod ends: the new pod is Ready and breaks fewer rules. */
        MOVED("moved"),
        /** The move of the pod ends: the new pod is not Ready in time, or breaks no fewer rules. */
        FUTILE("futile move"),
        /** The move of the pod ends: no pod takes its place. */
        GONE("gone"),
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
