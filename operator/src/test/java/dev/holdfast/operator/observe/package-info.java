/** What the API server says, and the facts and events that become of it. */
@NullMarked
package dev.holdfast.operator.observe;

import org.jspecify.annotations.NullMarked;
