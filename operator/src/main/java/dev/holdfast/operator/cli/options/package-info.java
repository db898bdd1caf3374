/** What options mean: selections of pods, changes of labels, several files, and the kubeconfig. */
@NullMarked
package dev.holdfast.operator.cli.options;

import org.jspecify.annotations.NullMarked;
