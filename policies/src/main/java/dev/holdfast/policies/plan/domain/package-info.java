/**
 * The history of nodes and their domains: since when each domain of a spread is usable, and which nodes are lost. Only
 * nodes that are eligible for the rule count.
 */
@NullMarked
package dev.holdfast.policies.plan.domain;

import org.jspecify.annotations.NullMarked;
