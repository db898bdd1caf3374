package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Scheduling;

/**
 * Pods of one template.
 *
 * @param hash the pod-template-hash label of its pods
 * @param tier {@code web}, {@code batch}, {@code critical} or {@code noisy}, a label that rules of other pods read
 * @param scheduling one object for all its pods, as in the feed
 * @param controller likewise
 * @param firstZone of its first replica; the next replica is in the next zone
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
