/**
 * The incremental evaluator: it takes cluster events and policy changes, and reports each verdict that changes. The
 * cost of an event is proportional to what the event changes. The package {@code evaluate} defines what a verdict
 * means; the index computes the same verdicts from counts.
 *
 * <p>An event passes the subpackages in this order:
 *
 * <ul>
 *   <li>{@code index.pods} stores the pods, nodes and namespaces. This package determines which rules the policies hold
 *       each pod to, and which pods are partners of which rules.
 *   <li>{@code index.lookup} finds the rules that may match the labels of a pod.
 *   <li>{@code index.count} counts partners by domain, and stores one verdict for each group of pods that always have
 *       the same verdict.
 *   <li>{@code index.change} is what the listener gets: the pods whose verdict changed, and the cause.
 *   <li>{@code index.query} reads from the counts: details of a violation, conflicting pods, and the impact of a
 *       hypothetical move.
 *   <li>{@code index.table} has the containers that the other packages use.
 * </ul>
 *
 * <p>In all these packages a <em>rule owner</em> is a pod that is held to a rule. A <em>partner</em> is a pod that the
 * rule counts. A rule owner can be its own partner. Parameters named {@code holder} are rule owners.
 */
@NullMarked
package dev.holdfast.policies.index;

import org.jspecify.annotations.NullMarked;
