package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Scheduling;

/**
 * Pods of one template.
 *
 * @param hash what the Deployment labels the pods of this template with
 * @param tier {@code web}, {@code batch}, {@code critical} or {@code noisy}, a label that rules of others read
 * @param scheduling one object for all its pods, as the feed gives it too
 * @param controller likewise
 * @param firstZone of its first replica; the next is in the next zone
 */
record WorldWorkload(
        String namespace,
        String app,
        String hash,
        String tier,
        Scheduling scheduling,
        Controller controller,
        int replicas,
        int firstZone) {}
