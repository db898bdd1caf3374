/** Adds what an API server adds to new objects, to objects of files that no API server has stored. */
@NullMarked
package dev.holdfast.operator.offline.dump.admission;

import org.jspecify.annotations.NullMarked;
