/** Test namespaces with their own nodes on a running control plane, and the operator as a process. */
@NullMarked
package dev.holdfast.it.scenario;

import org.jspecify.annotations.NullMarked;
