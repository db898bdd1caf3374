package dev.holdfast.operator.offline.report;

/** What a page is written from. */
public record Drawing(ClusterReport report, ClusterMap map) {}
