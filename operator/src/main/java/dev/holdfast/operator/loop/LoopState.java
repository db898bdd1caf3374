package dev.holdfast.operator.loop;

import java.time.Duration;

/**
 * The state of the engine's loop.
 *
 * @param stepRunning how long the engine has worked on the current event; zero between events. A long time means that
 *     the loop hangs
 * @param queued the number of events in the queue
 * @param ended whether the loop's thread has ended, so that the engine gets no event any more
 */
public record LoopState(Duration stepRunning, int queued, boolean ended) {}
