/**
 * The benches of Holdfast, each a subcommand of {@code it/bench}. A bench prints its figures as a table and writes
 * its figures to a file.
 */
@NullMarked
package dev.holdfast.it.bench;

import org.jspecify.annotations.NullMarked;
