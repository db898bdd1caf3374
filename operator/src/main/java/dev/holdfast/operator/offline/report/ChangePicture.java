package dev.holdfast.operator.offline.report;

/**
 * A cluster before a change and some time after it.
 *
 * @param before the map before the change, with marks on the pods that are gone at the end
 * @param after the map at the end, with marks on the pods that were not there before
 * @param timeLine what happens to pods between
 */
public record ChangePicture(ClusterMap before, ClusterMap after, TimeLine timeLine) {}
