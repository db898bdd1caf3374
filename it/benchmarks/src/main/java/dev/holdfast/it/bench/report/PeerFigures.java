package dev.holdfast.it.bench.report;

import dev.holdfast.it.bench.measure.ApiCalls;
import dev.holdfast.it.bench.measure.ProcessFigures;
import dev.holdfast.it.bench.measure.Sample;
import dev.holdfast.it.bench.measure.Summary;
import java.util.List;

/**
 * All that was measured of the peer.
 *
 * @param intervalSeconds from one look of it to the next
 * @param afterSync after its second look
 * @param afterChanges after the last change
 * @param watched from sent to read by the bare watch, in milliseconds
 * @param noticed from sent to the first line of its log that names a pod of the change
 * @param missed the kinds of rules of those changes that it did not notice within three intervals
 * @param samples of those that it noticed
 * @param quiet its requests in its quiet minutes
 */
public record PeerFigures(
        String name,
        String version,
        double intervalSeconds,
        ProcessFigures afterSync,
        ProcessFigures afterChanges,
        Summary watched,
        Summary noticed,
        List<String> missed,
        List<Sample> samples,
        ApiCalls quiet) {}
