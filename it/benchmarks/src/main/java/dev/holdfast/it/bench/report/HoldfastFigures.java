package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import java.util.List;

/**
 * All that was measured of the operator.
 *
 * @param flags of its JVM
 * @param startOnEmpty with no nodes, pods and policies
 * @param startOnFull one start with all nodes, pods and the policy, in milliseconds
 * @param afterSync once the policy's status counted all pods
 * @param afterChanges once all changes were recorded
 * @param afterQuiet at the end of the quiet minutes
 * @param quiet its requests in the quiet minutes
 */
public record HoldfastFigures(
        List<String> flags,
        Starts startOnEmpty,
        double startOnFull,
        ProcessFigures afterSync,
        ProcessFigures afterChanges,
        ProcessFigures afterQuiet,
        ChangeFigures changes,
        ApiCalls quiet) {}
