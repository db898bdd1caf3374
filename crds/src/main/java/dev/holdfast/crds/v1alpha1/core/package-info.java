/**
 * The parts of a rule that a pod spec also has, in the shape of core/v1: YAML of a pod can be copied into a policy.
 *
 * <p>These records replace the client's model classes because the CRD needs more: a description, a bound and a
 * validation
 * rule for each field, and an empty selector that differs from an absent one.
 */
@NullMarked
package dev.holdfast.crds.v1alpha1.core;

import org.jspecify.annotations.NullMarked;
