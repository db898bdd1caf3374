/**
 * The rules that pods are held to, their partner counts by domain, and the groups of rule owners that share a verdict.
 *
 * <p>A <em>live rule</em> is a rule that at least one pod is held to, with its counts. Pods for which a rule means the
 * same share one {@code LiveRule}. Anti-affinity and spread keep a {@code DomainCount} for each domain that has a
 * partner or a rule owner. The rule owners in a domain that share a verdict are one {@code VerdictGroup}. If an event
 * changes the counts of a group, the group is added to the {@code DirtyGroups}. After everything has been counted,
 * {@code DirtyGroups} evaluates each of its groups once.
 *
 * <p>A worked example. The three pods {@code web-1 web-2 web-3} have the label {@code app=web} and anti-affinity to
 * {@code app=web} by zone. {@code web-1} and {@code web-2} run in z1, {@code web-3} runs in z2.
 *
 * <ol>
 *   <li>There is one live rule with two domain counts. z1 counts 2 and has a group of two rule owners; z2 counts 1 and
 *       has a group of one. All rule owners are partners too, so the rule owners in a domain violate the rule if the
 *       domain counts more than 1. Only z1 counts more.
 *   <li>The node of {@code web-2} is relabelled to z2. The index takes the pods of that node out of their groups and
 *       counts, changes the node, and counts the pods again: z1 counts 1, z2 counts 2.
 *   <li>Both groups are dirty, and each is evaluated once. The group of {@code web-1} in z1 is satisfied now, and the
 *       group of {@code web-3} in z2 is violated. Then {@code web-2} joins the group in z2. {@code web-2} violated the
 *       rule before and still does, so nothing is reported for this pod.
 *   <li>The index did not iterate over all pods, all rules or the rule owners in z1 and z2. A group of 3,000 pods
 *       changes its verdict as fast as a group of one. Its rule owners are listed only if the listener iterates over
 *       them.
 * </ol>
 *
 * <p>Spread needs the global minimum too. A {@code LiveSpread} keeps its domain counts sorted by count, and a {@code
 * DomainSet} knows how many domains there are. With counts 3 and 1 and an empty third domain the global minimum is 0.
 * When the third domain gets its first pod, the minimum is 1, the lowest count of any domain. A change of the minimum
 * also affects groups in domains whose count did not change: those whose verdict differs between the two minimums.
 */
@NullMarked
package dev.holdfast.policies.index.count;

import org.jspecify.annotations.NullMarked;
