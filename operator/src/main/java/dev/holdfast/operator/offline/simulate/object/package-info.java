/** Objects of a simulated cluster, in the versions that controllers, kubelets and people make of them. */
@NullMarked
package dev.holdfast.operator.offline.simulate.object;

import org.jspecify.annotations.NullMarked;
