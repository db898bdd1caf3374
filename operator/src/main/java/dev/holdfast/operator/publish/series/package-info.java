/** The Prometheus metrics of each policy and namespace: counters, gauges, and how many series tenants may create. */
@NullMarked
package dev.holdfast.operator.publish.series;

import org.jspecify.annotations.NullMarked;
