/**
 * The API types of {@code holdfast.dev/v1alpha1}: Java records with the fields of the YAML. The records validate
 * nothing.
 *
 * <p>Every object that an API server stored can be read. A field that is absent in the YAML is {@code null} where
 * absent has a meaning of its own, for example a selector. An absent list is empty, and other absent fields have the
 * default of the CRD schema. A required field can be missing only in a file that no API server checked. Such a field
 * reads as the empty string, 0 or {@code UNRECOGNIZED}, and the operator refuses all of these when it translates the
 * policy.
 */
@NullMarked
package dev.holdfast.crds.v1alpha1;

import org.jspecify.annotations.NullMarked;
