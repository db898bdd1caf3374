/**
 * The incremental evaluator: events in, changes of verdicts out, at a cost proportional to what an event changes. What a
 * verdict means is said by {@code evaluate}; here it is only counted.
 *
 * <p>Pods with equal labels in one namespace are one {@code LabelClass}, those on nodes of one zone one {@code LabelVariant}
 * of it. Which rules such pods are partners of is worked out once a class, by looking only at rules that are filed under
 * a label the class has ({@code RuleLookup}). What is asked for pods of one variant with one scheduling is one {@code
 * Profile}. A rule that means the same for many pods is one {@code LiveRule}; it has a cell for each domain with a
 * partner or a holder, and the holders in a cell who share a verdict are one {@code VerdictGroup}.
 *
 * <p>The words used here:
 *
 * <ul>
 *   <li><em>holder</em>: a pod for which a rule is asked; <em>partner</em>: a pod that the rule counts, maybe itself.
 *   <li><em>class</em>, <em>variant</em>: pods with equal labels, without and with those copied from nodes.
 *   <li><em>rule set</em>: what policies ask of one scheduling in one namespace; <em>profile</em>: the same for pods of one variant.
 *   <li><em>live rule</em>: a rule that somebody holds, with its counts, shared by all for whom it means the same.
 *   <li><em>group</em>: holders who share a verdict; <em>seat</em>: a holder's group for one of its rules.
 *   <li><em>docket</em>: the groups that an event has put in doubt, looked at when all of it has been counted.
 * </ul>
 *
 * <p>A worked example. Three pods {@code web-1 web-2 web-3}, labelled {@code app=web}, each apart from {@code app=web}
 * by zone; {@code web-1} and {@code web-2} run in z1, {@code web-3} in z2.
 *
 * <ol>
 *   <li>One class {@code app=web}, one profile, one live rule with two cells: z1 counts 2 and has a group of two holders,
 *       z2 counts 1 and has a group of one. All holders are partners too, so a group is broken where its cell counts more
 *       than 1: z1 is, z2 is not.
 *   <li>The node of {@code web-2} is relabelled to z2. Its pods rise from their groups and leave their counts, the node
 *       changes, they are counted again: z1 counts 1, z2 counts 2. Both cells are put on the {@code DirtyGroups}, which looks
 *       at each once: the group of z1, where {@code web-1} sits, is mended, the group of z2, where {@code web-3} sits, is
 *       broken. Then {@code web-2} sits down in z2. It was broken before and is now, so nothing is told of it.
 *   <li>Nothing was looked through: not the pods, not the rules, not the holders of the two cells. A group of 3,000
 *       holders flips as fast as a group of one, and its holders are listed only if the listener asks.
 * </ol>
 *
 * <p>Spread needs the least domain too. A live spread keeps how many cells have which count, and its {@code DomainSet}
 * how many domains there are; with counts 3, 1 and an empty third domain the least is 0, and when the third gets its
 * first pod the lowest count that any cell has is 1. Only if the least changes are groups beside
 * the changed ones looked at again, and of these only those whose count is near enough for it to matter.
 */
@NullMarked
package dev.holdfast.policies.index;

import org.jspecify.annotations.NullMarked;
