@NullMarked
package dev.holdfast.policies.compact;

import org.jspecify.annotations.NullMarked;
