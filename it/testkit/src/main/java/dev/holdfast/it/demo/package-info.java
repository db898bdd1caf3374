/** The whole thing to watch: rules of every kind break on a local control plane, and the operator sees to them. */
@NullMarked
package dev.holdfast.it.demo;

import org.jspecify.annotations.NullMarked;
