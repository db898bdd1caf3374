/** How the audit log is read. */
@NullMarked
package dev.holdfast.it.scenario;

import org.jspecify.annotations.NullMarked;
