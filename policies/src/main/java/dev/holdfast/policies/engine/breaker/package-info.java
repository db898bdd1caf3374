/**
 * The breakers and the backlogs, which stop evictions when many rules break at once, replacements do not become
 * Ready, or an edit adds many violations.
 */
@NullMarked
package dev.holdfast.policies.engine.breaker;

import org.jspecify.annotations.NullMarked;
