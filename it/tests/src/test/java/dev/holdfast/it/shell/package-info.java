/** The operator's senses and hands, each alone, on a real API server. */
@NullMarked
package dev.holdfast.it.shell;

import org.jspecify.annotations.NullMarked;
