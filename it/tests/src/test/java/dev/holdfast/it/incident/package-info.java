/**
 * Incidents that every platform team knows, played in virtual time to the real engine on a simulated cluster. Each is a
 * folder of {@code src/test/resources/incidents}: what there is, what happens, what must come of it, and what would come of it
 * without the gate that it is about.
 */
@NullMarked
package dev.holdfast.it.incident;

import org.jspecify.annotations.NullMarked;
