/**
 * Benches: one command each, that takes figures of the running product beside those of its peer, prints them as a table
 * and writes every raw sample to a file.
 */
@NullMarked
package dev.holdfast.it.bench;

import org.jspecify.annotations.NullMarked;
