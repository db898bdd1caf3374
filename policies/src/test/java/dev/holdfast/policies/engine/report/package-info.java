/** What is reported. */
@NullMarked
package dev.holdfast.policies.engine.report;

import org.jspecify.annotations.NullMarked;
