/**
 * Tests of policies: folders with a cluster, steps in time, and what is expected. The tests are played on the simulated
 * clock.
 */
@NullMarked
package dev.holdfast.operator.offline.policytest;

import org.jspecify.annotations.NullMarked;
