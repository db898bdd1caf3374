package dev.holdfast.it.bench.measure;

/**
 * How long one step of a change took to be known. All times are in milliseconds from right before the request to the
 * API server.
 *
 * @param change its number, from 0; both steps have the same
 * @param step {@code BREAK} or {@code HEAL}
 * @param rule the kind of rule
 * @param target the relabelled object
 * @param violations how many began or healed
 * @param sent the instant of the request, as ISO 8601
 * @param answered when the API server had answered
 * @param watched when the bare watch had read the event
 * @param firstRecorded when the operator logged the first violation
 * @param recorded when the operator logged the last violation
 */
public record Sample(
        int change,
        String step,
        String rule,
        String target,
        int violations,
        String sent,
        double answered,
        double watched,
        double firstRecorded,
        double recorded) {
    /** {@return the time from the event in the bare watch to the last logged violation} */
    double aboveWatch() {
        return recorded - watched;
    }
}
