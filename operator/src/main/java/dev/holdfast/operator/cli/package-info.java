/** The command line: run, crds and version, with kubeconfig and logging setup. */
@NullMarked
package dev.holdfast.operator.cli;

import org.jspecify.annotations.NullMarked;
