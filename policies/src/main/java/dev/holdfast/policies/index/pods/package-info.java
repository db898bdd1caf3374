/**
 * The pods that the index knows, the rules that policies hold them to, and the verdict groups that they are in.
 *
 * <p>Pods are stored by their labels, so that work is done once for many pods:
 *
 * <ul>
 *   <li><em>Label class</em> ({@code LabelClass}): pods of one namespace with equal labels, apart from labels copied
 *       from nodes. Which rules have these pods as partners is determined once for the class.
 *   <li><em>Label variant</em> ({@code LabelVariant}): pods of a class whose labels copied from nodes, such as the
 *       zone, are equal too.
 *   <li><em>Rule set</em> ({@code RuleSet}): the rules that certain policies request for pods of one namespace with
 *       the same scheduling.
 *   <li><em>Live rule</em> ({@code LiveRule}): a rule with its partner counts, shared by all pods for which the rule
 *       means the same. With {@code matchLabelKeys}, for example, it means something else for pods with other labels.
 *   <li><em>Resolved rules</em> ({@code ResolvedRules}): a rule set for the pods of one variant, with a live rule for
 *       each rule.
 *   <li><em>Slot</em>: the position of a rule in the resolved rules of a pod.
 * </ul>
 *
 * <p>Example: three replicas of a Deployment run in the zones z1, z1 and z2. The three pods are one label class. If the
 * API server copies zones to pods, the class has two label variants. All three pods have one rule set, and resolved
 * rules for each variant.
 */
@NullMarked
package dev.holdfast.policies.index.pods;

import org.jspecify.annotations.NullMarked;
