package dev.holdfast.it.bench.measure;

/**
 * How long one half of a change took to be known. All times are milliseconds from right before it was sent to the API
 * server.
 *
 * @param change its number, from 0; both halves have the same
 * @param step {@code BREAK} or {@code HEAL}
 * @param rule the kind of rule
 * @param target what was relabelled
 * @param violations how many it brought or healed
 * @param sent when it was sent, as ISO 8601
 * @param answered when the API server had answered
 * @param watched when the bare watch had read it
 * @param firstRecorded when the first of its violations was recorded
 * @param recorded when the last was
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
    /** {@return how much later than the bare watch had read it the last of its violations was recorded} */
    double aboveWatch() {
        return recorded - watched;
    }
}
