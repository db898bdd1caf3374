/**
 * The parts of a rule that look just as they do in a pod: copies of the core/v1 shapes, so that pod YAML can be pasted.
 *
 * <p>They are records of our own rather than the client's model classes because the CRD needs what those lack: a
 * description, a bound and a rule for each field, in one place, and an empty selector that stays apart from an absent one.
 */
@NullMarked
package dev.holdfast.crds.v1alpha1.core;

import org.jspecify.annotations.NullMarked;
