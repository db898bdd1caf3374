/** What the index reports for events, and its comparison with {@code evaluate} over random histories. */
@NullMarked
package dev.holdfast.policies.index;

import org.jspecify.annotations.NullMarked;
