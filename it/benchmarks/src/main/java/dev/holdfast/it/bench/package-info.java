/**
 * Benches: each command measures the running operator and, for comparison, the descheduler. It prints the figures as a
 * table and writes every raw sample to a file.
 */
@NullMarked
package dev.holdfast.it.bench;

import org.jspecify.annotations.NullMarked;
