/**
 * The demo: a rule of each kind breaks on a local control plane, and the operator under test corrects it. The scenes
 * run at the same time; the output describes one after the other.
 */
@NullMarked
package dev.holdfast.it.demo;

import org.jspecify.annotations.NullMarked;
