/**
 * Incidents that platform teams know, run in virtual time with the real engine on a simulated cluster. Each incident is
 * a folder of {@code src/test/resources/incidents} with the objects, the steps, the expected results, and the harm that
 * would happen without certain checks.
 */
@NullMarked
package dev.holdfast.it.incident;

import org.jspecify.annotations.NullMarked;
