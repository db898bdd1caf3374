package dev.holdfast.it.bench.engine;

import dev.holdfast.policies.model.Controller;
import dev.holdfast.policies.model.Scheduling;

/**
 * A workload of a generated cluster: pods of one template.
 *
 * @param hash the pod-template-hash label of its pods
 * @param tier the label {@code tier} of its pods, which rules of other pods read: {@code web}, {@code batch}, {@code
 * critical} or {@code noisy}
 * @param scheduling the scheduling fields, one object for all pods, as after decoding a watch
 * @param controller the owning controller, one object for all pods
 * @param firstZone the number of the first replica's zone; the next replica is in the next zone
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
