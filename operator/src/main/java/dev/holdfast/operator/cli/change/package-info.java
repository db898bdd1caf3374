/** The options that say what changes in a cluster, and the nodes, pods and workloads that they name. */
@NullMarked
package dev.holdfast.operator.cli.change;

import org.jspecify.annotations.NullMarked;
