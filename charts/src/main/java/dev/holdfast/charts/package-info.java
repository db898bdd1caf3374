/** Renders the Helm chart without Helm: for {@code charts/render}, and for the manifests of a release. */
@NullMarked
package dev.holdfast.charts;

import org.jspecify.annotations.NullMarked;
