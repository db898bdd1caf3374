/** Required placement rules as data, their identity, and the policies that request them. */
@NullMarked
package dev.holdfast.policies.rule;

import org.jspecify.annotations.NullMarked;
