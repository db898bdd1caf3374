/**
 * The breakers, which stop evictions when many rules break at once or replacements do not become Ready, and the slow
 * resumption after them.
 */
@NullMarked
package dev.holdfast.policies.engine.breaker;

import org.jspecify.annotations.NullMarked;
