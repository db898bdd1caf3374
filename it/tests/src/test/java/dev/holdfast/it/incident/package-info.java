/**
 * Incidents that platform teams know, run in virtual time with the real engine on a simulated cluster. Each is a folder
 * of {@code src/test/resources/incidents}. It holds the objects, the steps, the expected results, and the harm without
 * the check that the incident is about.
 */
@NullMarked
package dev.holdfast.it.incident;

import org.jspecify.annotations.NullMarked;
