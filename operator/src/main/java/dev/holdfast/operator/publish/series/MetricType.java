package dev.holdfast.operator.publish.series;

/** The type of a metric, as Prometheus has them. */
enum MetricType {
    COUNTER,
    GAUGE,
    HISTOGRAM
}
