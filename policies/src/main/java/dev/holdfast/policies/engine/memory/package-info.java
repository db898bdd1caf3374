/** What the engine remembers between events. Each class owns one kind of memory and can forget it. */
@NullMarked
package dev.holdfast.policies.engine.memory;

import org.jspecify.annotations.NullMarked;
