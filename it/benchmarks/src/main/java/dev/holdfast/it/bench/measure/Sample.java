package dev.holdfast.it.bench.measure;

import dev.holdfast.it.bench.cluster.ChangeStep;
import java.time.Instant;

/**
 * How long the operator took to detect one step of a label change. The first step breaks rules, and the second reverts
 * the change. Each step is one request to the API server. All times except {@code sent} are in milliseconds after the
 * request was sent.
 *
 * @param change the number of the label change, from 0; both steps of a change have the same number
 * @param step {@code BREAK} for the first step, {@code HEAL} for the second
 * @param rule the kind of rule
 * @param target the relabelled object
 * @param violations how many violations began or healed
 * @param sent the instant when the request was sent
 * @param answered when the API server had answered
 * @param watched when the bare watch had read the event
 * @param firstRecorded when the operator logged the first violation
 * @param recorded when the operator logged the last violation
 */
public record Sample(
        int change,
        ChangeStep step,
        String rule,
        String target,
        int violations,
        Instant sent,
        double answered,
        double watched,
        double firstRecorded,
        double recorded) {
    /** {@return the time from the event in the bare watch to the last logged violation} */
    public double aboveWatch() {
        return recorded - watched;
    }
}
