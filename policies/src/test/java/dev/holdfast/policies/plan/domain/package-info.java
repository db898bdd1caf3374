/** Tests of what the nodes and their domains have been through. */
@NullMarked
package dev.holdfast.policies.plan.domain;

import org.jspecify.annotations.NullMarked;
