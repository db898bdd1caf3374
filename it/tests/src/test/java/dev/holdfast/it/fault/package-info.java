/** Tests of faults between the operator and a real API server, made by a proxy or by stopping servers. */
@NullMarked
package dev.holdfast.it.fault;

import org.jspecify.annotations.NullMarked;
