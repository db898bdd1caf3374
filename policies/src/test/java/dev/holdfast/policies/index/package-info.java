@NullMarked
package dev.holdfast.policies.index;

import org.jspecify.annotations.NullMarked;
