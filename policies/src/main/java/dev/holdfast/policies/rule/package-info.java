/** The rules that must hold while a pod runs, as data, their identity, and the policies that ask for them. */
@NullMarked
package dev.holdfast.policies.rule;

import org.jspecify.annotations.NullMarked;
