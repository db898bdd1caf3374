/**
 * The API types of {@code holdfast.dev/v1alpha1}: the content of the YAML, without any validation.
 *
 * <p>Reading succeeds for every object that a cluster may store. A field that is absent in the YAML is {@code null}
 * where
 * absent has a meaning of its own (a selector, a mode). An absent list is empty, and the records have the defaults of
 * the
 * schema. A missing required field, which only a file that no API server checked can have, reads as the empty string, 0
 * or {@code UNRECOGNIZED}; the operator refuses all of these when it translates the policy.
 */
@NullMarked
package dev.holdfast.crds.v1alpha1;

import org.jspecify.annotations.NullMarked;
