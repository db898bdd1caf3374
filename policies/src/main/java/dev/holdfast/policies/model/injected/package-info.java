/** The record of the rules that policies injected into a pod's spec, in an annotation of the pod. */
@NullMarked
package dev.holdfast.policies.model.injected;

import org.jspecify.annotations.NullMarked;
