/** The scenes of the demo on the simulator, and how the demo prints scenes, simulated or real. */
@NullMarked
package dev.holdfast.operator.offline.demo;

import org.jspecify.annotations.NullMarked;
