/**
 * The policy kinds of {@code holdfast.dev/v1alpha1}: exactly what stands in the YAML, nothing judged.
 *
 * <p>Reading never fails for what a cluster may hold. A field that is absent on the wire is {@code null} here where absent
 * means something of its own (a selector, a mode); an absent list is an empty one, and where the schema has a default, so
 * has the record. A required field that is missing (only possible in a file no API server has seen) reads as the empty
 * string, 0 or {@code UNRECOGNIZED}, which are all refused when the policy is translated.
 */
@NullMarked
package dev.holdfast.crds.v1alpha1;

import org.jspecify.annotations.NullMarked;
