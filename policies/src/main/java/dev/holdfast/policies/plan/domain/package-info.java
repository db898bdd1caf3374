/**
 * What the nodes and their domains have been through: since when each domain of a spread is usable, and which nodes are
 * lost. Both count only nodes that are eligible for the rule.
 */
@NullMarked
package dev.holdfast.policies.plan.domain;

import org.jspecify.annotations.NullMarked;
