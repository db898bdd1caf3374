/**
 * The parts of a rule that a pod spec also has, in the shape of core/v1: YAML of a pod can be copied into a policy.
 *
 * <p>These records replace the model classes of the fabric8 client, because the CRD needs descriptions, bounds and
 * validation rules on its fields. Besides, an empty selector must differ from an absent one.
 */
@NullMarked
package dev.holdfast.crds.v1alpha1.core;

import org.jspecify.annotations.NullMarked;
