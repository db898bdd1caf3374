/** Reads manifests that people write by hand, and adds what a cluster would: status, and the pods of workloads. */
@NullMarked
package dev.holdfast.operator.offline.manifest;

import org.jspecify.annotations.NullMarked;
