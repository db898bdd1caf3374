/** Tests of the bench of commands that read dumps. */
@NullMarked
package dev.holdfast.it.bench.dump;

import org.jspecify.annotations.NullMarked;
